// SPDX-License-Identifier: Apache-2.0
#include "tools/check/peaks.h"

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>

namespace check {
namespace {

using nlohmann::json;

std::uint64_t number(const json& value) {
  return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
}

std::uint64_t number(const json& object, const char* key) {
  const auto at = object.find(key);
  return at == object.end() ? 0 : number(*at);
}

order::Peak peak(const json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_array() || at->size() != 2) return {};
  return {number((*at)[0]), number((*at)[1])};
}

order::DevicePeaks read(const json& object) {
  order::DevicePeaks made;
  made.streams = peak(object, "streams");
  made.events = peak(object, "events");
  made.notifies = peak(object, "notifies");
  made.bytes = peak(object, "bytes");
  const auto graphs = object.find("graphs");
  if (graphs == object.end() || !graphs->is_array()) return made;
  for (const json& row : *graphs) {
    if (!row.is_object()) continue;
    const auto at = row.find("at");
    const bool known = at != row.end() && at->is_string();
    made.graphs.push_back({known ? at->get<std::string>() : std::string(), number(row, "graphs"),
                           number(row, "streams")});
  }
  return made;
}

}  // namespace

std::vector<RecordedPeaks> peaks_of(const trace::Trace& trace) {
  std::vector<RecordedPeaks> all;
  for (const trace::Peaks& row : trace.peaks()) {
    const json object = json::parse(row.json, nullptr, false);
    if (!object.is_object()) continue;
    const trace::Device& device = trace.devices()[row.device];
    RecordedPeaks& made = all.emplace_back();
    made.peaks = read(object);
    made.peaks.device = device.id;
    made.name = order::name_of_fact(made.peaks);
    if (trace.ranks().size() > 1) {
      made.name += fmt::format(" of rank {}", trace.ranks()[device.rank].id);
    }
  }
  return all;
}

}  // namespace check
