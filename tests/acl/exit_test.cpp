// SPDX-License-Identifier: Apache-2.0
// The end of a process, and the state of the runtime after a fork.
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "tests/acl/world.h"
#include "tests/support/child.h"

using namespace world;

namespace {

// The allocators of sanitizers are not usable in a child if another thread was in them at the fork.
void await_idle_threads() {
  int looks = 0;
  eventually([&] { return (looks = support::others_are_blocked() ? looks + 1 : 0) == 10; });
}

// The exit status of a forked process that calls `body`, which returns 0 for the expected result.
int status_of_forked(int (*body)()) {
  const pid_t pid = fork();
  if (pid == 0) _exit(body());
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

aclrtStream start() {
  CHILD_EXPECT_CODE(aclInit(nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateStream(&stream), ACL_SUCCESS);
  return stream;
}

void run_something(aclrtStream stream) {
  std::atomic<bool> ran{false};
  CHILD_EXPECT_CODE(try_launch(stream, [&] { ran = true; }), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  CHILD_EXPECT(ran);
}

std::atomic<bool> entered{false};

void never_returns() {
  entered = true;
  for (;;) std::this_thread::yield();
}

void ends_cleanly(const char* program, const support::Environment& environment = {}) {
  const auto child = support::run_child(program, environment, 30s);
  INFO(program << ": status " << child.status << ", signal " << child.signal << "\n"
               << child.output);
  CHECK_FALSE(child.timed_out);
  CHECK(child.signal == 0);
  CHECK(child.status == 0);
}

}  // namespace

// ---- ends of processes
// -----------------------------------------------------------------------------------

CHILD_PROGRAM(exit_without_finalize) {
  const aclrtStream stream = start();
  run_something(stream);
  void* memory = nullptr;
  aclrtEvent event = nullptr;
  CHILD_EXPECT_CODE(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtCreateEvent(&event), ACL_SUCCESS);
  return 0;
}

CHILD_PROGRAM(exit_without_synchronise) {
  const aclrtStream stream = start();
  static std::atomic<int> runs{0};
  for (int i = 0; i < 1000; ++i) {
    CHILD_EXPECT_CODE(try_launch(stream, [] { ++runs; }), ACL_SUCCESS);
  }
  return 0;
}

CHILD_PROGRAM(exit_with_a_kernel_that_never_returns) {
  const aclrtStream stream = start();
  CHILD_EXPECT_CODE(try_launch(stream, never_returns), ACL_SUCCESS);
  CHILD_EXPECT(eventually([&] {
    aclrtStreamStatus status{};
    aclrtStreamQuery(stream, &status);
    return entered.load();
  }));
  return 0;
}

CHILD_PROGRAM(exit_with_a_host_function_that_never_returns) {
  const aclrtStream stream = start();
  CHILD_EXPECT_CODE(aclrtLaunchHostFunc(
                        stream, [](void*) { never_returns(); }, nullptr),
                    ACL_SUCCESS);
  CHILD_EXPECT(eventually([&] {
    aclrtStreamStatus status{};
    aclrtStreamQuery(stream, &status);
    return entered.load();
  }));
  return 0;
}

CHILD_PROGRAM(exit_with_a_callback_that_nobody_serves) {
  const aclrtStream stream = start();
  CHILD_EXPECT_CODE(aclrtSubscribeReport(this_thread_id(), stream), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_BLOCK, stream),
                    ACL_SUCCESS);
  CHILD_EXPECT_CODE(try_launch(stream, [] {}), ACL_SUCCESS);
  return 0;
}

CHILD_PROGRAM(exit_with_a_thread_that_serves) {
  const aclrtStream stream = start();
  std::atomic<std::uint64_t> id{0};
  std::thread server([&] {
    id = this_thread_id();
    for (;;) aclrtProcessReport(-1);
  });
  server.detach();
  CHILD_EXPECT(eventually([&] { return id != 0; }));
  CHILD_EXPECT_CODE(aclrtSubscribeReport(id, stream), ACL_SUCCESS);
  static std::atomic<int> calls{0};
  CHILD_EXPECT_CODE(
      aclrtLaunchCallback([](void*) { ++calls; }, nullptr, ACL_CALLBACK_BLOCK, stream),
      ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  CHILD_EXPECT(calls == 1);
  return 0;
}

CHILD_PROGRAM(exit_with_a_thread_that_synchronises) {
  static aclrtStream stream = start();
  static aclrtEvent never = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateEventWithFlag(&never, ACL_EVENT_SYNC), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtStreamWaitEvent(stream, never), ACL_SUCCESS);
  static std::atomic<bool> calling{false};
  std::thread([] {
    aclrtSetDevice(0);
    calling = true;
    aclrtSynchronizeStream(stream);
  }).detach();
  CHILD_EXPECT(eventually([] { return calling.load(); }));
  return 0;
}

CHILD_PROGRAM(exit_in_a_second_thread) {
  const aclrtStream stream = start();
  aclrtEvent never = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateEventWithFlag(&never, ACL_EVENT_SYNC), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtStreamWaitEvent(stream, never), ACL_SUCCESS);
  std::thread([main = this_thread_number()] {
    eventually([&] { return support::is_blocked(main); });
    std::exit(0);
  }).detach();
  aclrtSynchronizeStream(stream);
  for (;;) std::this_thread::yield();
}

CHILD_PROGRAM(end_without_handlers) {
  const aclrtStream stream = start();
  CHILD_EXPECT_CODE(try_launch(stream, [] { let_time_pass(50ms); }), ACL_SUCCESS);
  _exit(0);
}

CHILD_PROGRAM(end_quickly) {
  const aclrtStream stream = start();
  CHILD_EXPECT_CODE(try_launch(stream, [] { let_time_pass(50ms); }), ACL_SUCCESS);
  std::quick_exit(0);
}

CHILD_PROGRAM(finalize_with_work_in_flight) {
  const aclrtStream stream = start();
  static std::atomic<int> runs{0};
  for (int i = 0; i < 100; ++i) {
    CHILD_EXPECT_CODE(try_launch(stream, [] { ++runs; }), ACL_SUCCESS);
  }
  CHILD_EXPECT_CODE(aclFinalize(), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a process may end whatever its streams are doing") {
  const char* const program = GENERATE(
      "exit_without_finalize", "exit_without_synchronise", "exit_with_a_kernel_that_never_returns",
      "exit_with_a_host_function_that_never_returns", "exit_with_a_callback_that_nobody_serves",
      "exit_with_a_thread_that_serves", "exit_with_a_thread_that_synchronises",
      "exit_in_a_second_thread", "end_without_handlers", "end_quickly",
      "finalize_with_work_in_flight");
  ends_cleanly(program);
}

// ---- after main
// ------------------------------------------------------------------------------------------

namespace {

// Cleans up when the program's own objects go, after main.
struct Late {
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  void* memory = nullptr;
  ~Late() {
    if (stream == nullptr) return;
    aclrtSynchronizeStream(stream);
    aclrtStreamStatus status{};
    aclrtStreamQuery(stream, &status);
    try_launch(stream, [] {});
    aclrtDestroyEvent(event);
    aclrtFree(memory);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    aclFinalize();
    aclGetRecentErrMsg();
  }
};

Late late;  // made before the runtime's own objects

void prepare(Late& object) {
  object.stream = start();
  CHILD_EXPECT_CODE(aclrtCreateEvent(&object.event), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtMalloc(&object.memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  CHILD_EXPECT_CODE(try_launch(object.stream, [] {}), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtRecordEvent(object.event, object.stream), ACL_SUCCESS);
}

}  // namespace

CHILD_PROGRAM(clean_up_in_an_early_static_object) {
  prepare(late);
  return 0;
}

CHILD_PROGRAM(clean_up_in_a_late_static_object) {
  CHILD_EXPECT_CODE(aclInit(nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclFinalize(), ACL_SUCCESS);
  static Late later;
  prepare(later);
  return 0;
}

CHILD_PROGRAM(clean_up_in_an_exit_handler) {
  static Late* const object = new Late;
  std::atexit([] { delete object; });
  prepare(*object);
  return 0;
}

CHILD_PROGRAM(clean_up_in_a_thread_object) {
  static thread_local Late object;
  prepare(object);
  return 0;
}

TEST_CASE("objects that are destroyed after main may call the runtime") {
  const char* const program =
      GENERATE("clean_up_in_an_early_static_object", "clean_up_in_a_late_static_object",
               "clean_up_in_an_exit_handler", "clean_up_in_a_thread_object");
  ends_cleanly(program);
}

CHILD_PROGRAM(thread_ends_with_unfinished_work) {
  std::thread([] {
    aclrtSetDevice(0);
    static std::atomic<int> runs{0};
    for (int i = 0; i < 100; ++i) try_launch(nullptr, [] { ++runs; });
  }).join();
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeDevice(), ACL_SUCCESS);
  return 0;
}

CHILD_PROGRAM(thread_is_cancelled_while_it_waits) {
  static const aclrtStream stream = start();
  aclrtEvent event = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtStreamWaitEvent(stream, event), ACL_SUCCESS);
  static std::atomic<pid_t> waiting{0};
  pthread_t thread{};
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        aclrtSetDevice(0);
        waiting = this_thread_number();
        aclrtSynchronizeStreamWithTimeout(stream, 500);
        for (;;) pthread_testcancel();
      },
      nullptr);
  CHILD_EXPECT(eventually_blocked(waiting));
  pthread_cancel(thread);
  CHILD_EXPECT(pthread_join(thread, nullptr) == 0);
  CHILD_EXPECT_CODE(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a thread may end at any time") {
  const char* const program =
      GENERATE("thread_ends_with_unfinished_work", "thread_is_cancelled_while_it_waits");
  ends_cleanly(program);
}

// ---- fork
// ------------------------------------------------------------------------------------------------

CHILD_PROGRAM(fork_then_call) {
  static const aclrtStream stream = start();
  run_something(stream);
  await_idle_threads();
  const int status = status_of_forked([] {
    std::int32_t device = -1;
    if (aclrtGetDevice(&device) != ACL_ERROR_RT_CONTEXT_NULL) return 1;
    if (aclGetRecentErrMsg() == nullptr) return 2;
    if (aclrtSetDevice(0) != ACL_ERROR_RT_CONTEXT_NULL) return 3;
    if (aclrtSynchronizeStream(stream) != ACL_ERROR_RT_CONTEXT_NULL) return 4;
    void* memory = nullptr;
    if (aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_ERROR_RT_CONTEXT_NULL) return 5;
    if (aclrtDestroyStream(stream) != ACL_ERROR_RT_CONTEXT_NULL) return 6;
    return 0;
  });
  if (status != 0) std::fprintf(stderr, "the forked process ended with %d\n", status);
  run_something(stream);
  return status;
}

CHILD_PROGRAM(fork_then_exit) {
  static const aclrtStream stream = start();
  run_something(stream);
  await_idle_threads();
  const int status = status_of_forked([] {
    std::exit(0);  // with static destructors and exit handlers
    return 1;
  });
  run_something(stream);
  return status;
}

CHILD_PROGRAM(fork_with_work_in_flight) {
  static const aclrtStream stream = start();
  static std::atomic<bool> forked{false};
  CHILD_EXPECT_CODE(try_launch(stream, [] { eventually([] { return forked.load(); }); }),
                    ACL_SUCCESS);
  const int status = status_of_forked([] {
    aclrtStreamStatus answer{};
    return aclrtStreamQuery(stream, &answer) == ACL_ERROR_RT_CONTEXT_NULL ? 0 : 1;
  });
  forked = true;
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  return status;
}

CHILD_PROGRAM(fork_before_the_first_call) {
  const int status = status_of_forked([] {
    run_something(start());
    return 0;
  });
  run_something(start());
  return status;
}

CHILD_PROGRAM(fork_then_exec) {
  run_something(start());
  const auto child = support::run_child("exit_without_finalize");
  CHILD_EXPECT(child.clean());
  return 0;
}

TEST_CASE("the runtime does not survive a fork, and says so, and the parent goes on") {
  const char* const program =
      GENERATE("fork_then_call", "fork_then_exit", "fork_with_work_in_flight",
               "fork_before_the_first_call", "fork_then_exec");
  // LeakSanitizer looks for the parent's threads in the child and stumbles over them.
  ends_cleanly(program, {{"ASAN_OPTIONS", "detect_leaks=0"}});
}

// ---- a program that waits for itself
// ---------------------------------------------------------------------

CHILD_PROGRAM(wait_for_each_other) {
  aclrtStream first = start();
  aclrtStream second = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateStream(&second), ACL_SUCCESS);
  aclrtEvent one = nullptr;
  aclrtEvent two = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateEventWithFlag(&one, ACL_EVENT_SYNC), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtCreateEventWithFlag(&two, ACL_EVENT_SYNC), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtStreamWaitEvent(first, one), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtRecordEvent(two, first), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtStreamWaitEvent(second, two), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtRecordEvent(one, second), ACL_SUCCESS);
  aclrtSynchronizeStreamWithTimeout(first, 2500);
  return 0;
}

