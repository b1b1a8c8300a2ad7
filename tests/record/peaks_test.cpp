// SPDX-License-Identifier: Apache-2.0
// The most streams, events, notifies and bytes that a device had, and the graphs that held streams.
#include <string>
#include <vector>

#include "tests/record/recorded.h"

using namespace recorded;
using catch_compat::ContainsSubstring;

namespace {

constexpr std::size_t kPeakBytes = 4096;
int captured_at = 0;  // the line

/// Captures a graph of one branch, and keeps it.
void capture(aclrtStream stream, void* memory) {
  // clang-format off
  captured_at = __LINE__; EXPECT_ACL(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  // clang-format on
  EXPECT_ACL(aclrtMemsetAsync(memory, kPeakBytes, 1, kPeakBytes, stream));
  aclmdlRI model = nullptr;
  EXPECT_ACL(aclmdlRICaptureEnd(stream, &model));
}

}  // namespace

CHILD_PROGRAM(exhausts_streams_by_graphs) {
  EXPECT_ACL(aclInit(nullptr));
  EXPECT_ACL(aclrtSetDevice(0));
  aclrtStream stream = nullptr, one = nullptr, another = nullptr;
  EXPECT_ACL(aclrtCreateStream(&stream));
  void* memory = nullptr;
  EXPECT_ACL(aclrtMalloc(&memory, kPeakBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  for (int i = 0; i < 3; ++i) capture(stream, memory);
  EXPECT_ACL(aclrtCreateStream(&one));
  CHILD_EXPECT_CODE(aclrtCreateStream(&another), ACL_ERROR_RT_NO_STREAM_RESOURCE);
  std::printf("line %d: %s\n", captured_at, aclGetRecentErrMsg());
  EXPECT_ACL(aclrtDestroyStream(one));
  EXPECT_ACL(aclrtFree(memory));
  return 0;
}

CHILD_PROGRAM(uses_three_streams_and_two_events) {
  EXPECT_ACL(aclInit(nullptr));
  EXPECT_ACL(aclrtSetDevice(1));
  aclrtStream streams[2] = {};
  for (int round = 0; round < 2; ++round) {  // the second round needs no more than the first
    for (aclrtStream& stream : streams) EXPECT_ACL(aclrtCreateStream(&stream));
    for (aclrtStream stream : streams) EXPECT_ACL(aclrtDestroyStream(stream));
  }
  aclrtEvent events[2] = {};
  for (aclrtEvent& event : events) {
    EXPECT_ACL(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  }
  for (aclrtEvent event : events) EXPECT_ACL(aclrtDestroyEvent(event));
  aclrtNotify notify = nullptr;
  EXPECT_ACL(aclrtCreateNotify(&notify, 0));
  EXPECT_ACL(aclrtDestroyNotify(notify));
  void* memory = nullptr;
  EXPECT_ACL(aclrtMalloc(&memory, kPeakBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT_ACL(aclrtFree(memory));
  EXPECT_ACL(aclrtResetDevice(1));
  EXPECT_ACL(aclFinalize());
  return 0;
}

TEST_CASE("the text of an exhausted limit and the recording name the graphs that hold streams") {
  const support::TempDir dir;
  const std::string file = dir.write("machine.toml", "[limits]\nstreams = 6\n");
  const Run run("exhausts_streams_by_graphs", {{"ACLSIM_CONFIG", file}});
  INFO(run.child.output << run.text);
  REQUIRE(run.child.clean());
  const std::string line = std::to_string(std::stoi(run.child.output.substr(5)));
  CHECK_THAT(run.child.output,
             ContainsSubstring("device 0 has 6 streams, 3 of them held by 3 captured graphs ("));
  CHECK_THAT(run.child.output, ContainsSubstring("; its limit is 6"));
  const std::string place = "peaks_test.cpp:" + line;
  const bool lines = run.text.find(place) != std::string::npos;  // with libdw
  if (lines) CHECK_THAT(run.child.output, ContainsSubstring("(" + place + ")"));
  CHECK_THAT(run.text,
             ContainsSubstring(R"({"def":"peaks","id":0,"opt":true,"args":{"streams":[6,6])"));
  CHECK_THAT(run.text, ContainsSubstring(R"("graphs":3,"streams":3}])"));
}

TEST_CASE("a peak is the most at a time, and objects that were used again count once") {
  const Run run("uses_three_streams_and_two_events");
  INFO(run.child.output << run.text);
  REQUIRE(run.child.clean());
  CHECK_THAT(run.text,
             ContainsSubstring(
                 R"({"def":"peaks","id":1,"opt":true,"args":{"streams":[3,1984],"events":[2,)"));
  CHECK_THAT(run.text, ContainsSubstring(R"("notifies":[1,)"));
  CHECK(run.text.find(R"("def":"peaks","id":0)") == std::string::npos);
}
