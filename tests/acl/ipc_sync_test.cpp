// SPDX-License-Identifier: Apache-2.0
// Notifies and events that processes share.
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "tests/acl/talk.h"
#include "tests/acl/world.h"
#include "tests/support/child.h"

using namespace world;
using support::RunningChild;

namespace {

constexpr std::uint64_t kAnyProcess = ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION;

std::string sync_code(aclError value) { return std::to_string(value); }

/// The other side, one command a line, answered by codes.
class SyncSide {
 public:
  SyncSide() {
    CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
    CHILD_EXPECT_CODE(aclrtCreateStream(&stream_), ACL_SUCCESS);
  }
  std::string answer(const std::vector<std::string>& words) {
    const std::string& verb = words[0];
    if (verb == "notify") return make_notify(std::stoull(words[1]));
    if (verb == "import") return sync_code(aclrtNotifyImportByKey(&notify_, words[1].c_str(), 0));
    if (verb == "record") return sync_code(aclrtRecordNotify(notify_, stream_));
    if (verb == "wait") return sync_code(aclrtWaitAndResetNotify(notify_, stream_, 0));
    if (verb == "allow") {
      std::int32_t pid = std::stoi(words[1]);
      return sync_code(aclrtNotifySetImportPid(notify_, &pid, 1));
    }
    if (verb == "event") return make_event();
    if (verb == "open") return open_event(words[1]);
    if (verb == "record-event") return sync_code(aclrtRecordEvent(event_, stream_));
    if (verb == "wait-event") return sync_code(aclrtStreamWaitEvent(stream_, event_));
    if (verb == "sync-event") return sync_code(aclrtSynchronizeEvent(event_));
    if (verb == "hold") return hold();
    if (verb == "let-go") return (open_ = true, "0");
    if (verb == "sync") return sync_code(aclrtSynchronizeStream(stream_));
    return "unknown command";
  }

 private:
  std::string make_notify(std::uint64_t flags) {
    std::array<char, 65> key{};
    CHILD_EXPECT_CODE(aclrtCreateNotify(&notify_, 0), ACL_SUCCESS);
    CHILD_EXPECT_CODE(aclrtNotifyGetExportKey(notify_, key.data(), key.size(), flags), ACL_SUCCESS);
    return key.data();
  }
  std::string make_event() {
    aclrtIpcEventHandle handle{};
    CHILD_EXPECT_CODE(aclrtCreateEventExWithFlag(&event_, ACL_EVENT_IPC), ACL_SUCCESS);
    CHILD_EXPECT_CODE(aclrtIpcGetEventHandle(event_, &handle), ACL_SUCCESS);
    return talk::hex(&handle, sizeof handle);
  }
  std::string open_event(const std::string& text) {
    aclrtIpcEventHandle handle{};
    talk::from_hex(text, &handle, sizeof handle);
    return sync_code(aclrtIpcOpenEventHandle(handle, &event_));
  }
  std::string hold() {
    aclsimLaunch launch{};
    std::atomic<bool>* const open = &open_;
    launch.size = sizeof launch;
    launch.name = "hold";
    launch.kernel = [](const aclsimKernelContext*, const void* args) -> int32_t {
      const auto* const flag = *static_cast<std::atomic<bool>* const*>(args);
      while (!flag->load()) std::this_thread::yield();
      return 0;
    };
    launch.numBlocks = 1;
    launch.args = &open;
    launch.argsSize = sizeof open;
    return sync_code(aclsimLaunchKernel(&launch, stream_));
  }

