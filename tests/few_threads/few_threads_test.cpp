// SPDX-License-Identifier: Apache-2.0
// The system refuses threads: the existing threads do the work, or the call that waits for it fails
// with 207005 and a text that gives the reason. No call hangs.
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>

#include "acl/acl_prof.h"
#include "tests/acl/world.h"
#include "tests/few_threads/interposer.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace world;
using catch_compat::ContainsSubstring;

namespace {

constexpr std::chrono::seconds kLimit(120);  // a child that hangs is killed then
constexpr aclError kNoThread = ACL_ERROR_RT_RESOURCE_ALLOC_FAIL;

support::ChildResult run(const char* program, support::Environment environment = {}) {
  environment.emplace_back("ACLSIM_WORKERS", "2");
  return support::run_child(program, environment, kLimit);
}

int threads_of_test() { return std::atoi(std::getenv("FEW_THREADS")); }

std::string recent() {
  const char* const text = aclGetRecentErrMsg();
  return text ? text : "";
}

/// In a child: the call succeeded, or failed because of missing threads, which the text names.
bool done_or_no_thread(aclError code) {
  if (code == ACL_SUCCESS) return true;
  if (code == kNoThread && recent().find("no thread can be started") != std::string::npos)
    return true;
  std::printf("code %d: %s\n", code, recent().c_str());
  return false;
}

bool failed_for_threads(aclError code) { return code != ACL_SUCCESS && done_or_no_thread(code); }

aclrtStream make_stream() {
  aclrtStream stream = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateStream(&stream), ACL_SUCCESS);
  return stream;
}

}  // namespace

// ---- any number of threads

CHILD_PROGRAM(synchronises_in_every_way) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  allow_threads(threads_of_test());
  const aclrtStream stream = make_stream();
  const aclrtStream other = make_stream();
  aclrtEvent event = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateEvent(&event), ACL_SUCCESS);
  void* memory = nullptr;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  std::atomic<int> ran{0};
  // A kernel in front, a wait across streams, copies behind.
  CHILD_EXPECT_CODE(try_launch(stream, [&] { ++ran; }), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtStreamWaitEvent(other, event), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMemsetAsync(memory, 4096, 1, 4096, other), ACL_SUCCESS);
  const aclError synchronised = aclrtSynchronizeStream(stream);
  CHILD_EXPECT(done_or_no_thread(synchronised));
  CHILD_EXPECT((ran == 1) == (synchronised == ACL_SUCCESS));
  CHILD_EXPECT(done_or_no_thread(aclrtSynchronizeEvent(event)));
  CHILD_EXPECT(done_or_no_thread(aclrtSynchronizeDevice()));
  const aclError in_time = aclrtSynchronizeStreamWithTimeout(other, 60'000);
  CHILD_EXPECT(done_or_no_thread(in_time));
  aclError asked = ACL_SUCCESS;
  for (aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
       asked == ACL_SUCCESS && status != ACL_STREAM_STATUS_COMPLETE;) {
    asked = aclrtStreamQuery(other, &status);
  }
  CHILD_EXPECT(done_or_no_thread(asked));
  asked = ACL_SUCCESS;
  for (aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
       asked == ACL_SUCCESS && status != ACL_EVENT_RECORDED_STATUS_COMPLETE;) {
    asked = aclrtQueryEventStatus(event, &status);
  }
  CHILD_EXPECT(done_or_no_thread(asked));
  CHILD_EXPECT(done_or_no_thread(aclrtDestroyStream(stream)));
  CHILD_EXPECT(done_or_no_thread(aclrtDestroyStream(other)));
  CHILD_EXPECT_CODE(aclrtDestroyEvent(event), ACL_SUCCESS);
  CHILD_EXPECT(done_or_no_thread(aclrtResetDevice(0)));
  CHILD_EXPECT((threads_of_test() == 0) == (synchronised != ACL_SUCCESS));
  return 0;
}

