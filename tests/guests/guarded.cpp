// SPDX-License-Identifier: Apache-2.0
// Programs for `aclsim run --check --guard-reads`, whose host code touches memory that tasks use:
// `guarded NAME [ok]`; with ok the program is right. `guarded --list` prints the names and, for
// programs with a mistake, "planted".
#include <acl/acl.h>
#include <acl/acl_sim.h>

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <future>
#include <map>
#include <string>
#include <thread>

#include "planted_desk.h"

namespace {

constexpr size_t kPinned = 16384;

/// Two streams, a pinned buffer, memory of the device, and a thread that runs callbacks.
struct Room {
  aclrtStream a = nullptr, b = nullptr;
  aclrtContext context = nullptr;
  char* host = nullptr;
  char* device = nullptr;
  std::atomic<bool> ends{false};
  std::thread reporter;
  uint64_t id = 0;
  int null = open("/dev/null", O_WRONLY);

  Room() {
    MUST(aclInit(nullptr));
    MUST(aclrtSetDevice(0));
    MUST(aclrtGetCurrentContext(&context));
    MUST(aclrtCreateStream(&a));
    MUST(aclrtCreateStream(&b));
    void *pinned = nullptr, *memory = nullptr;
    MUST(aclrtMallocHost(&pinned, kPinned));
    MUST(aclrtMalloc(&memory, kPinned, ACL_MEM_MALLOC_HUGE_FIRST));
    MUST(aclrtMemset(memory, kPinned, 1, kPinned));
    host = static_cast<char*>(pinned);
    device = static_cast<char*>(memory);
    std::memset(host, 0, kPinned);
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;
  ~Room() {
    for (const aclrtStream stream : {a, b}) MUST(aclrtSynchronizeStream(stream));
    if (reporter.joinable()) {
      ends = true;
      reporter.join();
      MUST(aclrtUnSubscribeReport(id, a));
    }
    for (const aclrtStream stream : {a, b}) MUST(aclrtDestroyStream(stream));
    MUST(aclrtFreeHost(host));
    MUST(aclrtFree(device));
    MUST(aclrtResetDevice(0));
    MUST(aclFinalize());
    close(null);
  }

  /// From here on a thread runs the callbacks of the first stream.
  void report() {
    std::promise<void> subscribed;
    reporter = std::thread([this, ready = subscribed.get_future().share()] {
      MUST(aclrtSetCurrentContext(context));
      ready.wait();
      while (!ends) aclrtProcessReport(20);
    });
    id = reporter.native_handle();
    MUST(aclrtSubscribeReport(id, a));
    subscribed.set_value();
  }
  void copy_back(aclrtStream stream) const {
    MUST(aclrtMemcpyAsync(host, kPinned, device, kPinned, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  }
  void copy_in(aclrtStream stream) const {
    MUST(aclrtMemcpyAsync(device, kPinned, host, kPinned, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  }
  /// The second stream waits for all that was enqueued on the first.
  void order() const { ::order(a, b); }
};

/// The argument of functions, which wait until all is enqueued.
struct Work {
  Room* room = nullptr;
  std::atomic<bool> enqueued{false};
  std::atomic<int> done{0};
  long sum = 0;
  void wait() const {
    while (!enqueued) sched_yield();
  }
};

void fill(void* work) {
  Work& all = *static_cast<Work*>(work);
  all.wait();
  for (size_t i = 0; i < kPinned; ++i) all.room->host[i] = static_cast<char>(i);
  ++all.done;
}

void look(void* work) {
  Work& all = *static_cast<Work*>(work);
  all.wait();
  for (size_t i = 0; i < kPinned; ++i) all.sum += all.room->host[i];
  ++all.done;
}

void add_one(void* work) {
  Work& all = *static_cast<Work*>(work);
  all.wait();
  for (size_t i = 0; i < kPinned; ++i) ++all.room->host[i];
  ++all.done;
}

/// The system reads the buffer.
void put_out(void* work) {
  Work& all = *static_cast<Work*>(work);
  all.wait();
  if (write(all.room->null, all.room->host, kPinned) != static_cast<ssize_t>(kPinned)) {
    std::fprintf(stderr, "write failed\n");
    std::exit(7);
  }
  ++all.done;
}

void host_function_fills(bool ok) {
  Work work;
  Room room;
  work.room = &room;
  MUST(aclrtLaunchHostFunc(room.a, fill, &work));
  if (ok) room.order();
  room.copy_in(room.b);
  work.enqueued = true;
}

void host_function_adds(bool ok) {
  Work work;
  Room room;
  work.room = &room;
  MUST(aclrtLaunchHostFunc(room.a, add_one, &work));
  if (ok) room.order();
  room.copy_in(room.b);
  work.enqueued = true;
}

void callback_reads(bool ok) {
  Work work;
  Room room;
  work.room = &room;
  room.report();
  for (int i = 0; i < 3; ++i) {
    room.copy_back(room.a);
    MUST(aclrtLaunchCallback(look, &work, ok ? ACL_CALLBACK_BLOCK : ACL_CALLBACK_NO_BLOCK, room.a));
  }
  work.enqueued = true;
  while (work.done != 3) sched_yield();
}

void callback_fills(bool ok) {
  Work work;
  Room room;
  work.room = &room;
  room.report();
  MUST(aclrtLaunchCallback(fill, &work, ok ? ACL_CALLBACK_BLOCK : ACL_CALLBACK_NO_BLOCK, room.a));
  room.copy_in(room.a);
  work.enqueued = true;
  while (work.done != 1) sched_yield();
}

void source_overwritten(bool ok) {
  const Room room;
  room.copy_in(room.a);
  if (ok) MUST(aclrtSynchronizeStream(room.a));
  room.host[kPinned - 1] = 5;
}

// ---- right in both forms ----

void host_function_reads(bool) {
  Work work;
  Room room;
  work.room = &room;
  for (int i = 0; i < 4; ++i) {
    room.copy_back(room.a);
    MUST(aclrtLaunchHostFunc(room.a, look, &work));
  }
  work.enqueued = true;
}

void system_call_in_callback(bool) {
  Work work;
  Room room;
  work.room = &room;
  room.report();
  for (int i = 0; i < 4; ++i) {
    room.copy_back(room.a);
    MUST(aclrtLaunchCallback(put_out, &work, ACL_CALLBACK_BLOCK, room.a));
  }
  room.order();
  room.copy_back(room.b);
  work.enqueued = true;
}

void system_call_after_wait(bool) {
  Work work;
  Room room;
  work.room = &room;
  work.enqueued = true;
  room.copy_back(room.a);
  MUST(aclrtSynchronizeStream(room.a));
  put_out(&work);
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEvent(&event));
  room.copy_back(room.a);
  MUST(aclrtRecordEvent(event, room.a));
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  while (status != ACL_EVENT_RECORDED_STATUS_COMPLETE) {
    MUST(aclrtQueryEventStatus(event, &status));
  }
  put_out(&work);
  room.copy_back(room.a);
  MUST(aclrtSynchronizeDevice());
  put_out(&work);
  MUST(aclrtDestroyEvent(event));
}

void other_stream_waits(bool) {
  Work work;
  Room room;
  work.room = &room;
  room.copy_back(room.a);
  MUST(aclrtLaunchHostFunc(room.a, add_one, &work));
  room.order();
  room.copy_back(room.b);
  work.enqueued = true;
}

// The callback returns the buffer to the thread, which uses it again.
void buffer_returned_by_callback(bool) {
  Work work;
  Room room;
  work.room = &room;
  work.enqueued = true;
  room.report();
  for (int i = 0; i < 3; ++i) {
    room.copy_back(i % 2 == 0 ? room.a : room.b);
    if (i % 2 != 0) MUST(aclrtSynchronizeStream(room.b));
    MUST(aclrtLaunchCallback(look, &work, ACL_CALLBACK_NO_BLOCK, room.a));
    while (work.done != i + 1) sched_yield();
  }
}

void function_in_graph(bool) {
  Work work;
  Room room;
  work.room = &room;
  work.enqueued = true;
  aclmdlRI graph = nullptr;
  MUST(aclmdlRICaptureBegin(room.a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
  room.copy_back(room.a);
  MUST(aclrtLaunchHostFunc(room.a, put_out, &work));
  MUST(aclrtLaunchHostFunc(room.a, add_one, &work));
  room.copy_in(room.a);
  MUST(aclmdlRICaptureEnd(room.a, &graph));
  for (int i = 0; i < 2; ++i) MUST(aclmdlRIExecuteAsync(graph, room.a));
  MUST(aclrtSynchronizeStream(room.a));
  MUST(aclmdlRIDestroy(graph));
}

struct Program {
  bool planted;
  void (*run)(bool ok);
};
#define PROGRAM(name, planted) \
  {                            \
#name, { planted, name }   \
  }
const std::map<std::string, Program> kPrograms = {
    PROGRAM(host_function_fills, true),      PROGRAM(host_function_adds, true),
    PROGRAM(callback_reads, true),           PROGRAM(callback_fills, true),
    PROGRAM(source_overwritten, true),       PROGRAM(host_function_reads, false),
    PROGRAM(system_call_in_callback, false), PROGRAM(system_call_after_wait, false),
    PROGRAM(other_stream_waits, false),      PROGRAM(buffer_returned_by_callback, false),
    PROGRAM(function_in_graph, false),
};

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "--list") {
    for (const auto& [word, program] : kPrograms) {
      std::printf("%s\t%s\n", word.c_str(), program.planted ? "planted" : "");
    }
    return 0;
  }
  const auto program = kPrograms.find(name);
  if (program == kPrograms.end()) return 8;
  program->second.run(argc > 2);
}
