// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/run/timeline_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "device_sim/base/files.h"

namespace aclsim {
namespace {

using EventJson = nlohmann::json;

struct Slice {
  std::int64_t process = 0;
  std::int64_t track = 0;
  double start = 0, length = 0;  // us
};

/// The slices of a timeline: tasks by stream and number within it, calls and memory accesses of
/// host threads by name and source location.
struct Slices {
  std::map<std::pair<std::uint64_t, std::uint64_t>, Slice> tasks;
  std::multimap<std::pair<std::string, std::string>, Slice> calls;
};

bool holds(const std::string& line, const char* part) {
  return line.find(part) != std::string::npos;
}

Slices slices_of(const std::string& text) {
  Slices slices;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    // A name cannot hold these quotes.
    const bool task = holds(line, R"("cat":"device")");
    const bool call = holds(line, R"("cat":"host_api")") || holds(line, R"("cat":"mark")");
    if (!task && !(call && holds(line, R"("place":)"))) continue;
    if (line.back() == ',') line.pop_back();
    const EventJson event = EventJson::parse(line, nullptr, false);
    if (event.is_discarded() || !event.contains("args")) continue;
    const Slice slice{event.value("pid", std::int64_t{0}), event.value("tid", std::int64_t{0}),
                      event.value("ts", 0.0), event.value("dur", 0.0)};
    if (task) {
      const std::uint64_t number = event["args"].value("Task Id", std::uint64_t{0});
      slices.tasks.insert_or_assign({event.value("tid", std::uint64_t{0}), number}, slice);
    } else {
      slices.calls.emplace(std::pair(event.value("name", std::string()),
                                     event["args"].value("place", std::string())),
                           slice);
    }
  }
  return slices;
}

/// The slice of an operation; null if the timeline does not contain it. If a call was made several
/// times, the call nearest to `to` is returned.
const Slice* find(const Slices& slices, const order::PlacedOp& op, const Slice* to) {
  if (op.stream) {
    const auto at = slices.tasks.find({*op.stream, op.number});
    return at == slices.tasks.end() ? nullptr : &at->second;
  }
  const auto [first, last] = slices.calls.equal_range({op.what, order::position(op.place)});
  const Slice* nearest = nullptr;
  const auto distance = [&](const Slice& slice) { return std::abs(slice.start - to->start); };
  for (auto at = first; at != last; ++at) {
    if (!nearest || (to && distance(at->second) < distance(*nearest))) nearest = &at->second;
  }
  return nearest;
}

constexpr int kTrack = 999'999;  // the track of findings, on the device of the later access

std::string marks_of(const order::PlacedFinding& finding, const Slice& first, const Slice& second,
                     std::size_t number) {
  const std::string name =
      EventJson(fmt::format("{} {}", order::info(finding.rule).id, order::title(finding))).dump();
  const std::string text = EventJson(order::message(order::from_here(finding))).dump();
  const auto middle = [](const Slice& slice) { return slice.start + slice.length / 2; };
  // Viewers draw no arrow that goes back in time.
  const bool back = middle(second) < middle(first);
  const double begin = std::min(first.start, second.start);
  const double end = std::max(first.start + first.length, second.start + second.length);
  const auto flow = [&](const char* phase, const Slice& at, const char* more) {
    return fmt::format(
        ",\n{{\"ph\":\"{}\",\"cat\":\"finding\",\"name\":{},\"id\":\"finding{}\",\"pid\":{},"
        "\"tid\":{},"
        "\"ts\":{:.3f},\"cname\":\"terrible\"{}}}",
        phase, name, number, at.process, at.track, middle(at), more);
  };
  return fmt::format(
             ",\n{{\"ph\":\"X\",\"cat\":\"finding\",\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{:.3f}"
             ","
             "\"dur\":{:.3f},\"cname\":\"terrible\",\"args\":{{\"finding\":{}}}}}",
             name, second.process, kTrack, begin, end - begin, text) +
         flow("s", back ? second : first, "") + flow("f", back ? first : second, ",\"bp\":\"e\"");
}

}  // namespace

std::size_t mark_findings(const std::string& path, const order::Report& report) {
  std::string text;
  try {
    text = sim::read_file(path);
  } catch (const sim::FileError&) {
    return 0;
  }
  const std::size_t end = text.rfind(']');
  if (end == std::string::npos) return 0;
  const Slices slices = slices_of(text);
  std::string marks;
  std::size_t placed = 0;
  std::set<std::int64_t> named;
  for (const order::PlacedFinding& finding : report.findings) {
    if (!finding.other || finding.level == order::Level::note) continue;
    const Slice* first = find(slices, *finding.other, nullptr);
    const Slice* const second = find(slices, finding.op_info, first);
    if (!finding.other->stream) first = find(slices, *finding.other, second);
    if (!first || !second) continue;
    if (named.insert(second->process).second) {
      marks += fmt::format(
          ",\n{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":"
          "\"findings\"}}}}",
          second->process, kTrack);
    }
    marks += marks_of(finding, *first, *second, ++placed);
  }
  if (placed == 0) return 0;
  std::size_t last = text.find_last_not_of(" \n", end - 1) + 1;
  text = text.substr(0, last) + marks + "\n]\n";
  return sim::write_file(path, text) == 0 ? placed : 0;
}

}  // namespace aclsim
