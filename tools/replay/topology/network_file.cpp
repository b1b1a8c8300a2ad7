// SPDX-License-Identifier: Apache-2.0
// Networks as ASTRA-sim describes them: YAML of flow lists with an entry a dimension, and beside it
// JSON with the algorithms of collectives.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "device_sim/base/files.h"
#include "tools/replay/topology/topology.h"
#include "tools/trace/files/cut_off.h"

namespace replay {
namespace {

constexpr std::uint64_t kMostRanks = 1'000'000;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\"'");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\"'") - first + 1);
}

/// Keys with lists of words, in one line, over several, or as lines that begin with "- ".
class Lists {
 public:
  struct Entry {
    std::vector<std::string_view> words;
    int line = 0;
  };

  Lists(std::string_view text, const std::string& where) : where_(where) {
    int number = 0;
    for (std::size_t at = 0; at < text.size(); ++number) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      take(text.substr(at, end - at), number + 1);
      at = end + 1;
    }
    if (open_) refuse(number, fmt::format("{}: its list is not closed; expected ]", key_));
  }

  [[noreturn]] void refuse(int line, const std::string& text) const {
    throw TopologyError(fmt::format("{}:{}: {}", where_, line, text));
  }
  /// Removes and returns the entry; throws if it is missing.
  Entry pull(const std::string& key, std::string_view expected) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) {
      throw TopologyError(fmt::format("{}: lacks `{}`; expected {}", where_, key, expected));
    }
    return std::move(entries_.extract(found).mapped());
  }
  const std::map<std::string, Entry>& rest() const { return entries_; }

 private:
  void take(std::string_view line, int number) {
    line = line.substr(0, line.find('#'));
    if (trimmed(line).empty()) return;
    if (open_) return take_words(line);
    const std::string_view item = trimmed(line);
    if (item.starts_with("- ") && !key_.empty()) return add_word(item.substr(2));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || line.front() == ' ') {
      refuse(number, fmt::format("'{}'; expected KEY: [ VALUE, ... ]", item.substr(0, 60)));
    }
    key_ = trimmed(line.substr(0, colon));
    if (!entries_.try_emplace(key_, Entry{{}, number}).second) {
      refuse(number, fmt::format("{}: stands here twice; expected once", key_));
    }
    std::string_view value = line.substr(colon + 1);
    const std::size_t bracket = value.find('[');
    if (bracket == std::string_view::npos) return add_word(value);
    open_ = true;
    take_words(value.substr(bracket + 1));
  }
  void take_words(std::string_view text) {
    const std::size_t close = text.find(']');
    open_ = close == std::string_view::npos;
    text = text.substr(0, close);
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      add_word(text.substr(at, comma - at));
      at = comma + 1;
    }
  }
  void add_word(std::string_view word) {
    word = trimmed(word);
    if (!word.empty()) entries_[key_].words.push_back(word);
  }

  const std::string& where_;
  std::map<std::string, Entry> entries_;
  std::string key_;
  bool open_ = false;
};

double number(const Lists& lists, const Lists::Entry& entry, std::size_t at, const char* key,
              double low, double high, const char* expected) {
  const std::string_view word = entry.words[at];
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc() && end == word.data() + word.size() && value >= low && value <= high) {
    return value;
  }
  lists.refuse(entry.line, fmt::format("{}: '{}'; expected {}", key, word, expected));
}

Shape shape(const Lists& lists, const Lists::Entry& entry, std::size_t at) {
  const std::string_view word = entry.words[at];
  if (word == "Ring") return Shape::ring;
  if (word == "FullyConnected") return Shape::full;
  if (word == "Switch") return Shape::switched;
  lists.refuse(entry.line,
               fmt::format("topology: '{}'; expected Ring, FullyConnected or Switch", word));
}

/// One value for each dimension; a single value applies to all of them.
void spread(const Lists& lists, Lists::Entry& entry, const char* key, std::size_t dimensions) {
  if (entry.words.size() == 1) entry.words.resize(dimensions, entry.words.front());
  if (entry.words.size() == dimensions) return;
  lists.refuse(entry.line, fmt::format("{}: {} entries; expected {}, as `topology` has", key,
                                       entry.words.size(), dimensions));
}

struct Implementation {
  std::string_view name;
  Algorithm algorithm;
};
constexpr Implementation kImplementations[] = {
    {"ring", Algorithm::ring},
    {"oneRing", Algorithm::ring},
    {"direct", Algorithm::direct},
    {"oneDirect", Algorithm::direct},
    {"halvingDoubling", Algorithm::halving_doubling},
    {"oneHalvingDoubling", Algorithm::halving_doubling},
    {"doubleBinaryTree", Algorithm::tree},
};
constexpr std::array<std::string_view, kExchanges> kKeys{
    "all-reduce-implementation", "all-gather-implementation", "reduce-scatter-implementation",
    "all-to-all-implementation"};