TEST_CASE("every way to wait for a kernel ends, with whatever threads the system gives") {
  const int threads = GENERATE(0, 1, 2, 3, 4);
  const auto child = run("synchronises_in_every_way", {{"FEW_THREADS", std::to_string(threads)}});
  INFO(threads << " threads\n" << child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(destroys_what_waits_for_each_other) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  allow_threads(threads_of_test());
  const aclrtStream stream = make_stream();
  const aclrtStream other = make_stream();
  aclrtNotify notify = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateNotify(&notify, 0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtWaitAndResetNotify(notify, other, 0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(try_launch(stream, [] {}), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtRecordNotify(notify, stream), ACL_SUCCESS);
  // The first one is still there when its tasks could not run, so the second one is not alone.
  CHILD_EXPECT(done_or_no_thread(aclrtDestroyStream(stream)));
  CHILD_EXPECT(done_or_no_thread(aclrtDestroyStream(other)));
  CHILD_EXPECT(done_or_no_thread(aclrtResetDevice(0)));
  return 0;
}

TEST_CASE("a stream whose tasks have no thread is not destroyed, so that nobody waits for ever") {
  const int threads = GENERATE(0, 1, 2);
  const auto child =
      run("destroys_what_waits_for_each_other", {{"FEW_THREADS", std::to_string(threads)}});
  INFO(threads << " threads\n" << child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(uses_functions_of_the_host) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  const aclrtStream stream = make_stream();
  const aclrtStream served = make_stream();
  std::atomic<int> ran{0};
  static std::atomic<int> told{0};
  static std::atomic<aclError> processed{-1};
  std::atomic<bool> subscribed{false};
  std::thread reporter([&] {  // the program's own, before the threads run out
    eventually([&] { return subscribed.load(); });
    processed = aclrtProcessReport(-1);
  });
  CHILD_EXPECT_CODE(
      aclrtSubscribeReport(static_cast<std::uint64_t>(reporter.native_handle()), served),
      ACL_SUCCESS);
  subscribed = true;
  allow_threads(threads_of_test());
  CHILD_EXPECT_CODE(aclrtSetExceptionInfoCallback([](aclrtExceptionInfo*) { ++told; }),
                    ACL_SUCCESS);
  const auto count = [](void* counter) { ++*static_cast<std::atomic<int>*>(counter); };
  // A function of the host behind a kernel, and a kernel that fails.
  CHILD_EXPECT_CODE(try_launch(stream, [&] { ++ran; }), ACL_SUCCESS);
  CHILD_EXPECT(done_or_no_thread(aclrtLaunchHostFunc(stream, count, &ran)));
  CHILD_EXPECT_CODE(try_launch(stream, [&] { ++ran; }), ACL_SUCCESS);
  CHILD_EXPECT(done_or_no_thread(aclrtSynchronizeStream(stream)));
  CHILD_EXPECT_CODE(try_launch(stream, [&] { return 507015; }), ACL_SUCCESS);
  const aclError failed = aclrtSynchronizeStream(stream);
  CHILD_EXPECT(failed == 507015 || failed_for_threads(failed));
  // A callback behind a kernel, for which a thread waits without limit.
  CHILD_EXPECT_CODE(try_launch(served, [&] { ++ran; }), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtLaunchCallback(count, &ran, ACL_CALLBACK_BLOCK, served), ACL_SUCCESS);
  CHILD_EXPECT(done_or_no_thread(aclrtSynchronizeStream(served)));
  reporter.join();
  CHILD_EXPECT(processed == ACL_SUCCESS || processed == kNoThread);
  // A wait that its limit ends.
  aclrtEvent never = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateEventWithFlag(&never, ACL_EVENT_SYNC), ACL_SUCCESS);
  const aclrtStream limited = make_stream();
  CHILD_EXPECT_CODE(aclrtStreamWaitEventWithTimeout(limited, never, 1), ACL_SUCCESS);
  const aclError limit = aclrtSynchronizeStream(limited);
  CHILD_EXPECT(limit == ACL_ERROR_RT_WAIT_TIMEOUT || failed_for_threads(limit));
  CHILD_EXPECT(done_or_no_thread(aclrtResetDevice(0)));
  return 0;
}

TEST_CASE("host functions, callbacks and time limits end, with whatever threads the system gives") {
  const int threads = GENERATE(0, 1, 2, 3, 4, 5);
  const auto child = run("uses_functions_of_the_host", {{"FEW_THREADS", std::to_string(threads)}});
  INFO(threads << " threads\n" << child.output);
  CHECK(child.clean());
}

// The first kernel needs the second, which another stream has.
CHILD_PROGRAM(kernels_that_need_each_other) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  allow_threads(threads_of_test());
  const aclrtStream stream = make_stream();
  const aclrtStream other = make_stream();
  static std::atomic<bool> written{false};
  CHILD_EXPECT_CODE(try_launch(stream, [] { eventually([] { return written.load(); }, 100s); }),
                    ACL_SUCCESS);
  CHILD_EXPECT_CODE(try_launch(other, [] { written = true; }), ACL_SUCCESS);
  const aclError code = aclrtSynchronizeStream(stream);
  CHILD_EXPECT(done_or_no_thread(code));
  CHILD_EXPECT((code == ACL_SUCCESS) == written);
  _exit(0);  // the first may still wait
}

TEST_CASE("a synchronise does not hang when kernels that need each other get too few threads") {
  const int threads = GENERATE(0, 1, 2, 3);
  const auto child =
      run("kernels_that_need_each_other", {{"FEW_THREADS", std::to_string(threads)}});
  INFO(threads << " threads\n" << child.output);
  CHECK(child.clean());
}

// ---- what becomes of the work

CHILD_PROGRAM(gets_threads_later) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  allow_threads(0);
  std::atomic<int> ran{0};
  CHILD_EXPECT_CODE(try_launch(nullptr, [&] { ++ran; }), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), kNoThread);
  CHILD_EXPECT(recent().find("tasks of streams are ready and have no thread to run: no thread can "
                             "be started") != std::string::npos);
  CHILD_EXPECT(ran == 0);
  allow_threads(-1);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  CHILD_EXPECT(ran == 1);
  CHILD_EXPECT_CODE(aclrtResetDevice(0), ACL_SUCCESS);
  return 0;
}

