// SPDX-License-Identifier: Apache-2.0
// The information that the program gets when a task fails.
#include <unistd.h>

#include <sys/syscall.h>

#include "tests/acl/world.h"

using namespace world;

namespace {

struct ExceptionReport {
  std::uint32_t task = 0;
  std::uint32_t stream = 0;
  std::uint32_t thread = 0;
  std::uint32_t device = 0;
  std::uint32_t code = 0;
  aclError args = -1;
  std::uint64_t reporter = 0;
};

std::mutex reports_mutex;
std::vector<ExceptionReport> reports;
std::atomic<int> calls{0};

void note(aclrtExceptionInfo* info) {
  ExceptionReport report;
  report.task = aclrtGetTaskIdFromExceptionInfo(info);
  report.stream = aclrtGetStreamIdFromExceptionInfo(info);
  report.thread = aclrtGetThreadIdFromExceptionInfo(info);
  report.device = aclrtGetDeviceIdFromExceptionInfo(info);
  report.code = aclrtGetErrorCodeFromExceptionInfo(info);
  void* args = nullptr;
  std::uint32_t size = 0;
  report.args = aclrtGetArgsFromExceptionInfo(info, &args, &size);
  report.reporter = this_thread_id();
  const std::lock_guard guard(reports_mutex);
  reports.push_back(report);
  ++calls;
}

void count(aclrtExceptionInfo*) { ++calls; }
void count_ten(aclrtExceptionInfo*) { calls += 10; }

// Leaves no callback behind, and none counted from before.
class Callbacks {
 public:
  Callbacks() { clear(); }
  ~Callbacks() { clear(); }

 private:
  static void clear() {
    aclrtSetExceptionInfoCallback(nullptr);
    for (const auto callback : {note, count, count_ten}) {
      aclrtExceptionInfoCallbackUnregister(callback);
    }
    const std::lock_guard guard(reports_mutex);
    reports.clear();
    calls = 0;
  }
};

void fail_once(aclrtStream stream, int code = ACL_ERROR_RT_AICORE_EXCEPTION) {
  launch(stream, [code] { return code; });
  REQUIRE_CODE(aclrtSynchronizeStream(stream), code);
}

}  // namespace

TEST_CASE("the callback learns which task failed, where and why") {
  const Callbacks callbacks;
  const Device device(2);
  const Stream stream;
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(note));
  launch(stream, [] {});
  fail_once(stream, ACL_ERROR_RT_AICORE_TIMEOUT);
  REQUIRE(eventually([] { return calls == 1; }));
  const std::lock_guard guard(reports_mutex);
  REQUIRE(reports.size() == 1);
  const ExceptionReport& report = reports[0];
  CHECK(report.device == 2);
  CHECK(report.stream == static_cast<std::uint32_t>(id_of(stream)));
  CHECK(report.code == ACL_ERROR_RT_AICORE_TIMEOUT);
  CHECK(report.task != 0xffffffff);
  CHECK(report.thread == static_cast<std::uint32_t>(syscall(SYS_gettid)));
  CHECK(report.args == ACL_SUCCESS);
}

TEST_CASE("the exception callback runs in a thread of the runtime") {
  const Callbacks callbacks;
  const Device device;
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(note));
  for (int i = 0; i < 20; ++i) fail_once(nullptr);
  REQUIRE(eventually([] { return calls == 20; }));
  const std::lock_guard guard(reports_mutex);
  for (const ExceptionReport& report : reports) CHECK(report.reporter != this_thread_id());
}

TEST_CASE("the exception callback has run when the failure is reported") {
  const Callbacks callbacks;
  const Device device;
  const Stream stream;
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(count));
  for (int i = 1; i <= 50; ++i) {
    fail_once(stream);
    CHECK(calls == i);
  }
}

TEST_CASE("tasks that succeed call nobody") {
  const Callbacks callbacks;
  const Device device;
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(count));
  launch(nullptr, [] {});
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(calls == 0);
}

TEST_CASE("there is one slot, the last callback wins and null clears it") {
  const Callbacks callbacks;
  const Device device;
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(count));
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(count_ten));
  fail_once(nullptr);
  CHECK(eventually([] { return calls == 10; }));
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(nullptr));
  fail_once(nullptr);
  CHECK(calls == 10);
}

