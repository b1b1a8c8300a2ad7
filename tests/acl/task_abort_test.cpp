// SPDX-License-Identifier: Apache-2.0
// aclrtDeviceTaskAbort: everything on one device is given up.
#include "tests/acl/world.h"

using namespace world;

namespace {

struct Call {
  std::int32_t device;
  aclrtDeviceTaskAbortStage stage;
  std::uint32_t timeout;
};

std::vector<Call> abort_calls;

std::int32_t note(std::int32_t device, aclrtDeviceTaskAbortStage stage, std::uint32_t timeout,
                  void*) {
  abort_calls.push_back({device, stage, timeout});
  return 0;
}

/// A callback for the time before the abort, as any function.
class Before {
 public:
  explicit Before(std::function<std::int32_t()> action) : action_(std::move(action)) {
    REQUIRE_ACL(aclrtSetDeviceTaskAbortCallback("before", run, this));
  }
  ~Before() { aclrtSetDeviceTaskAbortCallback("before", nullptr, nullptr); }

 private:
  static std::int32_t run(std::int32_t, aclrtDeviceTaskAbortStage stage, std::uint32_t,
                          void* self) {
    if (stage != ACL_RT_DEVICE_TASK_ABORT_PRE) return 0;
    return static_cast<Before*>(self)->action_();
  }
  std::function<std::int32_t()> action_;
};

}  // namespace

TEST_CASE("an abort of a device drops what its streams hold and leaves other devices alone") {
  const Device other(1);
  const aclrtContext other_context = current_context();
  const Stream elsewhere;
  Gate far;
  far.hold(elsewhere);
  bool survived = false;
  launch(elsewhere, [&] { survived = true; });
  {
    const Device device(0);
    const Stream first;
    const Stream second;
    const Event never = Event::old(ACL_EVENT_SYNC);
    std::atomic<bool> ran{false};
    Gate gate;
    gate.hold(first);
    launch(first, [&] { ran = true; });
    REQUIRE_ACL(aclrtStreamWaitEvent(second, never));
    launch(second, [&] { ran = true; });
    REQUIRE_ACL(aclrtStreamWaitEvent(nullptr, never));
    REQUIRE_ACL(aclrtDeviceTaskAbort(0, 0));
    CHECK_FALSE(gate.left());  // what runs on the host cannot be stopped
    gate.open();
    CHECK(eventually([&] { return gate.left(); }));
    for (const aclrtStream stream :
         {static_cast<aclrtStream>(first), static_cast<aclrtStream>(second), aclrtStream{}}) {
      CHECK(query(stream) == ACL_STREAM_STATUS_COMPLETE);
      REQUIRE_ACL(aclrtSynchronizeStream(stream));
    }
    CHECK_FALSE(ran);
    bool again = false;
    launch(first, [&] { again = true; });
    REQUIRE_ACL(aclrtSynchronizeStream(first));
    CHECK(again);
  }
  const Within within(other_context);
  far.open();
  REQUIRE_ACL(aclrtSynchronizeStream(elsewhere));
  CHECK(survived);
}

TEST_CASE("an abort reaches every context of the device") {
  const Device device;
  const aclrtContext primary = current_context();
  const Event never = Event::old(ACL_EVENT_SYNC);
  REQUIRE_ACL(aclrtStreamWaitEvent(nullptr, never));
  const Context context;
  const Event here = Event::old(ACL_EVENT_SYNC);
  REQUIRE_ACL(aclrtStreamWaitEvent(nullptr, here));
  REQUIRE_ACL(aclrtDeviceTaskAbort(0, 100));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  const Within within(primary);
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
}

