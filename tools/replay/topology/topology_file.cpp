// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "device_sim/base/files.h"
#include "device_sim/base/link_description.h"
#include "device_sim/base/nearest_word.h"
#include "toml_mistake.h"
#include "tools/replay/topology/topology.h"

namespace replay {
namespace {

class Reader {
 public:
  explicit Reader(std::string where) : where_(std::move(where)) {}

  Topology read(const toml::table& file) {
    known(file, "",
          {"devices", "between", "collectives", "link", "host", "sync", "kernel", "port", "pair",
           "dimension", "machine", "limits", "run", "check", "fault"});
    if (const auto* machine = table(file, "machine")) {
      topology_.devices = devices(*machine, "machine.");
    }
    topology_.devices = devices(file, "");
    if (const auto* node = file.get("between")) {
      topology_.between = kind_of(*node, "between");
      topology_.set_by_file[static_cast<std::size_t>(topology_.between)] = true;
    }
    if (const auto* node = file.get("collectives")) topology_.collectives = algorithm(*node);
    if (const auto* links = table(file, "link")) read_links(*links);
    if (const auto* host = table(file, "host")) read_host(*host);
    if (const auto* sync = table(file, "sync")) read_sync(*sync);
    if (const auto* kernel = table(file, "kernel")) {
      known(*kernel, "kernel.", {"default_ns"});
      topology_.kernel_ns = whole(*kernel, "kernel.", "default_ns", topology_.kernel_ns);
    }
    if (const auto* port = table(file, "port")) {
      known(*port, "port.", {"out_bandwidth", "in_bandwidth"});
      topology_.port_out = speed(*port, "port.", "out_bandwidth", 0);
      topology_.port_in = speed(*port, "port.", "in_bandwidth", 0);
    }
    if (const auto* node = file.get("pair")) read_pairs(*node);
    if (const auto* node = file.get("dimension")) read_dimensions(*node);
    return topology_;
  }

 private:
  [[noreturn]] void refuse(const toml::node& at, const std::string& text) const {
    throw TopologyError(fmt::format("{}:{}: {}", where_, at.source().begin.line, text));
  }

  void known(const toml::table& in, const std::string& path,
             const std::vector<std::string>& keys) const {
    for (const auto& [key, node] : in) {
      if (std::find(keys.begin(), keys.end(), key.str()) != keys.end()) continue;
      refuse_old(path, key.str(), node);
      refuse(node, fmt::format("{}{}: no such key; expected one of: {}{}", path, key.str(),
                               fmt::join(keys, ", "), sim::did_you_mean(key.str(), keys)));
    }
  }

  /// Refuses a name of an earlier version with the one that replaces it.
  void refuse_old(const std::string& path, std::string_view key, const toml::node& node) const {
    static constexpr std::array<std::array<std::string_view, 2>, 4> kRenamed{{
        {"lat_ns", "latency_ns"},
        {"bw", "bandwidth"},
        {"out_bw", "out_bandwidth"},
        {"in_bw", "in_bandwidth"},
    }};
    for (const auto& [old, now] : kRenamed) {
      if (key != old) continue;
      const std::string place = path == "host." ? "link.host." : path;
      refuse(node, fmt::format("{}{}: has a new name; expected {}{}", path, key, place, now));
    }
  }

  std::uint32_t devices(const toml::table& in, const std::string& path) const {
    return static_cast<std::uint32_t>(whole(in, path, "devices", topology_.devices, 1, 1'000'000));
  }

  const toml::table* table(const toml::table& in, std::string_view key) const {
    const toml::node* const node = in.get(key);
    if (!node) return nullptr;
    if (!node->as_table()) refuse(*node, fmt::format("{}: expected a table [{}]", key, key));
    return node->as_table();
  }

  std::int64_t whole(const toml::table& in, const std::string& path, std::string_view key,
                     std::int64_t otherwise, std::int64_t low = 0,
                     std::int64_t high = std::int64_t{1} << 50) const {
    const toml::node* const node = in.get(key);
    if (!node) return otherwise;
    const auto* const value = node->as_integer();
    if (value && value->get() >= low && value->get() <= high) return value->get();
    refuse(*node, fmt::format("{}{}: expected a whole number from {} to {}", path, key, low, high));
  }

  double speed(const toml::table& in, const std::string& path, std::string_view key,
               double otherwise) const {
    const toml::node* const node = in.get(key);
    if (!node) return otherwise;
    const auto value = node->is_number() ? node->value<double>() : std::nullopt;
    if (value && *value >= 1 && *value <= 1e18) return *value;
    refuse(*node, fmt::format("{}{}: expected bytes per second, from 1 to 1e18", path, key));
  }

