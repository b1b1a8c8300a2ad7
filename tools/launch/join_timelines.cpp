// SPDX-License-Identifier: Apache-2.0
#include "tools/launch/join_timelines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>

#include "device_sim/base/files.h"

namespace launch {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = std::size_t{4000} << 20;

struct Events {
  int rank;
  std::vector<Json> all;
  std::optional<std::int64_t> base_ns;  // nullopt: its times do not count from the machine's clock
};

/// The file has one event on each line, between brackets.
Events read_events(const RankTimeline& timeline) {
  Events events{timeline.rank, {}, {}};
  const std::string text = sim::read_file(timeline.path, kMostBytes);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line(text.data() + at, end - at);
    at = end + 1;
    if (line.ends_with(',')) line.remove_suffix(1);
    if (!line.starts_with('{')) continue;
    Json event = Json::parse(line, nullptr, false);
    if (event.is_discarded()) {
      throw std::runtime_error(fmt::format("{}: '{}' is no event", timeline.path, line));
    }
    if (event.value("name", "") == "base_time") {
      events.base_ns = std::stoll(event["args"].value("ns", "0"));
    } else {
      events.all.push_back(std::move(event));
    }
  }
  return events;
}

/// Assigns numbers of processes, and of the arrows between them, that are unique among all ranks.
class Numbers {
 public:
  std::uint64_t of(int rank, std::uint64_t number) {
    const auto known = given_.find({rank, number});
    if (known != given_.end()) return known->second;
    std::uint64_t mine = number;
    while (taken_.count(mine) != 0) ++mine;
    taken_.emplace(mine, rank);
    return given_[{rank, number}] = mine;
  }

 private:
  std::map<std::pair<int, std::uint64_t>, std::uint64_t> given_;
  std::map<std::uint64_t, int> taken_;
};

/// Removes the devices that the rank has not used: they have a name and no events.
void forget_unused_lanes(std::vector<Json>& events) {
  std::set<std::uint64_t> used;
  const auto process = [](const Json& event) { return event.value("pid", std::uint64_t{0}); };
  for (const Json& event : events) {
    if (event.value("ph", "") != "M") used.insert(process(event));
  }
  std::erase_if(events, [&](const Json& event) { return used.count(process(event)) == 0; });
}

void adapt(Json& event, int rank, double shift_us, Numbers& processes, Numbers& arrows) {
  if (event.contains("pid")) event["pid"] = processes.of(rank, event["pid"].get<std::uint64_t>());
  if (event.contains("id") && event["id"].is_number_unsigned()) {
    event["id"] = arrows.of(rank, event["id"].get<std::uint64_t>());
  }
  if (event.contains("ts")) event["ts"] = event["ts"].get<double>() + shift_us;
  if (event.value("name", "") == "process_name") {
    event["args"]["name"] = fmt::format("rank {}: {}", rank, event["args"].value("name", ""));
  }
  if (event.value("name", "") == "process_sort_index") {
    event["args"]["sort_index"] = rank * 1000 + event["args"].value("sort_index", 0);
  }
}

}  // namespace

void join_timelines(const std::vector<RankTimeline>& timelines, const std::string& to) {
  std::vector<Events> ranks;
  for (const RankTimeline& one : timelines) ranks.push_back(read_events(one));
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const Events& one : ranks) first = std::min(first, one.base_ns.value_or(first));
  Numbers processes, arrows;
  std::string text = "[";
  for (Events& one : ranks) {
    forget_unused_lanes(one.all);
    const double shift = one.base_ns ? static_cast<double>(*one.base_ns - first) / 1000 : 0;
    for (Json& event : one.all) {
      adapt(event, one.rank, shift, processes, arrows);
      text += text.size() == 1 ? "\n" : ",\n";
      text += event.dump();
    }
  }
  text += "\n]\n";
  if (const int error = sim::write_file(to, text); error != 0) {
    throw std::runtime_error(
        fmt::format("'{}' cannot be written ({})", to, sim::output_error(error)));
  }
}

}  // namespace launch