TEST_CASE("registered callbacks are called once each, and the slot besides") {
  const Callbacks callbacks;
  const Device device;
  REQUIRE_ACL(aclrtExceptionInfoCallbackRegister(count));
  REQUIRE_ACL(aclrtExceptionInfoCallbackRegister(count));
  REQUIRE_ACL(aclrtExceptionInfoCallbackRegister(count_ten));
  fail_once(nullptr);
  CHECK(eventually([] { return calls == 11; }));
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(count));
  fail_once(nullptr);
  CHECK(eventually([] { return calls == 23; }));
  REQUIRE_ACL(aclrtExceptionInfoCallbackUnregister(count));
  fail_once(nullptr);
  CHECK(eventually([] { return calls == 34; }));
  REQUIRE_ACL(aclrtExceptionInfoCallbackUnregister(count));  // unknown by now
  CHECK_CODE(aclrtExceptionInfoCallbackRegister(nullptr), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtExceptionInfoCallbackUnregister(nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("every failing task is told of") {
  const Callbacks callbacks;
  const Device device;
  const Stream stream;
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(note));
  for (int i = 0; i < 5; ++i) launch(stream, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });
  REQUIRE_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK(eventually([] { return calls == 5; }));
  const std::lock_guard guard(reports_mutex);
  for (std::size_t i = 1; i < reports.size(); ++i) CHECK(reports[i].task > reports[i - 1].task);
}

TEST_CASE("failed host functions and waits are told of as kernels are") {
  const Callbacks callbacks;
  const Device device;
  const Stream stream;
  REQUIRE_ACL(aclrtSetExceptionInfoCallback(note));
  aclError code = ACL_SUCCESS;
  SECTION("a host function that throws") {
    code = ACL_ERROR_RT_INTERNAL_ERROR;
    REQUIRE_ACL(aclrtLaunchHostFunc(
        stream, [](void*) { throw 1; }, nullptr));
  }
  SECTION("a callback that throws") {
    code = ACL_ERROR_RT_INTERNAL_ERROR;
    ReportThread report;
    const Subscription subscription(report.id(), stream);
    const auto block = GENERATE(ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK);
    REQUIRE_ACL(aclrtLaunchCallback([](void*) { throw 1; }, nullptr, block, stream));
    REQUIRE(eventually([] { return calls == 1; }));
  }
  SECTION("a wait that nobody ends") {
    code = ACL_ERROR_RT_WAIT_TIMEOUT;
    const Event never = Event::old(ACL_EVENT_SYNC);
    REQUIRE_ACL(aclrtStreamWaitEventWithTimeout(stream, never, 1));
    REQUIRE_CODE(aclrtSynchronizeStream(stream), code);
  }
  if (code == ACL_ERROR_RT_INTERNAL_ERROR) CHECK_CODE(aclrtSynchronizeStream(stream), code);
  const std::lock_guard guard(reports_mutex);
  REQUIRE(reports.size() == 1);
  CHECK(reports[0].code == static_cast<std::uint32_t>(code));
  CHECK(reports[0].stream == static_cast<std::uint32_t>(id_of(stream)));
  CHECK(reports[0].thread == static_cast<std::uint32_t>(syscall(SYS_gettid)));
}

TEST_CASE("without an exception there is nothing to tell") {
  CHECK(aclrtGetTaskIdFromExceptionInfo(nullptr) == 0xffffffff);
  CHECK(aclrtGetStreamIdFromExceptionInfo(nullptr) == 0xffffffff);
  CHECK(aclrtGetThreadIdFromExceptionInfo(nullptr) == 0xffffffff);
  CHECK(aclrtGetDeviceIdFromExceptionInfo(nullptr) == 0xffffffff);
  CHECK(aclrtGetErrorCodeFromExceptionInfo(nullptr) == 0xffffffff);
  void* args = nullptr;
  std::uint32_t size = 0;
  aclrtFuncHandle function = nullptr;
  CHECK(aclrtGetArgsFromExceptionInfo(nullptr, &args, &size) != ACL_SUCCESS);
  CHECK(aclrtGetFuncHandleFromExceptionInfo(nullptr, &function) != ACL_SUCCESS);
}

