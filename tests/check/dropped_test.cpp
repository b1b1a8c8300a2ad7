// SPDX-License-Identifier: Apache-2.0
// The checker does not miss operations that a failure or an abort dropped: callbacks, records and
// waits of notifies.
#include <string>

#include "tests/check/cases.h"
#include "tests/support/child.h"

using namespace check;

namespace {

/// A thread that is subscribed and serves nothing, for a scope.
class IdleServer {
 public:
  IdleServer() {
    while (id_ == 0) std::this_thread::yield();
  }
  ~IdleServer() {
    done_ = true;
    thread_.join();
  }
  IdleServer(const IdleServer&) = delete;
  IdleServer& operator=(const IdleServer&) = delete;
  std::uint64_t id() const { return id_; }

 private:
  std::atomic<std::uint64_t> id_{0};
  std::atomic<bool> done_{false};
  std::thread thread_{[this] {
    id_ = world::this_thread_id();
    while (!done_) std::this_thread::yield();
  }};
};

}  // namespace

// A callback after the op that drops it, and one before that op if requested. No thread serves
// them. ACLSIM_TEST_DROP names what drops the callbacks.
CHILD_PROGRAM(leave_callbacks_that_are_dropped) {
  const std::string drop = support::environment_variable("ACLSIM_TEST_DROP");
  aclrtStream stream = nullptr, other = nullptr;
  aclrtEvent flag = nullptr;
  aclrtSetDevice(0);
  aclrtCreateStream(&stream);
  aclrtCreateStream(&other);
  aclrtCreateEventWithFlag(&flag, ACL_EVENT_SYNC);
  if (drop.starts_with("failure")) aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE);
  const IdleServer server;
  aclrtSubscribeReport(server.id(), stream);
  const auto callback = [](void*) {};
  if (support::environment_variable("ACLSIM_TEST_CALLBACK_BEFORE") == "1") {
    aclrtLaunchCallback(callback, nullptr, ACL_CALLBACK_NO_BLOCK, stream);
  }
  aclrtStreamWaitEvent(stream, flag);
  const bool fails = drop.starts_with("failure");
  world::try_launch(stream, [=] { return fails ? ACL_ERROR_RT_AICORE_EXCEPTION : ACL_SUCCESS; });
  for (const auto kind : {ACL_CALLBACK_NO_BLOCK, ACL_CALLBACK_BLOCK, ACL_CALLBACK_BLOCK}) {
    aclrtLaunchCallback(callback, nullptr, kind, stream);
  }
  if (drop == "abort") aclrtStreamAbort(stream);
  if (drop == "abort of the device") aclrtDeviceTaskAbort(0, 0);
  aclrtRecordEvent(flag, other);
  const aclError code = aclrtSynchronizeStream(stream);
  if (drop == "failure") CHILD_EXPECT(code == ACL_ERROR_RT_AICORE_EXCEPTION);
  if (drop == "loss of the device") CHILD_EXPECT(code != ACL_SUCCESS);
  if (drop == "failure, and the stream is destroyed") {
    aclrtUnSubscribeReport(server.id(), stream);
    aclrtDestroyStreamForce(stream);
  }
  if (drop == "failure, and the device is reset") aclrtResetDeviceForce(0);
  return 0;
}

TEST_CASE("a callback behind what dropped it was not to be served") {
  const std::string drop = GENERATE(
      as<std::string>{}, "failure", "failure, and the stream is destroyed",
      "failure, and the device is reset", "abort", "abort of the device", "loss of the device");
  const bool one_before = GENERATE(false, true);
  // An abort also drops callbacks before it that have not begun.
  const bool expected = one_before && drop == "failure";
  support::Environment variables{{"ACLSIM_CHECK", "1"},
                                 {"ACLSIM_CHECK_QUIET", ""},
                                 {"ACLSIM_TEST_DROP", drop},
                                 {"ACLSIM_TEST_CALLBACK_BEFORE", one_before ? "1" : ""}};
  if (drop == "loss of the device")
    variables.emplace_back("ACLSIM_FAULTS", "device-lost,device=0,op=kernel");
  const auto result = support::run_child("leave_callbacks_that_are_dropped", variables);
  INFO(drop << ": " << result.output);
  CHECK(result.clean());
  if (one_before && drop != "failure") return;  // it may have been given up or not
  CHECK((result.output.find("no thread serves the callbacks") != std::string::npos) == expected);
}

// ---- notifies ----

namespace {

class Notify {
 public:
  Notify() { REQUIRE_ACL(aclrtCreateNotify(&handle_, 0)); }
  ~Notify() { aclrtDestroyNotify(handle_); }
  Notify(const Notify&) = delete;
  Notify& operator=(const Notify&) = delete;
  void give(aclrtStream stream, int times = 1) const {
    while (times-- > 0) REQUIRE_ACL(aclrtRecordNotify(handle_, stream));
  }
  void take(aclrtStream stream) const { REQUIRE_ACL(aclrtWaitAndResetNotify(handle_, stream, 0)); }

 private:
  aclrtNotify handle_ = nullptr;
};

/// How often ACL004 comes of a notify that is used and destroyed.
template <class Use>
std::uint64_t unbalanced(Use&& use) {
  return told("ACL004", [&] {
    const Notify notify;
    use(notify);
  });
}

/// A stream that has failed by the end of the body, and drops what the body enqueues.
template <class Body>
void behind_a_failure(Body&& body) {
  const world::Context context;  // which the failure stops
  const world::Stream stream, other;
  const auto flag = world::Event::old(ACL_EVENT_SYNC);
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  wait(stream, flag);
  world::launch(stream, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });
  body(stream);
  record(flag, other);
  CHECK(aclrtSynchronizeStream(stream) == ACL_ERROR_RT_AICORE_EXCEPTION);
}

}  // namespace

TEST_CASE("a record that a failure dropped does not make its notify unbalanced") {
  const world::Device device;
  CHECK(unbalanced([](const Notify& notify) {
          behind_a_failure([&](aclrtStream stream) { notify.give(stream); });
        }) == 0);
}

TEST_CASE("a wait that a failure dropped does not make its notify unbalanced") {
  const Desk desk;
  CHECK(unbalanced([&](const Notify& notify) {
          notify.give(desk.a);
          join(desk.a);
          behind_a_failure([&](aclrtStream stream) { notify.take(stream); });
        }) == 0);
}

TEST_CASE("a wait that an abort dropped does not make its notify unbalanced") {
  const Desk desk;
  const int records = GENERATE(0, 1, 2);
  const auto never = world::Event::old(ACL_EVENT_SYNC);
  CHECK(unbalanced([&](const Notify& notify) {
          wait(desk.b, never);
          notify.take(desk.b);
          notify.give(desk.a, records);
          join(desk.a);
          REQUIRE_ACL(aclrtStreamAbort(desk.b));
        }) == (records == 2 ? 1 : 0));
}

TEST_CASE("a record whose stream is destroyed before it does not make its notify unbalanced") {
  const Desk desk;
  const auto never = world::Event::old(ACL_EVENT_SYNC);
  CHECK(unbalanced([&](const Notify& notify) {
          world::Stream stream;
          wait(stream, never);
          notify.give(stream);
          aclrtDestroyStreamForce(stream.release());
        }) == 0);
}

TEST_CASE("a record that happened and was not waited for is unbalanced, also beside a failure") {
  const Desk desk;
  CHECK(unbalanced([&](const Notify& notify) {
          notify.give(desk.a);
          join(desk.a);
          behind_a_failure([](aclrtStream) {});
        }) == 1);
}