TEST_CASE("a program whose streams wait for each other can be told who waits for what") {
  const auto child = support::run_child("wait_for_each_other", {{"ACLSIM_WATCHDOG", "1"}}, 30s);
  INFO(child.output);
  CHECK_FALSE(child.timed_out);
  CHECK_THAT(child.output, catch_compat::ContainsSubstring("stream"));
  CHECK_THAT(child.output, catch_compat::ContainsSubstring("wait"));
}

CHILD_PROGRAM(run_a_long_host_function) {
  const aclrtStream stream = start();
  CHILD_EXPECT_CODE(aclrtLaunchHostFunc(
                        stream, [](void*) { let_time_pass(2500ms); }, nullptr),
                    ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  return 0;
}

CHILD_PROGRAM(record_late) {
  const aclrtStream stream = start();
  aclrtEvent event = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtStreamWaitEvent(stream, event), ACL_SUCCESS);
  let_time_pass(2500ms);  // the host works
  CHILD_EXPECT_CODE(aclrtRecordEvent(event, nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  return 0;
}

TEST_CASE("the watchdog ends no program that may still go on") {
  const char* const program = GENERATE("run_a_long_host_function", "record_late");
  ends_cleanly(program, {{"ACLSIM_WATCHDOG", "1"}});
}

CHILD_PROGRAM(wait_for_an_unserved_callback) {
  const aclrtStream stream = start();
  CHILD_EXPECT_CODE(aclrtSubscribeReport(this_thread_id(), stream), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_BLOCK, stream),
                    ACL_SUCCESS);
  aclrtSynchronizeStream(stream);
  return 0;
}

TEST_CASE("the watchdog ends a program that waits for a callback that nobody serves") {
  const auto child =
      support::run_child("wait_for_an_unserved_callback", {{"ACLSIM_WATCHDOG", "1"}}, 30s);
  INFO(child.output);
  CHECK_FALSE(child.timed_out);
  CHECK(child.status == 3);
  CHECK_THAT(child.output, catch_compat::ContainsSubstring("host function"));
}
