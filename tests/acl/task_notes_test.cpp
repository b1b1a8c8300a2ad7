// SPDX-License-Identifier: Apache-2.0
// The last task of a thread, and the notes that a program may attach to it.
#include "tests/acl/world.h"
#include "tests/support/child.h"

using namespace world;
using catch_compat::ContainsSubstring;

namespace {

std::uint32_t last_task() {
  std::uint32_t id = 99;
  REQUIRE_ACL(aclrtGetThreadLastTaskId(&id));
  return id;
}

}  // namespace

TEST_CASE("the last task of a thread is the one that kernels and callbacks name") {
  const Device device;
  const Stream stream;
  static std::atomic<std::uint32_t> told{0};
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(
      [](aclrtExceptionInfo* info) { told = aclrtGetTaskIdFromExceptionInfo(info); }));
  launch(stream, [] {});
  const std::uint32_t first = last_task();
  launch(stream, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });
  const std::uint32_t failing = last_task();
  CHECK(failing != first);
  launch(stream, [] {});
  CHECK(last_task() != failing);
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK(told == failing);
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(nullptr));
}

TEST_CASE("every thread has a last task of its own, none at first") {
  const Device device;
  launch(nullptr, [] {});
  const std::uint32_t mine = last_task();
  CHECK(mine != 0);
  CHECK(in_thread([] {
          std::uint32_t id = 99;
          aclrtGetThreadLastTaskId(&id);
          return id;
        }) == 0);
  CHECK(last_task() == mine);
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(last_task() == mine);
  CHECK_CODE(aclrtGetThreadLastTaskId(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a note needs a task and something to say") {
  CHECK(in_thread([] { return aclrtCacheLastTaskOpInfo("x", 1); }) == ACL_ERROR_RT_PARAM_INVALID);
  CHECK(in_thread([] { return aclrtCacheLastTaskExtendInfo("x", 1); }) ==
        ACL_ERROR_RT_PARAM_INVALID);
  const Device device;
  launch(nullptr, [] {});
  REQUIRE_ACL(aclrtCacheLastTaskOpInfo("x", 1));
  REQUIRE_ACL(aclrtCacheLastTaskExtendInfo("x", 1));
  CHECK_CODE(aclrtCacheLastTaskOpInfo(nullptr, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCacheLastTaskOpInfo("x", 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCacheLastTaskExtendInfo(nullptr, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCacheLastTaskExtendInfo("x", 0), ACL_ERROR_INVALID_PARAM);
}

CHILD_PROGRAM(fail_tasks_with_notes) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  const auto fail_with_note = [](const char* text) {
    aclrtStream gate_stream = nullptr;
    aclrtCreateStream(&gate_stream);
    aclrtEvent event = nullptr;
    aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC);
    // The task waits until its note is attached: it may be faster than its note.
    aclrtStreamWaitEvent(nullptr, event);
    try_launch(nullptr, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });
    const aclError noted = aclrtCacheLastTaskExtendInfo(text, std::strlen(text));
    const aclError info = aclrtCacheLastTaskOpInfo("12345", 5);
    aclrtRecordEvent(event, gate_stream);
    aclrtSynchronizeStream(nullptr);
    aclrtDestroyEvent(event);
    aclrtDestroyStream(gate_stream);
    return noted == ACL_SUCCESS ? info : noted;
  };
  CHILD_EXPECT_CODE(fail_with_note("not kept"), ACL_SUCCESS);
  aclrtStreamAttrValue on{};
  on.cacheOpInfoSwitch = 1;
  CHILD_EXPECT_CODE(aclrtSetStreamAttribute(nullptr, ACL_STREAM_ATTR_CACHE_OP_INFO, &on),
                    ACL_SUCCESS);
  CHILD_EXPECT_CODE(fail_with_note("MatMul of layer 3"), ACL_SUCCESS);
  return 0;
}

TEST_CASE("the log says what was noted on a task that fails, where the stream keeps notes") {
  const auto child =
      support::run_child("fail_tasks_with_notes", {{"ASCEND_SLOG_PRINT_TO_STDOUT", "1"}});
  INFO(child.output);
  CHECK(child.clean());
  CHECK_THAT(child.output, ContainsSubstring("MatMul of layer 3"));
  CHECK_THAT(child.output, ContainsSubstring("5 bytes"));
  CHECK_THAT(child.output, !ContainsSubstring("not kept"));
}
