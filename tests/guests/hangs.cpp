// SPDX-License-Identifier: Apache-2.0
// Programs that hang, and right programs that are only slow: `hangs WAY`.
#include <acl/acl.h>
#include <acl/acl_sim.h>
#include <poll.h>
#include <pthread.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#define MUST(call)                                                      \
  do {                                                                  \
    const int code_ = (call);                                           \
    if (code_ != ACL_SUCCESS) {                                         \
      std::fprintf(stderr, "%d: %s gave %d\n", __LINE__, #call, code_); \
      std::_Exit(9);                                                    \
    }                                                                   \
  } while (false)

namespace {

constexpr size_t kBytes = 4096;

aclrtContext context = nullptr;
aclrtStream a = nullptr, b = nullptr;
aclrtEvent event = nullptr;
aclrtNotify first = nullptr, second = nullptr;
void *memory = nullptr, *word = nullptr, *host = nullptr;

void begin() {
  MUST(aclrtSetDevice(0));
  MUST(aclrtGetCurrentContext(&context));
  for (aclrtStream* const stream : {&a, &b}) MUST(aclrtCreateStream(stream));
  for (aclrtNotify* const notify : {&first, &second}) MUST(aclrtCreateNotify(notify, 0));
  MUST(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  for (void** const at : {&memory, &word}) MUST(aclrtMalloc(at, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  MUST(aclrtMallocHost(&host, kBytes));
  MUST(aclrtMemset(word, kBytes, 0, kBytes));
}

/// The system lets this time pass; the thread sleeps for a limited time.
void pause_ms(int ms) { poll(nullptr, 0, ms); }

/// An operation of stream a that nothing ends.
void wait_for_ever() { MUST(aclrtWaitAndResetNotify(first, a, 0)); }

/// A plain event (of a flag if `flags` is not 0) that was recorded and reset.
aclrtEvent reset_event(uint32_t flags) {
  aclrtEvent made = nullptr;
  MUST(flags == 0 ? aclrtCreateEvent(&made) : aclrtCreateEventWithFlag(&made, flags));
  MUST(aclrtRecordEvent(made, b));
  MUST(aclrtResetEvent(made, b));
  MUST(aclrtSynchronizeStream(b));
  return made;
}

aclmdlRI capture(const std::function<void()>& tasks) {
  aclmdlRI graph = nullptr;
  MUST(aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  tasks();
  MUST(aclmdlRICaptureEnd(a, &graph));
  return graph;
}

void launch(aclmdlRI graph) {
  MUST(aclmdlRIExecuteAsync(graph, a));
  aclrtSynchronizeStream(a);
}

void in_context() { MUST(aclrtSetCurrentContext(context)); }

/// A wait on a value that several writes pass over.
void overtaken(uint32_t how, std::uint64_t wanted, bool written_before) {
  for (const std::uint64_t value : {1, 2, 4}) MUST(aclrtValueWrite(word, value, 0, b));
  if (written_before) MUST(aclrtSynchronizeStream(b));
  MUST(aclrtValueWait(word, wanted, how, a));
  aclrtSynchronizeStream(a);
}

int32_t slow_kernel(const aclsimKernelContext*, const void*) {
  pause_ms(1500);
  return 0;
}

void record_late(void*) {
  pause_ms(800);
  in_context();
  MUST(aclrtRecordNotify(first, b));
}

void launch_slow() {
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "slow_kernel";
  launch.kernel = slow_kernel;
  launch.numBlocks = 1;
  MUST(aclsimLaunchKernel(&launch, a));
}

std::mutex mutex;
std::condition_variable changed;
bool go = false;

/// A thread that waits for the program's own condition, which no thread sets.
void idle_thread(bool calls) {
  std::thread([calls] {
    if (calls) in_context();
    std::unique_lock lock(mutex);
    changed.wait(lock, [] { return go; });
  }).detach();
}

using Ways = std::map<std::string, std::function<void()>>;

// ---- calls that never return ----

const Ways kCalls = {
    {"aclrtSynchronizeStream", [] { aclrtSynchronizeStream(a); }},
    {"aclrtSynchronizeDevice", [] { aclrtSynchronizeDevice(); }},
    {"aclrtSynchronizeEvent",
     [] {
       MUST(aclrtRecordEvent(event, a));
       aclrtSynchronizeEvent(event);
     }},
    {"aclrtFreeWithDevSync", [] { aclrtFreeWithDevSync(memory); }},
    {"aclrtFreeHostWithDevSync", [] { aclrtFreeHostWithDevSync(host); }},
    {"aclrtDestroyStream", [] { aclrtDestroyStream(a); }},
    {"aclrtResetDevice", [] { aclrtResetDevice(0); }},
    {"aclrtDestroyContext",
     [] {
       aclrtContext own = nullptr;
       MUST(aclrtCreateContext(&own, 0));
       MUST(aclrtCreateStream(&a));
       wait_for_ever();
       aclrtDestroyContext(own);
     }},
};

// ---- what nothing ends ----

const Ways kHangs = {
    {"external event of a graph",
     [] { launch(capture([] { MUST(aclrtStreamWaitEventWithFlag(a, event, 0, 1)); })); }},
    {"notify in a graph",
     [] { launch(capture([] { MUST(aclrtWaitAndResetNotify(first, a, 0)); })); }},
    {"value in a graph",
     [] { launch(capture([] { MUST(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, a)); })); }},
    {"graph behind a graph",
     [] {
       const aclmdlRI inner = capture([] { MUST(aclrtWaitAndResetNotify(first, a, 0)); });
       const aclmdlRI outer = capture([] { MUST(aclrtMemsetAsync(memory, 64, 1, 64, a)); });
       MUST(aclmdlRIExecuteAsync(inner, a));
       MUST(aclrtRecordEvent(event, a));
       MUST(aclrtStreamWaitEvent(b, event));
       MUST(aclmdlRIExecuteAsync(outer, b));
       aclrtSynchronizeStream(b);
     }},
    {"value overwritten before", [] { overtaken(ACL_STREAM_WAIT_VALUE_EQ, 2, true); }},
    {"value skipped while it waits",
     [] {
       MUST(aclrtLaunchHostFunc(
           b, [](void*) { pause_ms(300); }, nullptr));
       overtaken(ACL_STREAM_WAIT_VALUE_EQ, 3, false);
     }},
    {"bit overwritten", [] { overtaken(ACL_STREAM_WAIT_VALUE_AND, 3, true); }},
    {"value too small", [] { overtaken(ACL_STREAM_WAIT_VALUE_GEQ, 9, false); }},
    {"two threads",
     [] {
       MUST(aclrtWaitAndResetNotify(second, b, 0));
       wait_for_ever();
       std::thread other([] {
         in_context();
         if (aclrtSynchronizeStream(b) == ACL_SUCCESS) aclrtRecordNotify(first, b);
       });
       if (aclrtSynchronizeStream(a) == ACL_SUCCESS) aclrtRecordNotify(second, a);
       other.join();
     }},
    {"two threads, and main joins them",
     [] {
       MUST(aclrtWaitAndResetNotify(second, b, 0));
       wait_for_ever();
       std::thread one([] {
         in_context();
         aclrtSynchronizeStream(a);
       });
       std::thread other([] {
         in_context();
         aclrtSynchronizeStream(b);
       });
       one.join();
       other.join();
     }},
    {"an idle thread",
     [] {
       idle_thread(false);
       wait_for_ever();
       aclrtSynchronizeStream(a);
     }},
    {"a mutex that the waiting thread holds",
     [] {
       wait_for_ever();
       const std::lock_guard held(mutex);
       std::thread([] {
         in_context();
         const std::lock_guard lock(mutex);
         aclrtRecordNotify(first, b);
       }).detach();
       aclrtSynchronizeStream(a);
     }},
    {"a callback whose thread has ended",
     [] {
       std::thread([] {
         in_context();
         MUST(aclrtSubscribeReport(static_cast<std::uint64_t>(pthread_self()), a));
       }).join();
       MUST(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_BLOCK, a));
       aclrtSynchronizeStream(a);
     }},
    {"a stream that waits for a reset event",
     [] {
       MUST(aclrtStreamWaitEvent(a, reset_event(0)));
       aclrtSynchronizeStream(a);
     }},
    {"a reset event", [] { aclrtSynchronizeEvent(reset_event(0)); }},
    {"a reset flag", [] { aclrtSynchronizeEvent(reset_event(ACL_EVENT_SYNC)); }},
    {"a reset event, in two threads",
     [] {
       static const aclrtEvent reset = reset_event(0);
       MUST(aclrtStreamWaitEvent(a, reset));
       std::thread other([] {
         in_context();
         aclrtSynchronizeStream(a);
       });
       aclrtSynchronizeEvent(reset);
       other.join();
     }},
    {"a host function that waits",
     [] {
       wait_for_ever();
       MUST(aclrtLaunchHostFunc(
           b, [](void*) { in_context(), aclrtSynchronizeStream(a); }, nullptr));
       aclrtSynchronizeStream(b);
     }},
};

// ---- what ends, late ----

const Ways kRight = {
    {"a thread that calls late",
     [] {
       wait_for_ever();
       std::thread other([] {
         pause_ms(1200);
         in_context();
         MUST(aclrtRecordNotify(first, b));
       });
       MUST(aclrtSynchronizeStream(a));
       other.join();
     }},
    {"a thread behind a mutex",
     [] {
       wait_for_ever();
       std::unique_lock held(mutex);
       std::thread other([] {
         in_context();
         const std::lock_guard lock(mutex);
         MUST(aclrtRecordNotify(first, b));
       });
       std::thread third([&held] {
         pause_ms(1200);
         held.unlock();
       });
       MUST(aclrtSynchronizeStream(a));
       other.join();
       third.join();
     }},
    {"a slow kernel",
     [] {
       launch_slow();
       MUST(aclrtSynchronizeStream(a));
     }},
    {"a slow host function",
     [] {
       MUST(aclrtLaunchHostFunc(
           a, [](void*) { pause_ms(1200); }, nullptr));
       MUST(aclrtSynchronizeStream(a));
     }},
    {"a host function that records",
     [] {
       wait_for_ever();
       MUST(aclrtLaunchHostFunc(b, record_late, nullptr));
       MUST(aclrtSynchronizeStream(a));
     }},
    {"a thread that records a reset event late",
     [] {
       static const aclrtEvent reset = reset_event(0);
       MUST(aclrtStreamWaitEvent(a, reset));
       std::thread other([] {
         pause_ms(1200);
         in_context();
         MUST(aclrtRecordEvent(reset, b));
       });
       MUST(aclrtSynchronizeEvent(reset));
       MUST(aclrtSynchronizeStream(a));
       other.join();
     }},
    {"a host function that records a reset flag",
     [] {
       static const aclrtEvent reset = reset_event(ACL_EVENT_SYNC);
       const auto record = [](void*) {
         pause_ms(800);
         in_context();
         MUST(aclrtRecordEvent(reset, a));
       };
       MUST(aclrtLaunchHostFunc(b, record, nullptr));
       MUST(aclrtSynchronizeEvent(reset));
       MUST(aclrtSynchronizeStream(b));
     }},
    {"a wait with a limit on the device",
     [] {
       MUST(aclrtWaitAndResetNotify(first, a, 1));
       aclrtSynchronizeStream(a);
     }},
    {"calls with a limit until it is done",
     [] {
       wait_for_ever();
       std::thread other([] {
         in_context();
         pause_ms(300);
         MUST(aclrtRecordNotify(first, b));
       });
       while (aclrtSynchronizeStreamWithTimeout(a, 50) != ACL_SUCCESS) {
       }
       other.join();
     }},
};

// ---- neither proven nor over soon ----

const Ways kOthers = {
    {"for ever, with a thread that may call",
     [] {
       wait_for_ever();
       std::thread([] {
         in_context();
         pause_ms(1'000'000);
       }).detach();
       std::fputs("ready\n", stderr);
       aclrtSynchronizeStream(a);
     }},
    {"a call whose limit passes",
     [] {
       MUST(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, a));
       std::thread([] {
         in_context();
         pause_ms(1'000'000);
       }).detach();
       aclrtSynchronizeStreamWithTimeout(a, 300);
       std::exit(0);
     }},
    {"no call", [] { std::exit(4); }},
};

bool runs(const Ways& ways, const std::string& way, const std::function<void()>& before) {
  const auto at = ways.find(way);
  if (at == ways.end()) return false;
  if (way != "no call") begin();
  before();
  at->second();
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "";
  const auto nothing = [] {};
  if (runs(kCalls, way, wait_for_ever) || runs(kHangs, way, nothing) ||
      runs(kOthers, way, nothing)) {
    return 7;  // the hang has ended
  }
  if (!runs(kRight, way, nothing)) return 8;
  MUST(aclrtResetDevice(0));
  return 0;
}