TEST_CASE("an abort needs a device that exists, in use or not") {
  CHECK_CODE(aclrtDeviceTaskAbort(-1, 0), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK_CODE(aclrtDeviceTaskAbort(8, 0), ACL_ERROR_RT_INVALID_DEVICEID);
  REQUIRE_ACL(aclrtDeviceTaskAbort(3, 0));  // nothing to abort
}

// ---- callbacks
// -------------------------------------------------------------------------------------

TEST_CASE("those who want to know of an abort are told before and after") {
  abort_calls.clear();
  const Device device(1);
  REQUIRE_ACL(aclrtSetDeviceTaskAbortCallback("a", note, nullptr));
  REQUIRE_ACL(aclrtDeviceTaskAbort(1, 250));
  REQUIRE(abort_calls.size() == 2);
  CHECK(abort_calls[0].stage == ACL_RT_DEVICE_TASK_ABORT_PRE);
  CHECK(abort_calls[1].stage == ACL_RT_DEVICE_TASK_ABORT_POST);
  for (const Call& call : abort_calls) {
    CHECK(call.device == 1);
    CHECK(call.timeout == 250);
  }
  REQUIRE_ACL(aclrtSetDeviceTaskAbortCallback("a", nullptr, nullptr));
  REQUIRE_ACL(aclrtDeviceTaskAbort(1, 0));
  CHECK(abort_calls.size() == 2);
}

TEST_CASE("a name holds one abort callback") {
  REQUIRE_ACL(aclrtSetDeviceTaskAbortCallback("a", note, nullptr));
  CHECK_CODE(aclrtSetDeviceTaskAbortCallback("a", note, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtSetDeviceTaskAbortCallback("a", nullptr, nullptr));
  CHECK_CODE(aclrtSetDeviceTaskAbortCallback("a", nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtSetDeviceTaskAbortCallback(nullptr, note, nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a callback that fails before an abort prevents it") {
  const Device device;
  const Stream stream;
  Gate gate;
  gate.hold(stream);
  {
    const Before before([] { return 7; });
    CHECK_CODE(aclrtDeviceTaskAbort(0, 0), ACL_ERROR_RT_INTERNAL_ERROR);
    CHECK(recent_message().find("before") != std::string::npos);
  }
  CHECK(query(stream) == ACL_STREAM_STATUS_NOT_READY);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

// ---- collisions
// ------------------------------------------------------------------------------------

TEST_CASE("calls that collide with an abort of their device are told so") {
  const Device device;
  const aclrtContext context = current_context();
  const Stream stream;
  const Event event;
  const DeviceMemory memory(64);
  const Before before([&] {
    const aclError expected = ACL_ERROR_RT_DEVICE_TASK_ABORT;
    aclrtStreamStatus status{};
    CHECK_CODE(try_launch(stream, [] {}), expected);
    CHECK_CODE(aclrtRecordEvent(event, stream), expected);
    CHECK_CODE(aclrtMemsetAsync(memory, 64, 0, 64, stream), expected);
    CHECK_CODE(aclrtMemset(memory, 64, 0, 64), expected);
    CHECK_CODE(aclrtSynchronizeStream(stream), expected);
    CHECK_CODE(aclrtSynchronizeDevice(), expected);
    CHECK_CODE(aclrtStreamQuery(stream, &status), expected);
    CHECK_CODE(aclrtDeviceTaskAbort(0, 0), expected);
    REQUIRE_ACL(aclrtStreamAbort(stream));  // does nothing
    {
      const Context elsewhere(1);
      REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
    }
    REQUIRE_ACL(aclrtSetCurrentContext(context));
    return 0;
  });
  REQUIRE_ACL(aclrtDeviceTaskAbort(0, 0));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  bool ran = false;
  launch(stream, [&] { ran = true; });
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(ran);
}

TEST_CASE("an abort of a stream does nothing while its device is being aborted") {
  const Device device;
  const Stream stream;
  Gate gate;
  gate.hold(stream);
  const Before before([&] {
    REQUIRE_ACL(aclrtStreamAbort(stream));
    CHECK(stats().pendingTasks == 1);
    return 0;
  });
  REQUIRE_ACL(aclrtDeviceTaskAbort(0, 0));
  CHECK(stats().pendingTasks == 0);
}

TEST_CASE("a synchronise that an abort of the device ends is told so") {
  const Device device;
  const aclrtContext context = current_context();
  const Stream stream;
  Gate gate;
  gate.hold(stream);
  std::atomic<pid_t> waiting{0};
  std::atomic<int> code{-1};
  std::thread waiter([&] {
    aclrtSetCurrentContext(context);
    waiting = this_thread_number();
    code = aclrtSynchronizeStream(stream);
  });
  CHECK(eventually_blocked(waiting));  // most likely in the call
  REQUIRE_ACL(aclrtDeviceTaskAbort(0, 0));
  waiter.join();
  // A thread that comes after the abort finds an empty stream.
  CHECK((code == ACL_ERROR_RT_DEVICE_TASK_ABORT || code == ACL_SUCCESS));
  gate.open();
  CHECK(eventually([&] { return gate.left(); }));
}

TEST_CASE("an abort of a device is not told to those who wait for a stream that ends later") {
  const Device device;
  const aclrtContext context = current_context();
  Stream stream;
  REQUIRE_ACL(aclrtDeviceTaskAbort(0, 0));
  const Event never = Event::old(ACL_EVENT_SYNC);
  REQUIRE_ACL(aclrtStreamWaitEvent(stream, never));
  const aclrtStream handle = stream.release();
  std::atomic<pid_t> waiting{0};
  std::atomic<int> code{-1};
  std::thread waiter([&] {
    aclrtSetCurrentContext(context);
    waiting = this_thread_number();
    code = aclrtSynchronizeStream(handle);
  });
  CHECK(eventually_blocked(waiting));  // most likely in the call
  REQUIRE_ACL(aclrtDestroyStreamForce(handle));
  waiter.join();
  // A thread that comes after the end finds no stream.
  CHECK((code == ACL_ERROR_RT_STREAM_ABORT || code == ACL_ERROR_RT_INVALID_HANDLE));
}

TEST_CASE("aborts of one device by many threads each succeed or collide") {
  const Device device;
  const aclrtContext context = current_context();
  Problems problems;
  in_threads(4, [&](int t) {
    aclrtSetCurrentContext(context);
    aclrtStream stream = nullptr;
    EXPECT_ACL(problems, aclrtCreateStream(&stream));
    for (int i = 0; i < 50; ++i) {
      aclError code = ACL_SUCCESS;
      if (t == 0) {
        code = aclrtDeviceTaskAbort(0, 0);
      } else {
        code = try_launch(stream, [] {});
        if (code == ACL_SUCCESS) code = aclrtSynchronizeStream(stream);
      }
      EXPECT_TRUE(problems, code == ACL_SUCCESS || code == ACL_ERROR_RT_DEVICE_TASK_ABORT);
    }
    EXPECT_ACL(problems, aclrtDestroyStream(stream));
  });
  CHECK(problems.text().empty());
}
