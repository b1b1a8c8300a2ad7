// SPDX-License-Identifier: Apache-2.0
// Planes of a collective, which wait for each other although the file does not record the waits.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tools/trace/read_trace.h"

namespace {

struct PlanePart {
  int plane;
  const char* name;
  std::int64_t start, end;  // ns
  int notify;               // -1: none
};

std::string planes_timeline(const std::vector<PlanePart>& parts) {
  const auto time = [](std::int64_t ns) {
    return fmt::format("{}.{:03}", 1'000'000 + ns / 1000, ns % 1000);
  };
  std::string text =
      R"([{"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"Ascend Hardware"}})";
  int context = 0;
  for (const PlanePart& part : parts) {
    const bool waits = part.notify >= 0;
    text += fmt::format(
        R"(,{{"name":"{0}","pid":{1},"tid":4,"ts":"{2}","dur":{3},"ph":"X","args":{{"Task Type":"{0}",)"
        R"("Physic Stream Id":4,"Task Id":1,"Subtask Id":{4}}}}})",
        waits ? "Notify Wait" : "SDMA", (1 << 10) | (13 << 5), time(part.start),
        (part.end - part.start) / 1000.0, context);
    text += fmt::format(
        R"J(,{{"name":"{0}","pid":{1},"tid":{2},"ts":"{3}","dur":{4},"ph":"X","args":{{"notify_id":"{5}",)J"
        R"J("stream id":4,"task id":1,"context id":{6},"task type":"{0}","src rank":0,"dst rank":1,)J"
        R"J("size(Byte)":64}}}})J",
        part.name, (1 << 10) | (15 << 5), part.plane + 1, time(part.start),
        (part.end - part.start) / 1000.0,
        waits ? std::to_string(part.notify) : "18446744073709551615", context++);
  }
  return text + "]";
}

/// The names of the ops that an op depends on besides its track.
std::vector<std::string> followed(const trace::Trace& it, trace::OpIndex op) {
  std::vector<std::string> names;
  for (const trace::Edge& edge : it.deps(op)) names.push_back(it.name(edge.from));
  return names;
}

}  // namespace

TEST_CASE("a part that stood still and began when one of another plane ended followed that",
          "[import]") {
  // Plane 1 goes on 75 us after its own wait: when the wait of plane 2 for the last rank is over.
  const std::string text = planes_timeline({{1, "Notify_Wait", 100'000, 105'000, 7},
                                            {2, "Notify_Wait", 100'000, 180'000, 8},
                                            {1, "Reduce_Inline", 180'200, 182'000, -1},
                                            {2, "Memcpy", 180'200, 182'000, -1},
                                            {1, "Memcpy", 182'100, 183'000, -1}});
  const trace::Trace it = trace::read_trace_bytes("trace_view.json", text);
  int looked_at = 0;
  for (trace::OpIndex op = 0; op < it.size(); ++op) {
    const std::vector<std::string> names = followed(it, op);
    if (it.name(op) == "Reduce_Inline") {
      REQUIRE(names.size() == 1);
      const trace::OpIndex from = it.deps(op)[0].from;
      CHECK(it.name(from) == "Notify_Wait");
      CHECK(it.duration(from) == 80'000);
      CHECK(it.deps(op)[0].how == trace::Provenance::time);
      ++looked_at;
    }
    if (it.name(op) == "Memcpy") {  // directly after the op before it on its plane
      CHECK(names.empty());
      ++looked_at;
    }
  }
  CHECK(looked_at == 3);
}