namespace {

// Every getter refuses the pointer.
void check_refused(const aclrtExceptionInfo* info) {
  CHECK(aclrtGetTaskIdFromExceptionInfo(info) == 0xffffffff);
  CHECK(aclrtGetStreamIdFromExceptionInfo(info) == 0xffffffff);
  CHECK(aclrtGetThreadIdFromExceptionInfo(info) == 0xffffffff);
  CHECK(aclrtGetDeviceIdFromExceptionInfo(info) == 0xffffffff);
  CHECK(aclrtGetErrorCodeFromExceptionInfo(info) == 0xffffffff);
  void* args = nullptr;
  std::uint32_t size = 0;
  aclrtFuncHandle function = nullptr;
  CHECK_CODE(aclrtGetArgsFromExceptionInfo(info, &args, &size), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetFuncHandleFromExceptionInfo(info, &function), ACL_ERROR_INVALID_PARAM);
}

}  // namespace

TEST_CASE("an exception that was never given out is refused and not read") {
  alignas(16) const char own[256] = {};
  for (const std::uintptr_t address :
       {reinterpret_cast<std::uintptr_t>(own), std::uintptr_t{1}, std::uintptr_t{0xdeadbeef000}}) {
    check_refused(reinterpret_cast<const aclrtExceptionInfo*>(address));
  }
}

TEST_CASE("an exception whose callback has returned is refused and not read") {
  const Callbacks callbacks;
  const Device device;
  static std::atomic<aclrtExceptionInfo*> kept{nullptr};
  static std::atomic<std::uint32_t> code{0};
  REQUIRE_ACL(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo* info) {
    code = aclrtGetErrorCodeFromExceptionInfo(info);
    kept = info;
  }));
  fail_once(nullptr);
  REQUIRE(eventually([] { return kept != nullptr; }));
  CHECK(code == ACL_ERROR_RT_AICORE_EXCEPTION);
  check_refused(kept);
}

TEST_CASE("an exception that is over is refused while a later one is told of") {
  const Callbacks callbacks;
  const Device device;
  static aclrtExceptionInfo* first;
  static std::vector<std::uint32_t> codes;
  first = nullptr;
  codes.clear();
  REQUIRE_ACL(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo* info) {
    if (!first) first = info;
    codes.push_back(aclrtGetErrorCodeFromExceptionInfo(first));
    codes.push_back(aclrtGetErrorCodeFromExceptionInfo(info));
  }));
  for (int i = 0; i < 3; ++i) fail_once(nullptr);  // the synchronise comes after the callback
  const std::vector<std::uint32_t> wanted{ACL_ERROR_RT_AICORE_EXCEPTION,
                                          ACL_ERROR_RT_AICORE_EXCEPTION,
                                          0xffffffff,
                                          ACL_ERROR_RT_AICORE_EXCEPTION,
                                          0xffffffff,
                                          ACL_ERROR_RT_AICORE_EXCEPTION};
  CHECK(codes == wanted);
}

TEST_CASE("a thread that the callback waits for may ask about the exception") {
  const Callbacks callbacks;
  const Device device;
  static std::uint32_t code;
  code = 0;
  REQUIRE_ACL(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo* info) {
    std::thread([info] { code = aclrtGetErrorCodeFromExceptionInfo(info); }).join();
  }));
  fail_once(nullptr);
  CHECK(code == ACL_ERROR_RT_AICORE_EXCEPTION);
}

TEST_CASE("the outputs of the exception getters are checked") {
  const Callbacks callbacks;
  const Device device;
  static std::atomic<int> bad{-1};
  REQUIRE_ACL(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo* info) {
    void* args = nullptr;
    std::uint32_t size = 0;
    bad = 0;
    if (aclrtGetArgsFromExceptionInfo(info, nullptr, &size) != ACL_ERROR_INVALID_PARAM) ++bad;
    if (aclrtGetArgsFromExceptionInfo(info, &args, nullptr) != ACL_ERROR_INVALID_PARAM) ++bad;
    if (aclrtGetFuncHandleFromExceptionInfo(info, nullptr) != ACL_ERROR_INVALID_PARAM) ++bad;
  }));
  fail_once(nullptr);
  CHECK(eventually([] { return bad != -1; }));
  CHECK(bad == 0);
}
