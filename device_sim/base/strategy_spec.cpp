// SPDX-License-Identifier: Apache-2.0
// Strategies as text: what configurations and command lines hold.
#include <charconv>
#include <stdexcept>
#include <system_error>

#include "device_sim/base/files.h"
#include "device_sim/base/nearest_word.h"
#include "device_sim/base/strategy_spec.h"

namespace sim {
namespace {

constexpr std::uint64_t kMostDepth = 64;
constexpr std::uint64_t kMostSpecSteps = 1'000'000'000;
constexpr std::uint64_t kDefaultSteps = 1'000;

[[noreturn]] void refuse(const std::string& suggestion = {}) {
  throw std::invalid_argument(
      "random, pct:DEPTH[:STEPS], round-robin[:STEPS], delays:COUNT[:STEPS], slow-copy, eager, "
      "lazy, replay:LIST or replay:@FILE, with DEPTH from 1 to 64, COUNT from 0 to 64 and STEPS "
      "from 1 to 1000000000" +
      suggestion);
}

[[noreturn]] void refuse_departures(const std::string& item) {
  throw std::invalid_argument(
      "departures as DECISION=STREAM or DECISION=host with commas between, the decisions counted "
      "from 1 and ascending; '" +
      item + "' is none");
}

bool read_number(const std::string& text, std::uint64_t& number) {
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && at == end;
}

std::uint64_t number(const std::string& text, std::uint64_t low, std::uint64_t high) {
  std::uint64_t value = 0;
  if (!read_number(text, value) || value < low || value > high) refuse();
  return value;
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string content_of(const std::string& path) {
  try {
    return read_file(path);
  } catch (const FileError& error) {
    throw std::invalid_argument("the path of a file with departures; '" + path +
                                "' cannot be read (" + error.what() + ")");
  }
}

Departure departure(const std::string& item) {
  Departure result;
  const auto equals = item.find('=');
  if (equals == std::string::npos) refuse_departures(item);
  const std::string actor = item.substr(equals + 1);
  const bool numbered = read_number(item.substr(0, equals), result.decision);
  const bool known =
      actor == "host" || (read_number(actor, result.actor) && result.actor <= UINT32_MAX);
  if (!numbered || !known || result.decision == 0) refuse_departures(item);
  return result;
}

struct Name {
  const char* text;
  StrategySpec::Kind kind;
};

constexpr Name kPlainNames[] = {{"random", StrategySpec::Kind::random},
                                {"slow-copy", StrategySpec::Kind::slow_copy},
                                {"eager", StrategySpec::Kind::eager},
                                {"lazy", StrategySpec::Kind::lazy}};

std::vector<std::string> strategy_names() {
  std::vector<std::string> names{"round-robin", "pct", "delays", "replay"};
  for (const Name& name : kPlainNames) names.emplace_back(name.text);
  return names;
}

}  // namespace

std::vector<Departure> parse_departures(const std::string& text) {
  std::vector<Departure> departures;
  std::string item;
  const auto end_item = [&] {
    if (item.empty()) return;
    const Departure next = departure(item);
    if (!departures.empty() && next.decision <= departures.back().decision) refuse_departures(item);
    departures.push_back(next);
    item.clear();
  };
  bool comment = false;
  for (const char c : text) {
    if (c == '#') comment = true;
    if (c == '\n') comment = false;
    if (c == '\n' || c == ',' || c == ' ' || comment) {
      end_item();
    } else {
      item += c;
    }
  }
  end_item();
  return departures;
}

StrategySpec parse_strategy(const std::string& text) {
  using Kind = StrategySpec::Kind;
  StrategySpec spec;
  if (text.rfind("replay:", 0) == 0) {
    const std::string list = text.substr(7);
    spec.kind = Kind::replay;
    spec.departures = parse_departures(list.rfind('@', 0) == 0 ? content_of(list.substr(1)) : list);
    return spec;
  }
  const std::vector<std::string> parts = parts_of(text);
  for (const Name& name : kPlainNames) {
    if (text != name.text) continue;
    spec.kind = name.kind;
    return spec;
  }
  if (parts[0] == "round-robin" && parts.size() <= 2) {
    spec.kind = Kind::round_robin;
    if (parts.size() == 2) spec.steps = number(parts[1], 1, kMostSpecSteps);
    return spec;
  }
  if (parts[0] != "pct" && parts[0] != "delays") refuse(did_you_mean(parts[0], strategy_names()));
  if (parts.size() < 2 || parts.size() > 3) refuse();
  spec.kind = parts[0] == "pct" ? Kind::pct : Kind::delays;
  spec.depth = static_cast<std::uint32_t>(number(parts[1], parts[0] == "pct" ? 1 : 0, kMostDepth));
  spec.steps = parts.size() == 3 ? number(parts[2], 1, kMostSpecSteps) : kDefaultSteps;
  return spec;
}

}  // namespace sim