  aclrtStream stream_ = nullptr;
  aclrtNotify notify_ = nullptr;
  aclrtEvent event_ = nullptr;
  std::atomic<bool> open_{false};
};

/// A notify of this process that any process may import.
struct Shared {
  aclrtNotify notify = nullptr;
  std::array<char, 65> key{};
  explicit Shared(std::uint64_t flags = kAnyProcess) {
    REQUIRE_ACL(aclrtCreateNotify(&notify, 0));
    REQUIRE_ACL(aclrtNotifyGetExportKey(notify, key.data(), key.size(), flags));
  }
  ~Shared() { aclrtDestroyNotify(notify); }
  std::string text() const { return key.data(); }
};

aclrtEvent opened(const std::string& text) {
  aclrtIpcEventHandle handle{};
  talk::from_hex(text, &handle, sizeof handle);
  aclrtEvent event = nullptr;
  REQUIRE_ACL(aclrtIpcOpenEventHandle(handle, &event));
  return event;
}

}  // namespace

CHILD_PROGRAM(ipc_sync_side) {
  SyncSide side;
  for (;;) {
    const auto words = talk::hear();
    if (words.empty()) return 0;
    talk::say(side.answer(words));
  }
}

// ---- notifies
// --------------------------------------------------------------------------------------

TEST_CASE("a stream waits for a notify that another process records", "[ipc][notify]") {
  const Device device;
  const Stream s;
  const Shared shared;
  RunningChild child("ipc_sync_side");
  REQUIRE(child.ask("import " + shared.text()) == "0");
  for (int round = 0; round < 3; ++round) {
    REQUIRE_ACL(aclrtWaitAndResetNotify(shared.notify, s, 0));
    CHECK(query(s) == ACL_STREAM_STATUS_NOT_READY);
    CHECK(child.ask("record") == "0");
    REQUIRE_ACL(aclrtSynchronizeStream(s));
  }
}

TEST_CASE("a wait that began before the notify was shared is set free too", "[ipc][notify]") {
  const Device device;
  const Stream s;
  aclrtNotify notify = nullptr;
  std::array<char, 65> key{};
  REQUIRE_ACL(aclrtCreateNotify(&notify, 0));
  REQUIRE_ACL(aclrtWaitAndResetNotify(notify, s, 0));
  CHECK(query(s) == ACL_STREAM_STATUS_NOT_READY);
  REQUIRE_ACL(aclrtNotifyGetExportKey(notify, key.data(), key.size(), kAnyProcess));
  RunningChild child("ipc_sync_side");
  REQUIRE(child.ask("import " + std::string(key.data())) == "0");
  REQUIRE(child.ask("record") == "0");
  REQUIRE_ACL(aclrtSynchronizeStream(s));
  REQUIRE_ACL(aclrtDestroyNotify(notify));
}

TEST_CASE("only processes that were named import a notify", "[ipc][notify]") {
  const Device device;
  RunningChild owner("ipc_sync_side");
  RunningChild user("ipc_sync_side");
  const std::string key = owner.ask("notify 0");
  CHECK(user.ask("import " + key) == sync_code(ACL_ERROR_RT_NO_PERMISSION));
  CHECK(owner.ask("allow " + std::to_string(user.pid())) == "0");
  CHECK(user.ask("import " + key) == "0");
}