  LinkKind kind_of(const toml::node& node, std::string_view key) const {
    const auto text = node.value<std::string>();
    const auto kind = text ? link_kind(*text) : std::nullopt;
    if (kind && topology_bit(*kind) != 0) return *kind;
    refuse(node, fmt::format("{}: expected one of: \"HCCS\", \"PIX\", \"PIB\", \"PHB\", \"SYS\", "
                             "\"SIO\", \"HCCS_SW\"",
                             key));
  }

  static bool has_cost(const toml::table& in) {
    return in.get(sim::kLatencyKey) || in.get(sim::kBandwidthKey);
  }

  LinkCost cost(const toml::table& in, const std::string& path, const LinkCost& otherwise) const {
    sim::LinkCost link{static_cast<std::uint64_t>(otherwise.lat_ns), otherwise.bw};
    for (const std::string_view key : {sim::kLatencyKey, sim::kBandwidthKey}) {
      const toml::node* const node = in.get(key);
      if (!node) continue;
      try {
        sim::set_link_value(link, key, text_of(*node));
      } catch (const std::invalid_argument& wrong) {
        refuse(*node, fmt::format("{}{}: expected {}", path, key, wrong.what()));
      }
    }
    return {static_cast<Nanoseconds>(link.latency_ns), link.bytes_per_second};
  }

  /// The text of a number; empty for all other values.
  static std::string text_of(const toml::node& node) {
    if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
    if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
    return {};
  }

  void read_links(const toml::table& links) {
    for (const auto& [key, node] : links) {
      const auto kind = link_kind(key.str());
      if (!kind) {
        static const std::vector<std::string> kKinds(sim::kLinkNames.begin(),
                                                     sim::kLinkNames.end());
        refuse(node, fmt::format("link.{}: no such kind of link; expected one of: {}{}", key.str(),
                                 fmt::join(kKinds, ", "), sim::did_you_mean(key.str(), kKinds)));
      }
      const toml::table* const link = table(links, key.str());
      const std::string path = fmt::format("link.{}.", key.str());
      known(*link, path, {std::string(sim::kLatencyKey), std::string(sim::kBandwidthKey)});
      LinkCost& here = topology_.kinds[static_cast<std::size_t>(*kind)];
      here = cost(*link, path, here);
      topology_.set_by_file[static_cast<std::size_t>(*kind)] = true;
    }
  }

  void read_host(const toml::table& host) {
    known(host, "host.", {"launch_ns", "pageable_launch_ns"});
    topology_.launch_ns = whole(host, "host.", "launch_ns", topology_.launch_ns);
    topology_.pageable_launch_ns = whole(host, "host.", "pageable_launch_ns", topology_.launch_ns);
  }

  void read_sync(const toml::table& sync) {
    known(sync, "sync.", {"record_ns", "wake_ns", "notify_ns"});
    topology_.sync_set_by_file = true;
    topology_.record_ns = whole(sync, "sync.", "record_ns", topology_.record_ns);
    topology_.wake_ns = whole(sync, "sync.", "wake_ns", topology_.wake_ns);
    topology_.notify_ns = whole(sync, "sync.", "notify_ns", topology_.notify_ns);
  }

  Algorithm algorithm(const toml::node& node) const {
    const auto text = node.value<std::string>();
    if (const auto found = text ? algorithm_of(*text) : std::nullopt) return *found;
    refuse(node,
           "collectives: expected one of: \"auto\", \"ring\", \"direct\", "
           "\"halving-doubling\", \"tree\"");
  }

  void read_dimensions(const toml::node& node) {
    const toml::array* const rows = node.as_array();
    if (!rows) refuse(node, "dimension: expected tables [[dimension]]");
    std::uint64_t ranks = 1;
    for (const toml::node& row : *rows) {
      if (!row.as_table()) refuse(row, "dimension: expected a table [[dimension]]");
      topology_.dimensions.push_back(dimension(*row.as_table()));
      ranks *= topology_.dimensions.back().count;
      if (ranks > 1'000'000) refuse(row, "dimension: more than 1000000 ranks; expected fewer");
    }
    topology_.devices = static_cast<std::uint32_t>(ranks);
  }

  Dimension dimension(const toml::table& row) const {
    known(row, "dimension.", {"shape", "ranks", "latency_ns", "bandwidth", "collectives"});
    Dimension made;
    const auto shape = row["shape"].value<std::string>();
    if (shape == "ring")
      made.shape = Shape::ring;
    else if (shape == "full")
      made.shape = Shape::full;
    else if (shape == "switch")
      made.shape = Shape::switched;
    else
      refuse(row, "dimension.shape: expected \"ring\", \"full\" or \"switch\"");
    made.count = static_cast<std::uint32_t>(whole(row, "dimension.", "ranks", 0, 0, 1'000'000));
    if (made.count == 0) refuse(row, "dimension.ranks: expected a whole number from 1 to 1000000");
    made.link = cost(row, "dimension.", topology_.kinds[static_cast<std::size_t>(LinkKind::hccs)]);
    if (const auto* node = row.get("collectives")) made.algorithms.fill(algorithm(*node));
    return made;
  }

