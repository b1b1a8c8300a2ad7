// SPDX-License-Identifier: Apache-2.0
// Multicast objects in the order checker, the timeline and recordings.
#include <string>

#include "tests/cuda/world.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace cudatest;
using catch_compat::ContainsSubstring;

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

/// A broadcast in one stream, and a copy out of the replica of device 1 in another one.
int broadcast_and_read(bool wait) {
  plain_program = true;
  const World world;
  const Team team(3);
  CUdeviceptr result = 0;
  OK(cuMemAlloc(&result, 64));
  CUstream one = nullptr;
  CUstream two = nullptr;
  CUevent done = nullptr;
  OK(cuStreamCreate(&one, CU_STREAM_NON_BLOCKING));
  OK(cuStreamCreate(&two, CU_STREAM_NON_BLOCKING));
  OK(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
  OK(cuMemsetD8Async(*team.address, 7, 4096, one));
  OK(cuEventRecord(done, one));
  if (wait) OK(cuStreamWaitEvent(two, done, 0));
  OK(cuMemcpyDtoDAsync(result, *team.replica[1] + 1000, 64, two));
  OK(cuStreamSynchronize(one));
  OK(cuStreamSynchronize(two));
  OK(cuStreamDestroy(one));
  OK(cuStreamDestroy(two));
  OK(cuEventDestroy(done));
  OK(cuMemFree(result));
  return 0;
}

}  // namespace

CHILD_PROGRAM(reads_a_replica_too_early) { return broadcast_and_read(false); }
CHILD_PROGRAM(reads_a_replica_in_order) { return broadcast_and_read(true); }

TEST_CASE("To read one replica without waiting for the store is a data race") {
  const auto result =
      support::run_racing_child("reads_a_replica_too_early", {{"ACLSIM_CHECK", "1"}});
  CHECK_THAT(result.output, ContainsSubstring("data race") && ContainsSubstring("MULTICAST_FILL") &&
                                ContainsSubstring("CUDA_COPY on stream 4"));
}

TEST_CASE("A finding names the lines of the program and repairs it with calls of CUDA") {
  const auto result =
      support::run_racing_child("reads_a_replica_too_early", {{"ACLSIM_CHECK", "1"}});
  INFO(result.output);
  CHECK_THAT(result.output, ContainsSubstring("listeners_test.cpp:") &&
                                ContainsSubstring("fix: call cuEventRecord on stream") &&
                                ContainsSubstring("and cuStreamWaitEvent on stream") &&
                                !ContainsSubstring("aclrt") && !ContainsSubstring("unlike"));
}

TEST_CASE("The timeline and a recording name the calls that the program made, and no others") {
  const support::TempDir folder;
  const std::string timeline = (folder.path() / "timeline.json").string();
  const std::string recording = (folder.path() / "run.aclt").string();
  const auto result = support::run_child(
      "reads_a_replica_in_order", {{"ACLSIM_TIMELINE", timeline}, {"ACLSIM_RECORD", recording}});
  CHECK(result.clean());
  const std::string spans = folder.read("timeline.json");
  for (const char* name : {"cuMemAlloc_v2", "cuMemsetD8Async", "cuEventRecord", "cuMulticastCreate",
                           "cuStreamSynchronize", "cuStreamDestroy_v2", "cuMemFree_v2"}) {
    INFO(name);
    CHECK(count_of(spans, std::string("\"name\":\"") + name + '"') > 0);
  }
  CHECK(count_of(spans, "\"name\":\"cuMulticastCreate\"") == 1);
  CHECK(count_of(spans, "\"name\":\"acl") == 0);
  CHECK(count_of(folder.read("run.aclt"), "\"aclrt") == 0);
}

TEST_CASE("In order it is none") {
  const auto result = support::run_child("reads_a_replica_in_order", {{"ACLSIM_CHECK", "1"}});
  CHECK(result.clean());
  CHECK_THAT(result.output, !ContainsSubstring("data race"));
}

TEST_CASE("In the timeline and in a recording a store is one op, with a target for each replica") {
  const support::TempDir folder;
  const std::string timeline = (folder.path() / "timeline.json").string();
  const std::string recording = (folder.path() / "run.aclt").string();
  const auto result = support::run_child(
      "reads_a_replica_in_order", {{"ACLSIM_TIMELINE", timeline}, {"ACLSIM_RECORD", recording}});
  CHECK(result.clean());
  CHECK(count_of(folder.read("timeline.json"), "\"name\":\"MULTICAST_FILL\"") == 1);
  const std::string recorded = folder.read("run.aclt");
  CHECK(count_of(recorded, "MULTICAST_FILL") == 1);
  const std::string op = recorded.substr(recorded.find("MULTICAST_FILL"));
  const std::string line = op.substr(0, op.find('\n'));
  INFO(line);
  CHECK(count_of(line, ",0,4096]") == 3);
}
