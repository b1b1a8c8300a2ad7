// SPDX-License-Identifier: Apache-2.0
// How findings between a graph and the thread that launched it are worded.
#include "acl/acl.h"
#include "tests/support/catch.h"
#include "tests/support/child.h"

using catch_compat::ContainsSubstring;

CHILD_PROGRAM(sets_what_its_graph_writes) {
  void* memory = nullptr;
  aclrtStream stream = nullptr;
  aclmdlRI graph = nullptr;
  CHILD_EXPECT(aclrtSetDevice(0) == ACL_SUCCESS);
  CHILD_EXPECT(aclrtCreateStream(&stream) == ACL_SUCCESS);
  CHILD_EXPECT(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  CHILD_EXPECT(aclrtMemset(memory, 64, 0, 64) == ACL_SUCCESS);  // before the launch: no race
  CHILD_EXPECT(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL) == ACL_SUCCESS);
  CHILD_EXPECT(aclrtMemsetAsync(memory, 64, 1, 64, stream) == ACL_SUCCESS);
  CHILD_EXPECT(aclmdlRICaptureEnd(stream, &graph) == ACL_SUCCESS);
  CHILD_EXPECT(aclmdlRIExecuteAsync(graph, stream) == ACL_SUCCESS);
  CHILD_EXPECT(aclrtMemset(memory, 64, 2, 64) == ACL_SUCCESS);
  CHILD_EXPECT(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  CHILD_EXPECT(aclmdlRIDestroy(graph) == ACL_SUCCESS);
  return 0;
}

TEST_CASE("who overtakes a graph of its own is told to wait for it, whenever the graph runs") {
  const auto* const seed = GENERATE("", "1", "2", "3", "4");
  const auto result = support::run_child("sets_what_its_graph_writes",
                                         {{"ACLSIM_CHECK", "1"},
                                          {"ACLSIM_CHECK_QUIET", ""},
                                          {"ACLSIM_SEED", seed},
                                          {"ACLSIM_SCHEDULE", *seed ? "seeded" : ""}});
  INFO("seed " << seed);
  CHECK(result.clean());
  CHECK_THAT(
      result.output,
      ContainsSubstring("aclrtMemset writes 64 bytes of device memory that the fill in a graph"));
  CHECK_THAT(result.output,
             ContainsSubstring("does not synchronise with the stream that launches the graph"));
  CHECK_THAT(result.output, ContainsSubstring("fix: call aclrtSynchronizeStream for the stream"));
  CHECK_THAT(result.output, ContainsSubstring("1 error"));
}