  void read_pairs(const toml::node& node) {
    const toml::array* const rows = node.as_array();
    if (!rows) refuse(node, "pair: expected tables [[pair]]");
    for (const toml::node& row : *rows) {
      const toml::table* const pair = row.as_table();
      if (!pair) refuse(row, "pair: expected a table [[pair]]");
      read_pair(*pair);
    }
  }

  void read_pair(const toml::table& row) {
    known(row, "pair.", {"a", "b", "topo", "latency_ns", "bandwidth"});
    const auto last = std::int64_t{topology_.devices} - 1;
    const auto a = static_cast<std::int32_t>(whole(row, "pair.", "a", -1, 0, last));
    const auto b = static_cast<std::int32_t>(whole(row, "pair.", "b", -1, 0, last));
    if (a < 0 || b < 0) refuse(row, "pair: lacks a or b; expected the numbers of two devices");
    if (a == b) refuse(row, fmt::format("pair: a and b are both {}; expected two devices", a));
    Pair pair;
    pair.kind = topology_.between;
    if (const auto* topo = row.get("topo")) pair.kind = kind_of(*topo, "pair.topo");
    if (has_cost(row)) {
      pair.cost = cost(row, "pair.", topology_.kinds[static_cast<std::size_t>(pair.kind)]);
    }
    if (!topology_.pairs.emplace(std::minmax(a, b), pair).second) {
      refuse(row, fmt::format("pair: {} and {} stand here twice; expected once", std::min(a, b),
                              std::max(a, b)));
    }
  }

  std::string where_;
  Topology topology_;
};

std::string number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string lines_of(const LinkCost& link) {
  return fmt::format("{} = {}\n{} = {}\n", sim::kLatencyKey, link.lat_ns, sim::kBandwidthKey,
                     number(link.bw));
}

}  // namespace

Topology parse_topology(std::string_view toml, const std::string& where) {
  try {
    return Reader(where).read(toml::parse(toml, where));
  } catch (const toml::parse_error& error) {
    throw TopologyError(toml_mistake::text(where, error));
  }
}

Topology read_topology(const std::string& path) {
  std::string text;
  try {
    text = sim::read_file(path);
  } catch (const sim::FileError& error) {
    throw TopologyError(
        fmt::format("{}: cannot be read ({}); expected a topology file", path, error.what()));
  }
  const bool network = path.ends_with(".yml") || path.ends_with(".yaml");
  return network ? parse_network(text, path) : parse_topology(text, path);
}

std::string to_toml(const Topology& topology) {
  std::string out = fmt::format(
      "# Times in ns, bandwidths in bytes per second and direction.\ndevices = {}\nbetween = "
      "\"{}\"\n\n",
      topology.devices, word(topology.between));
  if (topology.collectives != Algorithm::automatic) {
    out += fmt::format("collectives = \"{}\"\n\n", word(topology.collectives));
  }
  for (std::size_t k = 0; k < topology.kinds.size(); ++k) {
    out += fmt::format("[link.{}]\n{}", sim::kLinkNames[k], lines_of(topology.kinds[k]));
  }
  out += fmt::format(
      "\n[host]\nlaunch_ns = {}\npageable_launch_ns = {}\n\n[sync]\n"
      "record_ns = {}\nwake_ns = {}\nnotify_ns = {}\n\n[kernel]\ndefault_ns = {}\n",
      topology.launch_ns, topology.pageable_launch_ns, topology.record_ns, topology.wake_ns,
      topology.notify_ns, topology.kernel_ns);
  if (topology.port_out > 0 || topology.port_in > 0) out += "\n[port]\n";
  if (topology.port_out > 0) out += fmt::format("out_bandwidth = {}\n", number(topology.port_out));
  if (topology.port_in > 0) out += fmt::format("in_bandwidth = {}\n", number(topology.port_in));
  for (const auto& [ends, pair] : topology.pairs) {
    out += fmt::format("\n[[pair]]\na = {}\nb = {}\ntopo = \"{}\"\n", ends.first, ends.second,
                       word(pair.kind));
    if (pair.cost) out += lines_of(*pair.cost);
  }
  constexpr const char* kShapes[]{"ring", "full", "switch"};
  for (const Dimension& dimension : topology.dimensions) {
    out += fmt::format("\n[[dimension]]\nshape = \"{}\"\nranks = {}\n{}",
                       kShapes[static_cast<int>(dimension.shape)], dimension.count,
                       lines_of(dimension.link));
    const Algorithm first = dimension.algorithms[0];
    if (first != Algorithm::automatic) out += fmt::format("collectives = \"{}\"\n", word(first));
  }
  return out;
}

}  // namespace replay
