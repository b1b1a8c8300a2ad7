// SPDX-License-Identifier: Apache-2.0
// The recorded programs, in processes of their own.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "acl/acl_rt_memory_soma.h"
#include "acl/acl_sim_check.h"
#include "tests/record/recorded.h"
#include "tests/support/waiting.h"

using recorded::launch;

namespace {

constexpr std::size_t kBytes = 4096;

/// Device 0 with two streams.
struct Desk {
  aclrtStream a = nullptr;
  aclrtStream b = nullptr;
  Desk() {
    EXPECT_ACL(aclInit(nullptr));
    EXPECT_ACL(aclrtSetDevice(0));
    EXPECT_ACL(aclrtCreateStream(&a));
    EXPECT_ACL(aclrtCreateStream(&b));
  }
  void settle() const {
    EXPECT_ACL(aclrtSynchronizeStream(a));
    EXPECT_ACL(aclrtSynchronizeStream(b));
  }
};

void* memory(std::size_t bytes = kBytes) {
  void* at = nullptr;
  EXPECT_ACL(aclrtMalloc(&at, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  return at;
}

aclrtEvent event() {
  aclrtEvent made = nullptr;
  EXPECT_ACL(aclrtCreateEventExWithFlag(&made, ACL_EVENT_SYNC));
  return made;
}

std::atomic<bool> all_submitted{false};

std::int32_t hold(const aclsimKernelContext*, const void*) {
  support::eventually([] { return all_submitted.load(); });
  return 0;
}

/// A kernel that holds the stream until all_submitted.
aclError launch_hold(aclrtStream stream) {
  aclsimLaunch row{};
  row.size = sizeof row;
  row.name = "slow";
  row.kernel = hold;
  row.numBlocks = 1;
  return aclsimLaunchKernel(&row, stream);
}

/// Waits until the recording of this process holds the text.
void await_text(const char* text) {
  const auto holds_text = [&] {
    std::ifstream file(std::getenv("ACLSIM_RECORD"));
    const std::string all{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return all.find(text) != std::string::npos;
  };
  CHILD_EXPECT(support::eventually(holds_text, support::kDeadline, std::chrono::milliseconds(10)));
}

}  // namespace

// An event is recorded twice before the first wait for it has run.
CHILD_PROGRAM(records_an_event_again) {
  const Desk desk;
  const aclrtEvent ready = event();
  EXPECT_ACL(launch_hold(desk.a));
  EXPECT_ACL(launch("first", desk.a));
  EXPECT_ACL(aclrtRecordEvent(ready, desk.a));
  EXPECT_ACL(aclrtStreamWaitEvent(desk.b, ready));
  EXPECT_ACL(launch("second", desk.a));
  EXPECT_ACL(aclrtRecordEvent(ready, desk.a));
  EXPECT_ACL(launch("between", desk.b));
  EXPECT_ACL(aclrtStreamWaitEvent(desk.b, ready));
  EXPECT_ACL(launch("last", desk.b));
  all_submitted = true;
  desk.settle();
  EXPECT_ACL(aclrtStreamWaitEvent(desk.b, ready));    // over: needs no task
  EXPECT_ACL(aclrtStreamWaitEvent(desk.b, event()));  // never recorded
  EXPECT_ACL(aclrtSynchronizeEvent(ready));
  EXPECT_ACL(aclrtSynchronizeEvent(event()));  // never recorded
  return 0;
}

CHILD_PROGRAM(uses_a_flag) {
  const Desk desk;
  aclrtEvent flag = nullptr;
  EXPECT_ACL(aclrtCreateEventWithFlag(&flag, ACL_EVENT_SYNC));
  for (int lap = 0; lap < 2; ++lap) {
    EXPECT_ACL(aclrtStreamWaitEvent(desk.b, flag));  // before its record
    EXPECT_ACL(aclrtResetEvent(flag, desk.b));
    EXPECT_ACL(aclrtRecordEvent(flag, desk.a));
    desk.settle();
  }
  return 0;
}

CHILD_PROGRAM(notifies_twice) {
  const Desk desk;
  aclrtNotify notify = nullptr;
  EXPECT_ACL(aclrtCreateNotify(&notify, 0));
  for (int lap = 0; lap < 2; ++lap) {
    EXPECT_ACL(aclrtRecordNotify(notify, desk.a));
    EXPECT_ACL(aclrtWaitAndResetNotify(notify, desk.b, 0));
    desk.settle();
  }
  return 0;
}

CHILD_PROGRAM(waits_for_a_value) {
  const Desk desk;
  void* const word = memory(64);
  EXPECT_ACL(aclrtValueWait(static_cast<char*>(word) + 8, 7, ACL_STREAM_WAIT_VALUE_EQ, desk.b));
  EXPECT_ACL(aclrtValueWrite(static_cast<char*>(word) + 8, 7, 0, desk.a));
  desk.settle();
  return 0;
}

CHILD_PROGRAM(moves_bytes) {
  const Desk desk;
  char* const first = static_cast<char*>(memory());
  char* const second = static_cast<char*>(memory(2 * kBytes));
  void* pinned = nullptr;
  EXPECT_ACL(aclrtMallocHost(&pinned, kBytes));
  static char own[kBytes];
  EXPECT_ACL(aclrtMemset(first, kBytes, 1, 100));
  EXPECT_ACL(aclrtMemcpy(first, kBytes, own, 64, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT_ACL(aclrtMemcpyAsync(first + 16, 1000, pinned, 1000, ACL_MEMCPY_HOST_TO_DEVICE, desk.a));
  EXPECT_ACL(aclrtMemsetAsync(second + 8, 512, 0, 512, desk.a));
  EXPECT_ACL(aclrtReduceAsync(second, first, 256, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_INT32,
                              desk.a, nullptr));
  EXPECT_ACL(launch("declared", desk.a,
                    {{first + 4, 40, ACLSIM_ACCESS_READ}, {second + 12, 80, ACLSIM_ACCESS_WRITE}}));
  EXPECT_ACL(
      launch("in_place", desk.a, {{second + 8, 16, ACLSIM_ACCESS_READ | ACLSIM_ACCESS_WRITE}}));
  desk.settle();
  EXPECT_ACL(aclrtMemcpy(own + 32, 64, first, 64, ACL_MEMCPY_DEVICE_TO_HOST));
  EXPECT_ACL(aclsimCheckRead(own, 8));
  EXPECT_ACL(aclrtFree(first));
  memory();  // a new buffer, wherever it lies
  return 0;
}

CHILD_PROGRAM(launches_a_graph_twice) {
  const Desk desk;
  const aclrtEvent fork_event = event();
  const aclrtEvent join_event = event();
  EXPECT_ACL(aclmdlRICaptureBegin(desk.a, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  EXPECT_ACL(launch("head", desk.a));
  EXPECT_ACL(aclrtRecordEvent(fork_event, desk.a));
  EXPECT_ACL(aclrtStreamWaitEvent(desk.b, fork_event));
  EXPECT_ACL(launch("side", desk.b));
  EXPECT_ACL(aclrtRecordEvent(join_event, desk.b));
  EXPECT_ACL(aclrtStreamWaitEvent(desk.a, join_event));
  EXPECT_ACL(launch("tail", desk.a));
  aclmdlRI graph = nullptr;
  EXPECT_ACL(aclmdlRICaptureEnd(desk.a, &graph));
  EXPECT_ACL(launch("before", desk.a));
  for (int lap = 0; lap < 2; ++lap) EXPECT_ACL(aclmdlRIExecuteAsync(graph, desk.a));
  EXPECT_ACL(launch("after", desk.a));
  desk.settle();
  EXPECT_ACL(aclmdlRIDestroy(graph));
  return 0;
}

CHILD_PROGRAM(has_three_threads) {
  const Desk desk;
  aclrtContext context = nullptr;
  EXPECT_ACL(aclrtGetCurrentContext(&context));
  const auto body = [&](aclrtStream stream, const char* name) {
    EXPECT_ACL(aclrtSetCurrentContext(context));
    for (int i = 0; i < 200; ++i) EXPECT_ACL(launch(name, stream));
    EXPECT_ACL(aclrtSynchronizeStream(stream));
  };
  std::thread one([&] { body(desk.a, "one"); });
  std::thread two([&] { body(desk.a, "two"); });
  body(desk.a, "main");
  one.join();
  two.join();
  EXPECT_ACL(aclrtSynchronizeDevice());
  return 0;
}

CHILD_PROGRAM(works_with_two_streams) {
  const Desk desk;
  void* const buffer = memory();
  const aclrtEvent ready = event();
  for (int i = 0; i < 20; ++i) {
    EXPECT_ACL(launch("producer", desk.a, {{buffer, 64, ACLSIM_ACCESS_WRITE}}));
    EXPECT_ACL(aclrtRecordEvent(ready, desk.a));
    EXPECT_ACL(aclrtStreamWaitEvent(desk.b, ready));
    EXPECT_ACL(launch("consumer", desk.b, {{buffer, 64, ACLSIM_ACCESS_READ}}));
  }
  aclrtStreamStatus status{};
  EXPECT_ACL(aclrtStreamQuery(desk.b, &status));
  desk.settle();
  EXPECT_ACL(aclrtSynchronizeDevice());
  return 0;
}

CHILD_PROGRAM(leaves_by_exit) {
  const Desk desk;
  EXPECT_ACL(launch("done", desk.a));
  desk.settle();
  std::exit(7);
}

CHILD_PROGRAM(is_killed_while_it_waits) {
  const Desk desk;
  aclrtNotify never = nullptr;
  EXPECT_ACL(aclrtCreateNotify(&never, 0));
  EXPECT_ACL(launch("done", desk.a));
  EXPECT_ACL(aclrtWaitAndResetNotify(never, desk.a, 0));
  EXPECT_ACL(launch("never", desk.a));
  std::thread([] {
    await_text("hsync");
    ::raise(SIGKILL);
  }).detach();
  aclrtSynchronizeStream(desk.a);
  return 1;
}

CHILD_PROGRAM(forks) {
  const Desk desk;
  EXPECT_ACL(launch("parent", desk.a));
  const pid_t child = ::fork();
  if (child == 0) {
    launch("child", desk.a);
    std::exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  CHILD_EXPECT(status == 0);
  desk.settle();
  return 0;
}

CHILD_PROGRAM(fails_in_a_kernel) {
  const Desk desk;
  EXPECT_ACL(launch("failing", desk.a));  // by ACLSIM_FAULTS
  CHILD_EXPECT(aclrtSynchronizeStream(desk.a) != ACL_SUCCESS);
  return 0;
}

CHILD_PROGRAM(uses_a_pool) {
  const Desk desk;
  aclrtMemPoolProps properties{};
  properties.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  aclrtMemPool pool = nullptr;
  EXPECT_ACL(aclrtMemPoolCreate(&pool, &properties));
  for (int lap = 0; lap < 2; ++lap) {
    void* at = nullptr;
    EXPECT_ACL(aclrtMemPoolMallocAsync(&at, kBytes, pool, desk.a));
    EXPECT_ACL(launch("in the pool", desk.a, {{at, 64, ACLSIM_ACCESS_WRITE}}));
    EXPECT_ACL(aclrtMemPoolFreeAsync(at, desk.a));
  }
  desk.settle();
  return 0;
}