TEST_CASE("a wait for a notify fails when the process that owns it ends", "[ipc][notify]") {
  const Device device;
  const Stream s;
  RunningChild child("ipc_sync_side");
  const std::string key = child.ask("notify " + std::to_string(kAnyProcess));
  aclrtNotify notify = nullptr;
  REQUIRE_ACL(aclrtNotifyImportByKey(&notify, key.c_str(), 0));
  REQUIRE_ACL(aclrtWaitAndResetNotify(notify, s, 0));
  CHECK(query(s) == ACL_STREAM_STATUS_NOT_READY);
  child.kill();
  CHECK_CODE(aclrtSynchronizeStream(s), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  CHECK_THAT(recent_message(), catch_compat::ContainsSubstring("process"));
  CHECK_CODE(aclrtRecordNotify(notify, s), ACL_SUCCESS);  // the page is still there
  REQUIRE_ACL(aclrtSynchronizeStream(s));
  REQUIRE_ACL(aclrtDestroyNotify(notify));
  CHECK_CODE(aclrtNotifyImportByKey(&notify, key.c_str(), 0), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a process that ends disturbs nobody whose notify it imported", "[ipc][notify]") {
  const Device device;
  const Stream s;
  const Shared shared;
  RunningChild child("ipc_sync_side");
  REQUIRE(child.ask("import " + shared.text()) == "0");
  REQUIRE(child.ask("wait") == "0");
  child.kill();
  REQUIRE_ACL(aclrtRecordNotify(shared.notify, s));
  REQUIRE_ACL(aclrtWaitAndResetNotify(shared.notify, s, 0));
  REQUIRE_ACL(aclrtSynchronizeStream(s));
}

TEST_CASE("keys of notifies that are wrong are refused", "[ipc][notify]") {
  const Device device;
  const Stream s;
  const Shared shared(0);
  aclrtNotify notify = nullptr;
  std::array<char, 65> key{};
  std::int32_t pid = 1;
  CHECK_CODE(aclrtNotifyGetExportKey(shared.notify, nullptr, 65, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtNotifyGetExportKey(shared.notify, key.data(), 64, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtNotifyGetExportKey(shared.notify, key.data(), 65, 1), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtNotifyGetExportKey(nullptr, key.data(), 65, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtNotifySetImportPid(shared.notify, &pid, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtNotifySetImportPid(shared.notify, nullptr, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtNotifyImportByKey(nullptr, shared.key.data(), 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtNotifyImportByKey(&notify, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtNotifyImportByKey(&notify, shared.key.data(), 1), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtNotifyImportByKey(&notify, "short", 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtNotifyImportByKey(&notify, shared.key.data(), 0), ACL_ERROR_RT_PARAM_INVALID);
  RunningChild child("ipc_sync_side");
  std::string forged = shared.text();
  forged[20] = forged[20] == '0' ? '1' : '0';
  CHECK(child.ask("import " + forged) == sync_code(ACL_ERROR_RT_PARAM_INVALID));
}

// ---- events
// ----------------------------------------------------------------------------------------

TEST_CASE("a stream and the host wait for an event that another process records", "[ipc][event]") {
  const Device device;
  const Stream s;
  RunningChild child("ipc_sync_side");
  const aclrtEvent event = opened(child.ask("event"));
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);  // never recorded
  REQUIRE(child.ask("hold") == "0");
  REQUIRE(child.ask("record-event") == "0");
  REQUIRE_ACL(aclrtStreamWaitEvent(s, event));
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
  CHECK(query(s) == ACL_STREAM_STATUS_NOT_READY);
  CHECK_CODE(aclrtSynchronizeEventWithTimeout(event, 5), ACL_ERROR_RT_EVENT_SYNC_TIMEOUT);
  REQUIRE(child.ask("let-go") == "0");
  REQUIRE_ACL(aclrtSynchronizeEvent(event));
  REQUIRE_ACL(aclrtSynchronizeStream(s));
  CHECK(recorded(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  REQUIRE_ACL(aclrtDestroyEvent(event));
}

TEST_CASE("another process waits for what this one records", "[ipc][event]") {
  const Device device;
  const Stream s;
  aclrtEvent event = nullptr;
  aclrtIpcEventHandle handle{};
  REQUIRE_ACL(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
  REQUIRE_ACL(aclrtIpcGetEventHandle(event, &handle));
  RunningChild child("ipc_sync_side");
  REQUIRE(child.ask("open " + talk::hex(&handle, sizeof handle)) == "0");
  {
    Gate gate;
    gate.hold(s);
    REQUIRE_ACL(aclrtRecordEvent(event, s));
    REQUIRE(child.ask("wait-event") == "0");
    child.say("sync");
    gate.open();
  }
  CHECK(child.hear() == "0");
  CHECK(child.ask("sync-event") == "0");
  REQUIRE_ACL(aclrtSynchronizeEvent(event));
  REQUIRE_ACL(aclrtDestroyEvent(event));
}

TEST_CASE("waits for an event end when the process that was to record it ends", "[ipc][event]") {
  const Device device;
  const Stream s;
  RunningChild child("ipc_sync_side");
  const aclrtEvent event = opened(child.ask("event"));
  REQUIRE(child.ask("hold") == "0");
  REQUIRE(child.ask("record-event") == "0");
  REQUIRE_ACL(aclrtStreamWaitEvent(s, event));
  child.kill();
  CHECK_CODE(aclrtSynchronizeStream(s), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  CHECK_CODE(aclrtSynchronizeEvent(event), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  REQUIRE_ACL(aclrtRecordEvent(event, s));
  REQUIRE_ACL(aclrtSynchronizeEvent(event));
  REQUIRE_ACL(aclrtDestroyEvent(event));
}

TEST_CASE("an aborted record of an IPC event lets its waiters go on", "[ipc][event]") {
  const Device device;
  const Stream s, t;
  aclrtEvent event = nullptr;
  REQUIRE_ACL(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
  {
    Gate gate;
    gate.hold(s);
    REQUIRE_ACL(aclrtRecordEvent(event, s));
    REQUIRE_ACL(aclrtStreamWaitEvent(t, event));
    REQUIRE_ACL(aclrtStreamAbort(s));
    gate.open();
    REQUIRE(eventually([&] { return gate.left(); }));
  }
  REQUIRE_ACL(aclrtSynchronizeStream(t));
  REQUIRE_ACL(aclrtDestroyEvent(event));
}

TEST_CASE("IPC events have no time, no reset, no place in a capture", "[ipc][event]") {
  const Device device;
  const Stream s;
  aclrtEvent event = nullptr;
  REQUIRE_ACL(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
  const Event plain;
  float ms = 0;
  std::uint64_t time = 0;
  std::uint32_t id = 0;
  aclrtIpcEventHandle handle{};
  REQUIRE_ACL(aclrtRecordEvent(event, s));
  REQUIRE_ACL(aclrtSynchronizeStream(s));
  CHECK_CODE(aclrtEventElapsedTime(&ms, event, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtEventGetTimestamp(event, &time), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtResetEvent(event, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtGetEventId(event, &id), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtIpcGetEventHandle(plain, &handle), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtIpcGetEventHandle(event, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtIpcGetEventHandle(nullptr, &handle), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtIpcGetEventHandle(event, &handle));
  aclrtEvent again = nullptr;
  CHECK_CODE(aclrtIpcOpenEventHandle(handle, &again), ACL_ERROR_RT_PARAM_INVALID);  // its own
  CHECK_CODE(aclrtIpcOpenEventHandle(handle, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtIpcOpenEventHandle({}, &again), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  CHECK_CODE(aclrtRecordEvent(event, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtStreamWaitEvent(s, event), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRICaptureEnd(s, &model));
  REQUIRE_ACL(aclmdlRIDestroy(model));
  REQUIRE_ACL(aclrtDestroyEvent(event));
}

// ---- who waits for another process
// ------------------------------------------------------------------

CHILD_PROGRAM(waits_for_a_notify_of_another_process) {
  aclrtStream stream = nullptr;
  aclrtNotify notify = nullptr;
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtCreateStream(&stream), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtNotifyImportByKey(&notify, std::getenv("TEST_KEY"), 0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtWaitAndResetNotify(notify, stream, 0), ACL_SUCCESS);
  aclrtSynchronizeStreamWithTimeout(stream, 2500);
  return 0;
}

TEST_CASE("the watchdog names the process whose notify a stream waits for", "[ipc][notify]") {
  const Device device;
  const Shared shared;
  std::uint32_t id = 0;
  REQUIRE_ACL(aclrtGetNotifyId(shared.notify, &id));
  const auto child = support::run_child("waits_for_a_notify_of_another_process",
                                        {{"ACLSIM_WATCHDOG", "1"}, {"TEST_KEY", shared.text()}});
  INFO(child.output);
  CHECK(child.clean());
  const std::string wanted = "waits for notify " + std::to_string(id) + " of device 0 of process " +
                             std::to_string(getpid());
  CHECK(child.output.find(wanted) != std::string::npos);
}
