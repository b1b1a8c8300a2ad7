// SPDX-License-Identifier: Apache-2.0
// Faults on demand: tasks that fail late: kernels, copies, host functions.
#include "tests/acl/fault_world.h"

using namespace world;
using namespace faulttest;

// ---- kernels and other tasks --------------------------------------------------------------------

CHILD_PROGRAM(second_kernel_fails) {
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(aclrtSetExceptionInfoCallback(note_exception));
  std::atomic<int> first{0};
  std::atomic<int> second{0};
  std::atomic<int> third{0};
  CHILD_OK(launch_named("add_first", first));
  CHILD_OK(launch_named("add_second", second));
  CHILD_OK(launch_named("third", third));
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHILD_EXPECT(said("the kernel failed; injected by fault 1 (kernel,name=add_*,nth=2)"));
  CHILD_EXPECT(first == 1 && second == 0 && third == 1);
  CHILD_EXPECT(exceptions == 1 && exception_code == ACL_ERROR_RT_AICORE_EXCEPTION);
  CHILD_EXPECT(planned_fault_of(0).errorType == ACL_RT_ERROR_AICORE);
  CHILD_OK(aclrtSynchronizeStream(nullptr));
  return 0;
}

TEST_CASE("a kernel fails late, is told of, and those behind it run") {
  expect_clean(run_with("kernel,name=add_*,nth=2", "second_kernel_fails"),
               "fired once; matched 2 times");
}

CHILD_PROGRAM(stop_at_the_failure) {
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(aclrtSetStreamFailureMode(nullptr, ACL_STOP_ON_FAILURE));
  std::atomic<int> count{0};
  (void)launch_named("first", count);
  (void)launch_named("second", count);
  for (int i = 0; i < 2; ++i) {
    CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
    CHILD_EXPECT(said("injected by fault 1 ("));
  }
  CHILD_EXPECT(count == 0);
  return 0;
}

TEST_CASE("a stream that stops on failure stops at an injected one, with its context") {
  expect_clean(run_with("kernel,code=507035", "stop_at_the_failure"), "fired once");
}

CHILD_PROGRAM(any_task_fails) {
  CHILD_OK(aclrtSetDevice(0));
  const Buffers buffers;
  CHILD_OK(aclrtMemsetAsync(buffers.device, 64, 1, 64, nullptr));
  CHILD_OK(buffers.upload());
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_SYS_DMA);
  CHILD_OK(buffers.download_now());
  CHILD_EXPECT(buffers.host != nullptr && *static_cast<char*>(buffers.host) == 1);
  return 0;
}

TEST_CASE("a task of any kind fails with the code that is asked for") {
  expect_clean(run_with("task,op=copy,code=507013", "any_task_fails"), "fired once");
}

CHILD_PROGRAM(third_replay_fails) {
  CHILD_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHILD_OK(aclrtCreateStream(&stream));
  std::atomic<int> count{0};
  CHILD_OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  CHILD_OK(launch_named("replayed", count, stream));
  aclmdlRI model = nullptr;
  CHILD_OK(aclmdlRICaptureEnd(stream, &model));
  for (int run = 1; run <= 4; ++run) {
    CHILD_OK(aclmdlRIExecuteAsync(model, stream));
    const aclError code = aclrtSynchronizeStream(stream);
    CHILD_EXPECT((code != ACL_SUCCESS) == (run == 3));
  }
  CHILD_EXPECT(count == 3);
  return 0;
}

TEST_CASE("the tasks of a graph are struck at any of its runs") {
  expect_clean(run_with("kernel,name=replayed,nth=3", "third_replay_fails"),
               "fired once; matched 4 times");
}

// ---- host functions -----------------------------------------------------------------------------

CHILD_PROGRAM(a_report_thread_dies) {
  CHILD_OK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHILD_OK(aclrtCreateStream(&stream));
  std::atomic<std::uint64_t> id{0};
  std::atomic<aclError> last{ACL_SUCCESS};
  std::thread server([&] {
    id = this_thread_id();
    // Before the subscription it serves no stream either.
    while (aclrtProcessReport(10) == ACL_ERROR_RT_THREAD_SUBSCRIBE) {
    }
    while (last != ACL_ERROR_RT_THREAD_SUBSCRIBE) last = aclrtProcessReport(10'000);
  });
  CHILD_EXPECT(eventually([&] { return id != 0; }));
  CHILD_OK(aclrtSubscribeReport(id, stream));
  std::atomic<int> count{0};
  const auto callback = [](void* data) { ++*static_cast<std::atomic<int>*>(data); };
  for (int i = 0; i < 3; ++i) {
    CHILD_OK(aclrtLaunchCallback(callback, &count, ACL_CALLBACK_BLOCK, stream));
  }
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INTERNAL_ERROR);
  CHILD_EXPECT(said("the thread that runs host functions is gone; injected by fault 1 ("));
  CHILD_EXPECT(count == 1);
  // A callback that does not hold its stream fails as well.
  CHILD_OK(aclrtLaunchCallback(callback, &count, ACL_CALLBACK_NO_BLOCK, stream));
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INTERNAL_ERROR);
  CHILD_EXPECT(said("the thread that runs host functions is gone; injected by fault 1 ("));
  CHILD_EXPECT(count == 1);
  server.join();
  CHILD_OK(aclrtUnSubscribeReport(id, stream));
  ReportThread other;
  CHILD_OK(aclrtSubscribeReport(other.id(), stream));
  CHILD_OK(aclrtLaunchCallback(callback, &count, ACL_CALLBACK_BLOCK, stream));
  CHILD_OK(aclrtSynchronizeStream(stream));
  CHILD_EXPECT(count == 2);
  other.stop();
  return 0;
}

TEST_CASE("when a report thread is gone its callbacks fail, until another one is subscribed") {
  expect_clean(run_with("callback-dies,nth=2", "a_report_thread_dies"), "fired once");
}

CHILD_PROGRAM(the_runtimes_thread_dies) {
  CHILD_OK(aclrtSetDevice(0));
  std::atomic<int> count{0};
  const auto function = [](void* data) { ++*static_cast<std::atomic<int>*>(data); };
  for (const int code : {ACL_SUCCESS, ACL_ERROR_RT_INTERNAL_ERROR, ACL_ERROR_RT_INTERNAL_ERROR}) {
    CHILD_OK(aclrtLaunchHostFunc(nullptr, function, &count));
    CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), code);
    // The call that the fault struck and all later calls report it.
    if (code != ACL_SUCCESS) CHILD_EXPECT(said("host functions is gone; injected by fault 1 ("));
  }
  CHILD_EXPECT(count == 1);
  CHILD_OK(aclrtResetDevice(0));
  CHILD_OK(aclrtSetDevice(0));
  CHILD_OK(aclrtLaunchHostFunc(nullptr, function, &count));
  CHILD_OK(aclrtSynchronizeStream(nullptr));
  CHILD_EXPECT(count == 2);
  return 0;
}

TEST_CASE(
    "when the runtime's thread for host functions is gone they fail up to the context's end") {
  expect_clean(run_with("callback-dies,nth=2", "the_runtimes_thread_dies"), "fired once");
}