TEST_CASE("work that had no thread is done once there are threads") {
  const auto child = run("gets_threads_later");
  INFO(child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(destroys_a_graph_that_runs) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  allow_threads(0);
  const aclrtStream stream = make_stream();
  CHILD_EXPECT_CODE(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), ACL_SUCCESS);
  CHILD_EXPECT_CODE(try_launch(stream, [] {}), ACL_SUCCESS);
  aclmdlRI model = nullptr;
  CHILD_EXPECT_CODE(aclmdlRICaptureEnd(stream, &model), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclmdlRIExecuteAsync(model, stream), ACL_SUCCESS);
  CHILD_EXPECT(failed_for_threads(aclmdlRIDestroy(model)));
  return 0;
}

TEST_CASE("a graph whose run has no thread is not waited for until patience ends") {
  const auto child = run("destroys_a_graph_that_runs");
  INFO(child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(copies_without_threads) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  allow_threads(0);
  void* memory = nullptr;
  int value = 7;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, sizeof value, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMemcpyAsync(memory, sizeof value, &value, sizeof value,
                                     ACL_MEMCPY_HOST_TO_DEVICE, nullptr),
                    ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  value = 0;
  CHILD_EXPECT_CODE(
      aclrtMemcpy(&value, sizeof value, memory, sizeof value, ACL_MEMCPY_DEVICE_TO_HOST),
      ACL_SUCCESS);
  CHILD_EXPECT(value == 7);
  CHILD_EXPECT_CODE(aclrtResetDevice(0), ACL_SUCCESS);
  return 0;
}

TEST_CASE("what needs no kernel is done by the thread that waits") {
  const auto child = run("copies_without_threads");
  INFO(child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(loses_its_last_thread) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  allow_threads(1);
  static std::atomic<bool> ended{false};
  CHILD_EXPECT_CODE(try_launch(nullptr,
                               [] {
                                 ended = true;
                                 pthread_exit(nullptr);
                               }),
                    ACL_SUCCESS);
  CHILD_EXPECT(eventually([] { return ended.load(); }));
  std::atomic<int> ran{0};
  CHILD_EXPECT_CODE(try_launch(nullptr, [&] { ++ran; }), ACL_SUCCESS);
  const aclError code = aclrtSynchronizeStream(nullptr);
  CHILD_EXPECT(code == ACL_ERROR_RT_VECTOR_CORE_EXCEPTION || failed_for_threads(code));
  allow_threads(-1);
  aclrtSynchronizeStream(nullptr);
  CHILD_EXPECT(ran == 1);
  CHILD_EXPECT_CODE(aclrtResetDevice(0), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a kernel that takes the last thread with it hangs nothing") {
  const auto child = run("loses_its_last_thread");
  INFO(child.output);
  CHECK(child.clean());
}

// ---- places that start a thread of their own

CHILD_PROGRAM(launches_a_host_function) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  allow_threads(0);
  const auto count = [](void* counter) { ++*static_cast<std::atomic<int>*>(counter); };
  std::atomic<int> ran{0};
  CHILD_EXPECT(failed_for_threads(aclrtLaunchHostFunc(nullptr, count, &ran)));
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  allow_threads(-1);
  CHILD_EXPECT_CODE(aclrtLaunchHostFunc(nullptr, count, &ran), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  CHILD_EXPECT(ran == 1);
  CHILD_EXPECT_CODE(aclrtResetDevice(0), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a host function that no thread can run is refused when it is launched") {
  const auto child = run("launches_a_host_function");
  INFO(child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(runs_a_seeded_schedule) {
  allow_threads(0);
  CHILD_EXPECT(failed_for_threads(aclrtSetDevice(0)));
  allow_threads(1);  // the ticker
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  std::atomic<int> ran{0};
  CHILD_EXPECT_CODE(try_launch(nullptr, [&] { ++ran; }), ACL_SUCCESS);
  CHILD_EXPECT(failed_for_threads(aclrtSynchronizeStream(nullptr)));
  CHILD_EXPECT(ran == 0);
  allow_threads(-1);
  CHILD_EXPECT_CODE(try_launch(nullptr, [&] { ++ran; }), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  CHILD_EXPECT(ran == 1);
  CHILD_EXPECT_CODE(aclrtResetDevice(0), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a seeded schedule without threads is refused, and its kernels fail") {
  const auto child = run("runs_a_seeded_schedule", {{"ACLSIM_SCHEDULE", "seeded"}});
  INFO(child.output);
  CHECK(child.clean());
}

namespace {

bool signals_are_handled() {
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  return sigismember(&blocked, SIGTERM) == 0;
}

std::ptrdiff_t open_files() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return std::distance(begin(files), end(files));
}

}  // namespace

CHILD_PROGRAM(shares_memory) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  void* memory = nullptr;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  char key[65] = {};
  allow_threads(0);
  CHILD_EXPECT(failed_for_threads(aclrtIpcMemGetExportKey(memory, 4096, key, sizeof key, 0)));
  CHILD_EXPECT(signals_are_handled());
  allow_threads(-1);
  CHILD_EXPECT_CODE(aclrtIpcMemGetExportKey(memory, 4096, key, sizeof key, 0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtResetDevice(0), ACL_SUCCESS);
  return 0;
}

TEST_CASE("what no thread can answer for is not shared") {
  const auto child = run("shares_memory");
  INFO(child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(subscribes_to_tasks) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  int ends[2];
  CHILD_EXPECT(pipe(ends) == 0);
  aclprofSubscribeConfig* const config = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &ends[1]);
  const std::ptrdiff_t before = open_files();
  allow_threads(0);
  CHILD_EXPECT(failed_for_threads(aclprofModelSubscribe(1, config)));
  CHILD_EXPECT(open_files() == before);
  CHILD_EXPECT(signals_are_handled());
  allow_threads(-1);
  CHILD_EXPECT_CODE(aclprofModelSubscribe(1, config), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofModelUnSubscribe(1), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofDestroySubscribeConfig(config), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtResetDevice(0), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a subscription without a thread is refused and leaves nothing behind") {
  const auto child = run("subscribes_to_tasks");
  INFO(child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(writes_files) {
  allow_threads(0);
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  void* memory = nullptr;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMemsetAsync(memory, 4096, 1, 4096, nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtResetDevice(0), ACL_SUCCESS);
  return 0;
}

TEST_CASE("timelines and recordings are whole without a thread of theirs") {
  const support::TempDir dir;
  const auto child =
      run("writes_files", {{"ACLSIM_TIMELINE", (dir.path() / "t.json").string()},
                           {"ACLSIM_RECORD", (dir.path() / "r.aclt.jsonl").string()}});
  INFO(child.output);
  CHECK(child.clean());
  CHECK_THAT(dir.read("t.json"), ContainsSubstring("\"cat\":\"device\""));
  CHECK_THAT(dir.read("r.aclt.jsonl"), ContainsSubstring("memset"));
}

TEST_CASE("a watchdog without a thread says that there is none") {
  const auto child = run("writes_files", {{"ACLSIM_WATCHDOG", "1"}});
  INFO(child.output);
  CHECK(child.clean());
  CHECK_THAT(child.output, ContainsSubstring("there is no watchdog: no thread can be started"));
}

// ---- a limit of the system

// As another user: root has no such limit.
CHILD_PROGRAM(has_a_limit_of_processes) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  if (geteuid() == 0 && setuid(54321) != 0) return 0;
  rlimit before{};
  CHILD_EXPECT(getrlimit(RLIMIT_NPROC, &before) == 0);
  const rlimit none{0, before.rlim_max};
  CHILD_EXPECT(setrlimit(RLIMIT_NPROC, &none) == 0);
  std::atomic<int> ran{0};
  CHILD_EXPECT_CODE(try_launch(nullptr, [&] { ++ran; }), ACL_SUCCESS);
  CHILD_EXPECT(failed_for_threads(aclrtSynchronizeStream(nullptr)));
  CHILD_EXPECT(ran == 0);
  CHILD_EXPECT(failed_for_threads(aclrtResetDevice(0)));
  CHILD_EXPECT(setrlimit(RLIMIT_NPROC, &before) == 0);  // LeakSanitizer starts a process at the end
  return 0;
}

TEST_CASE("under a limit of processes a synchronise fails and says so") {
  const auto child = run("has_a_limit_of_processes");
  INFO(child.output);
  CHECK(child.clean());
}
