// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/run/timeline_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "device_sim/base/files.h"

namespace aclsim {
namespace {

using Json = nlohmann::json;

struct Slice {
  std::int64_t process = 0;
  std::int64_t track = 0;
  double start = 0, length = 0;  // us
};

/// Tasks by stream and number in it.
using Slices = std::map<std::pair<std::uint64_t, std::uint64_t>, Slice>;

Slices slices_of(const std::string& text) {
  Slices slices;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(R"("cat":"device")") == std::string::npos)
      continue;  // a name cannot hold these quotes
    if (line.back() == ',') line.pop_back();
    const Json event = Json::parse(line, nullptr, false);
    if (event.is_discarded() || !event.contains("args")) continue;
    const std::uint64_t task = event["args"].value("Task Id", std::uint64_t{0});
    const Slice slice{event.value("pid", std::int64_t{0}), event.value("tid", std::int64_t{0}),
                      event.value("ts", 0.0), event.value("dur", 0.0)};
    slices.insert_or_assign({event.value("tid", std::uint64_t{0}), task}, slice);
  }
  return slices;
}

const Slice* find(const Slices& slices, const order::PlacedOp& op) {
  if (!op.stream || op.number == 0) return nullptr;
  const auto at = slices.find({*op.stream, op.number});
  return at == slices.end() ? nullptr : &at->second;
}

constexpr int kTrack = 999'999;  // of findings, on the device of the later access

std::string marks_of(const order::PlacedFinding& finding, const Slice& first, const Slice& second,
                     std::size_t number) {
  const std::string name =
      Json(fmt::format("{} {}", order::info(finding.rule).id, order::title(finding))).dump();
  const std::string text = Json(order::message(order::from_here(finding))).dump();
  const double begin = std::min(first.start, second.start);
  const double end = std::max(first.start + first.length, second.start + second.length);
  const auto flow = [&](const char* phase, const Slice& at, const char* more) {
    return fmt::format(
        ",\n{{\"ph\":\"{}\",\"cat\":\"finding\",\"name\":{},\"id\":\"finding{}\",\"pid\":{},"
        "\"tid\":{},"
        "\"ts\":{:.3f},\"cname\":\"terrible\"{}}}",
        phase, name, number, at.process, at.track, at.start + at.length / 2, more);
  };
  return fmt::format(
             ",\n{{\"ph\":\"X\",\"cat\":\"finding\",\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{:.3f}"
             ","
             "\"dur\":{:.3f},\"cname\":\"terrible\",\"args\":{{\"finding\":{}}}}}",
             name, second.process, kTrack, begin, end - begin, text) +
         flow("s", first, "") + flow("f", second, ",\"bp\":\"e\"");
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
  for (const order::PlacedFinding& finding : report.findings) {
    if (!finding.other || finding.level == order::Level::note) continue;
    const Slice* const first = find(slices, *finding.other);
    const Slice* const second = find(slices, finding.op_info);
    if (!first || !second) continue;
    if (placed == 0) {
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