Algorithm implementation(const std::string& path, std::string_view key,
                         const nlohmann::json& value) {
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  for (const Implementation& row : kImplementations) {
    if (row.name == text) return row.algorithm;
  }
  throw TopologyError(
      fmt::format("{}: {}: '{}'; expected ring, direct, halvingDoubling, doubleBinaryTree, oneRing "
                  "or oneDirect",
                  path, key, text));
}

void choose(const std::string& path, Topology& topology, std::size_t exchange,
            const nlohmann::json& list) {
  const std::string_view key = kKeys[exchange];
  const std::size_t dimensions = topology.dimensions.size();
  if (!list.is_array() || (list.size() != dimensions && list.size() != 1)) {
    throw TopologyError(
        fmt::format("{}: {}: expected a list of {} names, one for each dimension of "
                    "the network",
                    path, key, dimensions));
  }
  for (std::size_t d = 0; d < dimensions; ++d) {
    topology.dimensions[d].algorithms[exchange] =
        implementation(path, key, list[list.size() == 1 ? 0 : d]);
  }
}

}  // namespace

Topology parse_network(std::string_view yaml, const std::string& where) {
  Lists lists(yaml, where);
  const auto shapes = lists.pull("topology", "a list such as [ Ring, Switch ]");
  auto counts = lists.pull("npus_count", "a list of how many ranks each dimension has");
  auto bandwidths = lists.pull("bandwidth", "a list of GB/s");
  auto latencies = lists.pull("latency", "a list of ns");
  const std::size_t dimensions = shapes.words.size();
  if (dimensions == 0) lists.refuse(shapes.line, "topology: is empty; expected its dimensions");
  if (counts.words.size() != dimensions) {
    lists.refuse(counts.line, fmt::format("npus_count: {} entries; expected {}, as `topology` has",
                                          counts.words.size(), dimensions));
  }
  spread(lists, bandwidths, "bandwidth", dimensions);
  spread(lists, latencies, "latency", dimensions);
  Topology topology;
  std::uint64_t ranks = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    Dimension made;
    made.shape = shape(lists, shapes, d);
    const double count =
        number(lists, counts, d, "npus_count", 1, kMostRanks, "a whole number of ranks, from 1 on");
    made.count = static_cast<std::uint32_t>(count);
    if (made.count != count) lists.refuse(counts.line, "npus_count: expected whole numbers");
    made.link.bw = 1e9 * number(lists, bandwidths, d, "bandwidth", 1e-6, 1e9, "GB/s, above 0");
    made.link.lat_ns = static_cast<Nanoseconds>(
        number(lists, latencies, d, "latency", 0, 1e12, "ns, from 0 on") + 0.5);
    ranks *= made.count;
    if (ranks > kMostRanks) lists.refuse(counts.line, "npus_count: expected at most 1000000 ranks");
    topology.dimensions.push_back(made);
  }
  topology.devices = static_cast<std::uint32_t>(ranks);
  for (const auto& [key, entry] : lists.rest()) {
    topology.remarks.push_back(fmt::format("{}:{}: `{}` is not used", where, entry.line, key));
  }
  return topology;
}

void read_system(const std::string& path, Topology& topology) {
  nlohmann::json system;
  std::string text;
  try {
    text = sim::read_file(path);
    system = nlohmann::json::parse(text);
  } catch (const std::exception&) {
    if (trace::cut_off(text)) {
      throw TopologyError(path + ": is truncated; expected a system of ASTRA-sim, the whole file");
    }
    throw TopologyError(
        fmt::format("{}: cannot be read as JSON; expected a system of ASTRA-sim", path));
  }
  if (!system.is_object()) throw TopologyError(path + ": expected an object with algorithms");
  if (topology.dimensions.empty()) {
    throw TopologyError(path + ": is about dimensions of a network; expected --topo with one");
  }
  std::string unused;
  for (const auto& [key, value] : system.items()) {
    const auto at = std::find(kKeys.begin(), kKeys.end(), key);
    if (at != kKeys.end()) {
      choose(path, topology, static_cast<std::size_t>(at - kKeys.begin()), value);
    } else {
      unused += (unused.empty() ? "" : ", ") + key;
    }
  }
  if (!unused.empty()) topology.remarks.push_back(fmt::format("{}: not used: {}", path, unused));
}

}  // namespace replay
