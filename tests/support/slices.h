// SPDX-License-Identifier: Apache-2.0
// The slices of a timeline file, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace support {

using LaneId = std::pair<long long, long long>;  // process, thread

struct Slice {
  std::string name;
  std::string category;
  LaneId lane;
  long long start;  // ns
  long long end;
  nlohmann::json args;

  bool contains(const Slice& other) const { return start < other.start && other.end <= end; }
};

/// All slices of a timeline, in the order of their starts.
inline std::vector<Slice> slices(const std::string& text) {
  const auto ns = [](const nlohmann::json& micros) {
    return std::llround(micros.get<double>() * 1000);
  };
  std::vector<Slice> found;
  for (const auto& event : nlohmann::json::parse(text)) {
    if (event.at("ph") != "X") continue;
    found.push_back({event.at("name"),
                     event.at("cat"),
                     {event.at("pid"), event.at("tid")},
                     ns(event.at("ts")),
                     ns(event.at("ts")) + ns(event.at("dur")),
                     event.value("args", nlohmann::json::object())});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Slice& a, const Slice& b) { return a.start < b.start; });
  return found;
}

inline std::vector<Slice> named(const std::vector<Slice>& all, const std::string& name) {
  std::vector<Slice> found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found),
               [&](const Slice& slice) { return slice.name == name; });
  return found;
}

/// The name of each lane.
inline std::map<LaneId, std::string> lane_names(const std::string& text) {
  std::map<LaneId, std::string> names;
  for (const auto& event : nlohmann::json::parse(text)) {
    if (event.at("name") == "thread_name") {
      names[{event.at("pid"), event.at("tid")}] = event.at("args").at("name");
    }
  }
  return names;
}

/// The first error that viewers would drop or draw wrongly: a phase that one of them does not know,
/// or two overlapping slices of a lane of which neither contains the other. Empty without errors.
inline std::string broken_rule(const std::string& text) {
  static const std::set<std::string> phases{"X", "M", "C", "s", "f"};
  for (const auto& event : nlohmann::json::parse(text)) {
    if (phases.count(event.at("ph")) == 0) return "phase: " + event.dump();
  }
  std::map<LaneId, std::vector<Slice>> open;
  for (const Slice& slice : slices(text)) {
    auto& stack = open[slice.lane];
    while (!stack.empty() && stack.back().end <= slice.start) stack.pop_back();
    if (!stack.empty() && slice.end > stack.back().end) {
      return slice.name + " crosses the end of " + stack.back().name;
    }
    stack.push_back(slice);
  }
  return {};
}

}  // namespace support
