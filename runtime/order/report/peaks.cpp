// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/report/peaks.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/order/report/report.h"

namespace order {

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string held_by_graphs(std::vector<GraphsAt> graphs) {
  std::stable_sort(graphs.begin(), graphs.end(),
                   [](const GraphsAt& a, const GraphsAt& b) { return a.streams > b.streams; });
  std::uint64_t count = 0, streams = 0;
  std::string places;
  for (const GraphsAt& row : graphs) {
    count += row.graphs;
    streams += row.streams;
    if (row.place.empty()) continue;
    if (!places.empty()) places += ", ";
    places +=
        graphs.size() == 1 ? row.place : fmt::format("{} of {}", grouped(row.graphs), row.place);
  }
  if (streams == 0) return {};
  std::string text = fmt::format("{} of them held by {} captured graph{}", grouped(streams),
                                 grouped(count), count == 1 ? "" : "s");
  if (!places.empty()) text += fmt::format(" ({})", places);
  return text;
}

namespace {

std::string part(const Peak& peak, const char* noun) {
  return fmt::format("{} of {} {}", grouped(peak.most), grouped(peak.limit), noun);
}

bool is_near(const Peak& peak) { return peak.limit != 0 && peak.most >= peak.limit / 10 * 9; }

}  // namespace

std::string to_text(const DevicePeaks& peaks) {
  std::string text = part(peaks.streams, "streams");
  if (const std::string held = held_by_graphs(peaks.graphs); !held.empty()) text += ", " + held;
  text += "; " + part(peaks.events, "events") + "; " + part(peaks.notifies, "notifies");
  return text + fmt::format("; {} of {} of memory", size_text(peaks.bytes.most),
                            size_text(peaks.bytes.limit));
}

bool is_near_limit(const DevicePeaks& peaks) {
  return is_near(peaks.streams) || is_near(peaks.events) || is_near(peaks.notifies) ||
         is_near(peaks.bytes);
}

std::string name_of_fact(const DevicePeaks& peaks) {
  return fmt::format("peak of device {}", peaks.device);
}

}  // namespace order
