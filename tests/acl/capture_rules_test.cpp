// SPDX-License-Identifier: Apache-2.0
// The calls that a capture refuses, and the calls of other threads that it forbids meanwhile.
#include <atomic>
#include <thread>

#include "tests/acl/graph.h"
#include "tests/support/child.h"
#include "tests/support/waiting.h"

using namespace world;

TEST_CASE("a capture cannot begin on null, the default stream, twice, or in an unknown mode",
          "[capture]") {
  const Device device;
  const Stream s;
  CHECK_CODE(aclmdlRICaptureBegin(nullptr, kGlobal), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclmdlRICaptureBegin(default_stream(), kGlobal), ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
  CHECK_CODE(aclmdlRICaptureBegin(s, static_cast<aclmdlRICaptureMode>(3)),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclmdlRICaptureBegin(reinterpret_cast<aclrtStream>(0xffff), kGlobal),
             ACL_ERROR_RT_INVALID_HANDLE);
  REQUIRE_ACL(aclmdlRICaptureBegin(s, kGlobal));
  CHECK_CODE(aclmdlRICaptureBegin(s, kGlobal), ACL_ERROR_RT_STREAM_CAPTURED);
  abandon(s);
}

TEST_CASE("what waits for a captured stream is refused", "[capture]") {
  const Device device;
  Stream s;
  REQUIRE_ACL(aclmdlRICaptureBegin(s, kRelaxed));
  aclrtStreamStatus status{};
  CHECK_CODE(aclrtSynchronizeStream(s), ACL_ERROR_RT_STREAM_CAPTURED);
  CHECK_CODE(aclrtSynchronizeStreamWithTimeout(s, 10), ACL_ERROR_RT_STREAM_CAPTURED);
  CHECK_CODE(aclrtStreamQuery(s, &status), ACL_ERROR_RT_STREAM_CAPTURED);
  CHECK_CODE(aclrtSynchronizeDevice(), ACL_ERROR_RT_STREAM_CAPTURED);
  CHECK_CODE(aclrtDestroyStream(s), ACL_ERROR_RT_STREAM_CAPTURED);
  abandon(s);
  REQUIRE_ACL(aclrtSynchronizeDevice());
}

TEST_CASE("an event that was recorded in a capture cannot be asked while that lasts", "[capture]") {
  const Device device;
  const Stream s;
  const Event e = Event::ex(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
  REQUIRE_ACL(aclmdlRICaptureBegin(s, kRelaxed));
  REQUIRE_ACL(aclrtRecordEvent(e, s));
  aclrtEventRecordedStatus status{};
  float ms = 0;
  std::uint64_t time = 0;
  CHECK_CODE(aclrtSynchronizeEvent(e), ACL_ERROR_RT_EVENT_CAPTURED);
  CHECK_CODE(aclrtQueryEventStatus(e, &status), ACL_ERROR_RT_EVENT_CAPTURED);
  CHECK_CODE(aclrtEventElapsedTime(&ms, e, e), ACL_ERROR_RT_EVENT_CAPTURED);
  CHECK_CODE(aclrtEventGetTimestamp(e, &time), ACL_ERROR_RT_EVENT_CAPTURED);
  abandon(s);
  CHECK_CODE(aclrtSynchronizeEvent(e), ACL_SUCCESS);
}

TEST_CASE("events of the old kind, and events from outside, do not get into a capture",
          "[capture]") {
  const Device device;
  const Stream s, outside;
  const Event plain, sync = Event::old(ACL_EVENT_SYNC), before = Event::ex(), never = Event::ex();
  REQUIRE_ACL(aclrtRecordEvent(plain, outside));
  REQUIRE_ACL(aclrtRecordEvent(before, outside));
  REQUIRE_ACL(aclmdlRICaptureBegin(s, kRelaxed));
  CHECK_CODE(aclrtRecordEvent(plain, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtStreamWaitEvent(s, plain), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtRecordEvent(sync, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtStreamWaitEvent(s, before), ACL_ERROR_RT_CAPTURE_DEPENDENCY);
  CHECK_CODE(aclrtStreamWaitEvent(s, never), ACL_SUCCESS);
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRICaptureEnd(s, &model));
  const Graph graph(model);
}

TEST_CASE("the default stream cannot be drawn into a capture", "[capture]") {
  const Device device;
  const Stream s;
  const Event e = Event::ex();
  REQUIRE_ACL(aclmdlRICaptureBegin(s, kRelaxed));
  REQUIRE_ACL(aclrtRecordEvent(e, s));
  CHECK_CODE(aclrtStreamWaitEvent(nullptr, e), ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
  abandon(s);
}

TEST_CASE("two captures that meet in an event both become invalid", "[capture]") {
  const Device device;
  const Stream a, b;
  const Event e = Event::ex();
  REQUIRE_ACL(aclmdlRICaptureBegin(a, kRelaxed));
  REQUIRE_ACL(aclmdlRICaptureBegin(b, kRelaxed));
  REQUIRE_ACL(aclrtRecordEvent(e, a));
  CHECK_CODE(aclrtStreamWaitEvent(b, e), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
  for (const aclrtStream s : {static_cast<aclrtStream>(a), static_cast<aclrtStream>(b)}) {
    aclmdlRICaptureStatus status{};
    REQUIRE_ACL(aclmdlRICaptureGetInfo(s, &status, nullptr));
    CHECK(status == ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED);
    auto model = reinterpret_cast<aclmdlRI>(1);
    CHECK_CODE(aclmdlRICaptureEnd(s, &model), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
    CHECK(model == nullptr);
    REQUIRE_ACL(aclrtSynchronizeStream(s));
  }
}

TEST_CASE("a stream that joined and does not lead back ends the capture with an error",
          "[capture]") {
  const Device device;
  const Stream a, b;
  const Event fork = Event::ex(), join = Event::ex();
  const int how = GENERATE(0, 1, 2);
  CAPTURE(how);
  REQUIRE_ACL(aclmdlRICaptureBegin(a, kRelaxed));
  REQUIRE_ACL(aclrtRecordEvent(fork, a));
  REQUIRE_ACL(aclrtStreamWaitEvent(b, fork));
  long sum = 0;
  if (how >= 1) REQUIRE_ACL(aclrtRecordEvent(join, b));
  if (how == 2) {
    REQUIRE_ACL(aclrtStreamWaitEvent(a, join));
    add(b, sum, 1);  // work behind the join
  }
  aclmdlRI model = nullptr;
  CHECK_CODE(aclmdlRICaptureEnd(a, &model), ACL_ERROR_RT_STREAM_UNJOINED);
  REQUIRE_ACL(aclrtSynchronizeStream(b));
}

TEST_CASE("a capture ends on its own stream, and in its own thread unless it is relaxed",
          "[capture]") {
  const Device device;
  const Stream a, b;
  const Event fork = Event::ex(), join = Event::ex();
  aclmdlRI model = nullptr;
  CHECK_CODE(aclmdlRICaptureEnd(a, &model), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  CHECK_CODE(aclmdlRICaptureEnd(a, nullptr), ACL_ERROR_INVALID_PARAM);

  REQUIRE_ACL(aclmdlRICaptureBegin(a, kRelaxed));
  REQUIRE_ACL(aclrtRecordEvent(fork, a));
  REQUIRE_ACL(aclrtStreamWaitEvent(b, fork));
  CHECK_CODE(aclmdlRICaptureEnd(b, &model), ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED);
  REQUIRE_ACL(aclrtRecordEvent(join, b));
  REQUIRE_ACL(aclrtStreamWaitEvent(a, join));
  const aclrtContext context = current_context();
  CHECK(in_thread([&] {
          aclrtSetCurrentContext(context);
          return aclmdlRICaptureEnd(a, &model);
        }) == ACL_SUCCESS);
  const Graph relaxed(model);

  REQUIRE_ACL(aclmdlRICaptureBegin(a, kThreadLocal));
  CHECK(in_thread([&] {
          aclrtSetCurrentContext(context);
          return aclmdlRICaptureEnd(a, &model);
        }) == ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD);
  CHECK(model == nullptr);
  REQUIRE_ACL(aclrtSynchronizeStream(a));  // the capture was dropped
}

TEST_CASE("calls that copy at once are refused as the mode of the capture says", "[capture]") {
  const Device device;
  const Stream s, other;
  const DeviceMemory memory(64);
  const HostMemory pinned(64);
  char pageable[64] = {};
  const auto calls = [&] {
    return std::vector<aclError>{
        aclrtMemcpy(memory, 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE),
        aclrtMemset(memory, 64, 0, 64),
        aclrtMemcpy2d(memory, 8, pageable, 8, 8, 8, ACL_MEMCPY_HOST_TO_DEVICE),
        aclrtMemcpyAsync(memory, 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE, other)};
  };
  const aclError no = ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT;
  const std::vector<aclError> refused{no, no, no, ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC};
  const std::vector<aclError> fine(4, ACL_SUCCESS);
  const aclrtContext context = current_context();
  const auto elsewhere = [&](aclmdlRICaptureMode own) {
    return in_thread([&] {
      aclrtSetCurrentContext(context);
      aclmdlRICaptureThreadExchangeMode(&own);
      return calls();
    });
  };
  for (const auto mode : {kGlobal, kThreadLocal, kRelaxed}) {
    CAPTURE(static_cast<int>(mode));
    REQUIRE_ACL(aclmdlRICaptureBegin(s, mode));
    CHECK(calls() == (mode == kRelaxed ? fine : refused));
    CHECK(elsewhere(kGlobal) == (mode == kGlobal ? refused : fine));
    CHECK(elsewhere(kThreadLocal) == fine);
    CHECK(elsewhere(kRelaxed) == fine);
    CHECK_CODE(aclrtMemcpyAsync(memory, 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE, s),
               ACL_ERROR_RT_PARAM_INVALID);
    CHECK_CODE(aclrtMemcpyAsync(memory, 64, pinned, 64, ACL_MEMCPY_HOST_TO_DEVICE, s), ACL_SUCCESS);
    aclmdlRI model = nullptr;
    REQUIRE_ACL(aclmdlRICaptureEnd(s, &model));
    const Graph graph(model);
    CHECK(calls() == fine);
  }
}

TEST_CASE("a capture in one context forbids nothing in another", "[capture]") {
  const Device device;
  const Stream s;
  REQUIRE_ACL(aclmdlRICaptureBegin(s, kGlobal));
  const aclrtContext first = current_context();
  {
    const Context second;
    const DeviceMemory memory(64);
    CHECK_CODE(aclrtMemset(memory, 64, 0, 64), ACL_SUCCESS);
    REQUIRE_ACL(aclrtSynchronizeDevice());
    REQUIRE_ACL(aclrtSetCurrentContext(first));
  }
  abandon(s);
}

TEST_CASE("the mode of a thread is exchanged, and wrong ones are refused", "[capture]") {
  const Device device;
  aclmdlRICaptureMode mode = kRelaxed;
  REQUIRE_ACL(aclmdlRICaptureThreadExchangeMode(&mode));
  CHECK(mode == kGlobal);
  REQUIRE_ACL(aclmdlRICaptureThreadExchangeMode(&mode));
  CHECK(mode == kRelaxed);
  CHECK_CODE(aclmdlRICaptureThreadExchangeMode(nullptr), ACL_ERROR_INVALID_PARAM);
  mode = static_cast<aclmdlRICaptureMode>(9);
  CHECK_CODE(aclmdlRICaptureThreadExchangeMode(&mode), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("the state of a capture can be asked, and its graph is not ready yet", "[capture]") {
  const Device device;
  const Stream s, other;
  aclmdlRICaptureStatus status{};
  aclmdlRI model = nullptr;
  CHECK_CODE(aclmdlRICaptureGetInfo(s, nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclmdlRICaptureGetInfo(s, &status, &model));
  CHECK(status == ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  CHECK(model == nullptr);
  REQUIRE_ACL(aclmdlRICaptureBegin(s, kGlobal));
  REQUIRE_ACL(aclmdlRICaptureGetInfo(s, &status, &model));
  CHECK(status == ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
  CHECK_CODE(aclmdlRIExecuteAsync(model, other), ACL_ERROR_RT_MODEL_CAPTURED);
  CHECK_CODE(aclmdlRIDestroy(model), ACL_ERROR_RT_MODEL_CAPTURED);
  aclmdlRI ended = nullptr;
  REQUIRE_ACL(aclmdlRICaptureEnd(s, &ended));
  const Graph graph(ended);
  CHECK(ended == model);
  REQUIRE_ACL(aclmdlRICaptureBegin(s, kGlobal));
  CHECK_CODE(aclmdlRIExecuteAsync(graph, s), ACL_ERROR_RT_STREAM_CAPTURED);
  abandon(s);
}

// ---- the first capture of a process ----

CHILD_PROGRAM(first_capture_beside_other_threads) {
  constexpr std::size_t kBytes = 64;
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  void* memory = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateStream(&stream), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  std::atomic<bool> over{false};
  std::atomic<int> calls{0};
  std::thread other([&] {
    aclrtSetDevice(0);
    while (!over) {
      aclrtMemset(memory, kBytes, 1, kBytes);  // the capture may forbid it
      ++calls;
    }
  });
  const auto made = [&](int more) {
    return [&calls, until = calls + more] { return calls > until; };
  };
  CHILD_EXPECT(support::eventually(made(10)));
  CHILD_EXPECT_CODE(aclmdlRICaptureBegin(stream, kRelaxed), ACL_SUCCESS);
  CHILD_EXPECT(support::eventually(made(10)));
  over = true;
  other.join();
  aclmdlRI graph = nullptr;
  CHILD_EXPECT_CODE(aclmdlRICaptureEnd(stream, &graph), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a thread that meets the first capture of its process finds all of it", "[capture]") {
  const support::ChildResult result =
      support::run_child("first_capture_beside_other_threads", {{"ACLSIM_SCHEDULE", ""}});
  INFO(result.output);
  CHECK(result.clean());
}
