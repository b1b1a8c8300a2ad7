// SPDX-License-Identifier: Apache-2.0
// Mistakes that users make, each with its twin: `planted NAME [ok]`; with ok the program is right.
// `planted --list` prints the names.
#include <acl/acl.h>
#include <acl/acl_sim.h>
#include <acl/acl_sim_check.h>

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "planted_callbacks.h"
#include "planted_desk.h"

namespace {

// ---- kernels that declare nothing ----

struct FromTo {
  const int* from;
  int* to;
};

int32_t add_one(const aclsimKernelContext*, const void* raw) {
  const FromTo& args = *static_cast<const FromTo*>(raw);
  for (size_t i = 0; i < kCount; ++i) args.to[i] = args.from[i] + 1;
  return 0;
}

aclsimLaunch row_of(const char* name, int32_t (*kernel)(const aclsimKernelContext*, const void*)) {
  aclsimLaunch row = {};
  row.size = sizeof row;
  row.name = name;
  row.kernel = kernel;
  row.numBlocks = 1;
  return row;
}

void launch(const char* name, const void* from, void* to, aclrtStream stream) {
  const FromTo args = {static_cast<const int*>(from), static_cast<int*>(to)};
  aclsimLaunch row = row_of(name, add_one);
  row.args = &args;
  row.argsSize = sizeof args;
  MUST(aclsimLaunchKernel(&row, stream));
}

// Nothing but the first kernel can have written what the second reads.
void undeclared_chain(bool ok) {
  const Desk desk;
  MUST(aclrtMemset(desk.x, kBytes, 1, kBytes));
  launch("produce", desk.x, desk.y, desk.a);
  if (ok) order(desk.a, desk.b);
  launch("consume", desk.y, desk.z, desk.b);
}

// A kernel that is given one buffer has nothing else to write to.
void undeclared_in_place(bool ok) {
  const Desk desk;
  MUST(aclrtMemset(desk.x, kBytes, 1, kBytes));
  launch("first", desk.x, desk.x, desk.a);
  if (ok) order(desk.a, desk.b);
  launch("second", desk.x, desk.x, desk.b);
}

// Both may only read what the host has put there, and do.
void undeclared_readers(bool) {
  const Desk desk;
  MUST(aclrtMemset(desk.x, kBytes, 1, kBytes));
  launch("reader", desk.x, desk.y, desk.a);
  launch("reader", desk.x, desk.z, desk.b);
}

void declared_chain(bool ok) {
  const Desk desk;
  MUST(aclrtMemset(desk.x, kBytes, 1, kBytes));
  MUST(aclsimCheckNextKernelReads(desk.x, kBytes));
  MUST(aclsimCheckNextKernelWrites(desk.y, kBytes));
  launch("produce", desk.x, desk.y, desk.a);
  if (ok) order(desk.a, desk.b);
  MUST(aclsimCheckNextKernelReads(desk.y, kBytes));
  MUST(aclsimCheckNextKernelWrites(desk.z, kBytes));
  launch("consume", desk.y, desk.z, desk.b);
}

// The call waits for its own stream and copies then, as the source is pageable.
void pageable_copy_over_fill(bool ok) {
  const Desk desk;
  std::vector<char> pageable(kBytes);
  MUST(aclrtMemsetAsync(desk.x, kBytes, 1, kBytes, ok ? desk.b : desk.a));
  MUST(
      aclrtMemcpyAsync(desk.x, kBytes, pageable.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE, desk.b));
  MUST(aclrtMemsetAsync(desk.x, kBytes, 2, kBytes, desk.b));
}

// ---- calls that fail ----

void copy_too_much(bool ok) {
  const Desk desk;
  MUST(aclrtMemset(desk.x, kBytes, 1, kBytes));
  aclrtMemcpyAsync(desk.y, ok ? kBytes : kBytes / 2, desk.x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
                   desk.a);
}

// The error of the first copy is asked for, or made good.
void copy_asked_for(bool ok) {
  const Desk desk;
  MUST(aclrtMemset(desk.x, kBytes, 1, kBytes));
  aclrtMemcpyAsync(desk.y, kBytes / 2, desk.x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, desk.a);
  if (ok) aclrtGetLastError(ACL_RT_THREAD_LEVEL);
}

void copy_made_again(bool ok) {
  const Desk desk;
  MUST(aclrtMemset(desk.x, kBytes, 1, kBytes));
  for (const size_t room : {kBytes / 2, ok ? kBytes : kBytes / 2}) {
    aclrtMemcpyAsync(desk.y, room, desk.x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, desk.a);
  }
}

// An allocator asks for less, at another place.
void allocation_smaller(bool ok) {
  const Desk desk;
  void* memory = nullptr;
  aclrtMalloc(&memory, size_t{1} << 50, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&memory, ok ? kBytes : size_t{1} << 49, ACL_MEM_MALLOC_HUGE_FIRST);
  if (memory) MUST(aclrtFree(memory));
}

void allocation_refused(bool ok) {
  const Desk desk;
  void* huge = nullptr;
  aclrtMalloc(&huge, ok ? kBytes : size_t{1} << 50, ACL_MEM_MALLOC_HUGE_FIRST);
  if (huge) MUST(aclrtFree(huge));
}

// A probe fails by design.
void query_refused(bool) {
  const Desk desk;
  size_t free = 0;
  aclrtGetMemInfo(static_cast<aclrtMemAttr>(99), &free, &free);
}

int32_t fail_on_the_device(const aclsimKernelContext*, const void*) { return 507015; }

void launch_failing(aclrtStream stream) {
  const aclsimLaunch row = row_of("broken", fail_on_the_device);
  MUST(aclsimLaunchKernel(&row, stream));
}

// The stream is waited for by an event, which does not report what failed.
void task_failed_unseen(bool ok) {
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  MUST(aclrtSetDevice(0));
  MUST(aclrtCreateStream(&stream));
  MUST(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  if (!ok) launch_failing(stream);
  MUST(aclrtRecordEvent(event, stream));
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  while (status != ACL_EVENT_RECORDED_STATUS_COMPLETE) aclrtQueryEventStatus(event, &status);
  MUST(aclrtDestroyEvent(event));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtResetDevice(0));
}

// The synchronise returns the error, and the program ignores it.
void task_failed_ignored(bool ok) {
  aclrtStream stream = nullptr;
  MUST(aclrtSetDevice(0));
  MUST(aclrtCreateStream(&stream));
  launch_failing(stream);
  aclrtSynchronizeStream(stream);
  if (ok) aclGetRecentErrMsg();
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtResetDevice(0));
}

// ---- consequences ----

// The bytes that the refused copy should have written are read.
void read_after_refused_copy(bool ok) {
  const Desk desk;
  MUST(aclrtMemset(desk.x, kBytes, 1, kBytes));
  aclrtMemcpy(desk.y, ok ? kBytes : kBytes / 2, desk.x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE);
  int out[kCount];
  MUST(aclrtMemcpy(out, kBytes, desk.y, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
}

// The buffer is freed while the copy that raced may still use it.
void free_after_race(bool ok) {
  const Desk desk;
  void* extra = nullptr;
  MUST(aclrtMalloc(&extra, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  MUST(aclrtMemsetAsync(extra, kBytes, 1, kBytes, desk.a));
  if (ok) order(desk.a, desk.b);
  MUST(aclrtMemcpyAsync(desk.x, kBytes, extra, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, desk.b));
  if (ok) MUST(aclrtSynchronizeStream(desk.b));
  MUST(aclrtFree(extra));
}

// Right, and it goes on when something fails: for runs with faults.
void go_on(const Desk& desk, aclrtNotify notify, aclrtEvent event) {
  MUST(aclrtMemset(desk.x, kBytes, 1, kBytes));
  aclrtMemcpyAsync(desk.y, kBytes, desk.x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, desk.a);
  if (notify) {
    aclrtRecordNotify(notify, desk.a);
    aclrtWaitAndResetNotify(notify, desk.b, 0);
  } else {
    aclrtRecordEvent(event, desk.a);
    aclrtStreamWaitEvent(desk.b, event);
  }
  aclrtMemcpyAsync(desk.z, kBytes, desk.y, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, desk.b);
  for (const aclrtStream stream : {desk.a, desk.b}) {
    if (aclrtSynchronizeStream(stream) != ACL_SUCCESS) std::puts(aclGetRecentErrMsg());
  }
  int out[kCount];
  if (aclrtMemcpy(out, kBytes, desk.z, kBytes, ACL_MEMCPY_DEVICE_TO_HOST) != ACL_SUCCESS) {
    std::puts(aclGetRecentErrMsg());
  }
}

void carries_on(bool) {
  const Desk desk;
  aclrtNotify notify = nullptr;
  MUST(aclrtCreateNotify(&notify, 0));
  go_on(desk, notify, nullptr);
  MUST(aclrtDestroyNotify(notify));
}

// A failure takes the context with it; what is in it goes with the process.
void carries_on_stopping(bool) {
  static const Desk& desk = *new Desk;
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  for (const aclrtStream stream : {desk.a, desk.b}) {
    MUST(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  }
  go_on(desk, nullptr, event);
}

// The graph runs twice, each time beside a copy; the host waits for all of that in between.
void graph_raced_twice(bool ok) {
  const Desk desk;
  aclmdlRI graph = nullptr;
  MUST(aclmdlRICaptureBegin(desk.a, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
  MUST(aclrtMemsetAsync(desk.x, kBytes, 1, kBytes, desk.a));
  MUST(aclmdlRICaptureEnd(desk.a, &graph));
  const auto settle = [&] {
    MUST(aclrtSynchronizeStream(desk.a));
    MUST(aclrtSynchronizeStream(desk.b));
  };
  MUST(aclmdlRIExecuteAsync(graph, desk.a));
  if (ok) order(desk.a, desk.b);
  MUST(aclrtMemcpyAsync(desk.y, kBytes, desk.x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, desk.b));
  settle();
  MUST(aclmdlRIExecuteAsync(graph, desk.a));
  if (ok) order(desk.a, desk.b);
  MUST(aclrtMemcpyAsync(desk.z, kBytes, desk.x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, desk.b));
  settle();
  MUST(aclmdlRIDestroy(graph));
}

// ---- signals ----

int32_t crash_in_block_3(const aclsimKernelContext* context, const void* raw) {
  const bool ok = *static_cast<const bool*>(raw);
  if (context->blockIndex == 3 && !ok) *reinterpret_cast<volatile int*>(8) = 1;
  return 0;
}

void crash_in_kernel(bool ok) {
  aclrtStream stream = nullptr;
  MUST(aclrtSetDevice(0));
  MUST(aclrtCreateStream(&stream));
  aclsimLaunch row = row_of("scale", crash_in_block_3);
  row.numBlocks = 8;
  row.args = &ok;
  row.argsSize = sizeof ok;
  MUST(aclsimLaunchKernel(&row, stream));
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtResetDevice(0));
}

void crash(void* ok) {
  if (!*static_cast<bool*>(ok)) *reinterpret_cast<volatile int*>(8) = 1;
}

void crash_in_callback(bool ok) {
  aclrtStream stream = nullptr;
  MUST(aclrtSetDevice(0));
  MUST(aclrtCreateStream(&stream));
  MUST(aclrtSubscribeReport(pthread_self(), stream));
  MUST(aclrtLaunchCallback(crash, &ok, ACL_CALLBACK_BLOCK, stream));
  MUST(aclrtProcessReport(10'000));
  MUST(aclrtUnSubscribeReport(pthread_self(), stream));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtResetDevice(0));
}

void abort_after_race(bool ok) {
  free_after_race(ok);
  if (!ok) std::abort();
}

// ---- waits ----

void notify_never_recorded(bool ok) {
  aclrtStream stream = nullptr;
  aclrtNotify notify = nullptr;
  MUST(aclrtSetDevice(0));
  MUST(aclrtCreateStream(&stream));
  MUST(aclrtCreateNotify(&notify, 0));
  if (ok) MUST(aclrtRecordNotify(notify, stream));
  MUST(aclrtWaitAndResetNotify(notify, stream, 0));
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtDestroyNotify(notify));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtResetDevice(0));
}

// ---- code of the host that does not wait, which no call shows ----

/// A stream, pinned memory of two pages, memory of the device with ones in it.
struct Pinned {
  aclrtStream stream = nullptr;
  void *host = nullptr, *device = nullptr;
  static constexpr size_t kBytes = 8192;
  Pinned() {
    MUST(aclrtSetDevice(0));
    MUST(aclrtCreateStream(&stream));
    MUST(aclrtMallocHost(&host, kBytes));
    MUST(aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
    MUST(aclrtMemset(device, kBytes, 1, kBytes));
    std::memset(host, 0, kBytes);
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  ~Pinned() {
    MUST(aclrtSynchronizeStream(stream));
    MUST(aclrtFreeHost(host));
    MUST(aclrtFree(device));
    MUST(aclrtDestroyStream(stream));
    MUST(aclrtResetDevice(0));
  }
  void copy_back() const {
    MUST(aclrtMemcpyAsync(host, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  }
  /// Until the task is over, without order: the mistake is to be found also then.
  void let_it_end() const {
    aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
    while (status != ACL_STREAM_STATUS_COMPLETE) MUST(aclrtStreamQuery(stream, &status));
  }
};

void result_read_too_early(bool ok) {
  const Pinned desk;
  desk.copy_back();
  if (ok) MUST(aclrtSynchronizeStream(desk.stream));
  std::printf("%d\n", static_cast<volatile char*>(desk.host)[5000]);
}

void result_copied_too_early(bool ok) {
  const Pinned desk;
  char mine[Pinned::kBytes];
  desk.copy_back();
  if (ok) MUST(aclrtSynchronizeStream(desk.stream));
  std::memcpy(mine, desk.host, sizeof mine);
  std::printf("%d\n", mine[1]);
}

void result_overwritten_too_early(bool ok) {
  const Pinned desk;
  desk.copy_back();
  if (ok) MUST(aclrtSynchronizeStream(desk.stream));
  static_cast<volatile char*>(desk.host)[0] = 3;
}

void result_read_after_query(bool) {
  const Pinned desk;
  desk.copy_back();
  desk.let_it_end();
  std::printf("%d\n", static_cast<volatile char*>(desk.host)[0]);
}

void device_read_too_early(bool ok) {
  const Pinned desk;
  MUST(aclrtMemsetAsync(desk.device, Pinned::kBytes, 2, Pinned::kBytes, desk.stream));
  if (ok) MUST(aclrtSynchronizeStream(desk.stream));
  std::printf("%d\n", static_cast<volatile char*>(desk.device)[0]);
}

int32_t set_first(const aclsimKernelContext*, const void* args) {
  **static_cast<char* const*>(args) = 4;
  return 0;
}

std::atomic<bool> kernel_over{false};
int32_t say_over(const aclsimKernelContext*, const void*) {
  kernel_over = true;
  return 0;
}

// The kernel has ended long ago, but no call of ACL shows that.
void kernel_result_read_too_early(bool ok) {
  const Pinned desk;
  const aclsimMemRange writes = {desk.host, 1, ACLSIM_ACCESS_WRITE};
  aclsimLaunch row = row_of("set_first", set_first);
  row.args = &desk.host;
  row.argsSize = sizeof desk.host;
  row.ranges = &writes;
  row.numRanges = 1;
  MUST(aclsimLaunchKernel(&row, desk.stream));
  row = row_of("say_over", say_over);
  MUST(aclsimLaunchKernel(&row, desk.stream));
  while (!kernel_over) sched_yield();
  if (ok) MUST(aclrtSynchronizeStream(desk.stream));
  std::printf("%d\n", static_cast<volatile char*>(desk.host)[0]);
}

// The stream orders the reads of a callback.
void read_in_host_function(bool) {
  const Pinned desk;
  desk.copy_back();
  MUST(aclrtLaunchHostFunc(
      desk.stream, [](void* at) { std::printf("%d\n", *static_cast<volatile char*>(at)); },
      desk.host));
  MUST(aclrtSynchronizeStream(desk.stream));
}

void other_buffer_read(bool) {
  const Pinned desk;
  void* other = nullptr;
  MUST(aclrtMallocHost(&other, 64));
  std::memset(other, 1, 64);
  desk.copy_back();
  std::printf("%d\n", static_cast<volatile char*>(other)[0]);
  MUST(aclrtSynchronizeStream(desk.stream));
  MUST(aclrtFreeHost(other));
}

// ---- order ----

void wait_before_record(bool ok) {
  const Desk desk;
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  MUST(aclrtMemsetAsync(desk.x, kBytes, 1, kBytes, desk.a));
  if (ok) MUST(aclrtRecordEvent(event, desk.a));
  MUST(aclrtStreamWaitEvent(desk.b, event));
  if (!ok) MUST(aclrtRecordEvent(event, desk.a));
  MUST(aclrtMemcpyAsync(desk.y, kBytes, desk.x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, desk.b));
  MUST(aclrtDestroyEvent(event));
}

void wrong_stream_synchronised(bool ok) {
  const Desk desk;
  std::vector<int> result(kCount);
  MUST(aclrtMemsetAsync(desk.x, kBytes, 1, kBytes, desk.a));
  MUST(aclrtSynchronizeStream(ok ? desk.a : desk.b));
  MUST(aclrtMemcpy(result.data(), kBytes, desk.x, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
}

void buffer_filled_again_too_early(bool ok) {
  const Desk desk;
  MUST(aclrtMemset(desk.x, kBytes, 1, kBytes));
  MUST(aclrtMemcpyAsync(desk.y, kBytes, desk.x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, desk.a));
  if (ok) order(desk.a, desk.b);
  MUST(aclrtMemsetAsync(desk.x, kBytes, 2, kBytes, desk.b));
}

void graph_not_waited_for(bool ok) {
  const Desk desk;
  aclmdlRI graph = nullptr;
  MUST(aclmdlRICaptureBegin(desk.a, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
  MUST(aclrtMemsetAsync(desk.x, kBytes, 1, kBytes, desk.a));
  MUST(aclmdlRICaptureEnd(desk.a, &graph));
  MUST(aclmdlRIExecuteAsync(graph, desk.a));
  if (ok) order(desk.a, desk.b);
  MUST(aclrtMemcpyAsync(desk.y, kBytes, desk.x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, desk.b));
  MUST(aclrtSynchronizeStream(desk.b));
  MUST(aclrtSynchronizeStream(desk.a));
  MUST(aclmdlRIDestroy(graph));
}

void source_changed_too_early(bool ok) {
  const Pinned desk;
  MUST(aclrtMemcpyAsync(desk.device, Pinned::kBytes, desk.host, Pinned::kBytes,
                        ACL_MEMCPY_HOST_TO_DEVICE, desk.stream));
  if (ok) MUST(aclrtSynchronizeStream(desk.stream));
  std::memset(desk.host, 9, Pinned::kBytes);
}

void freed_twice(bool ok) {
  MUST(aclrtSetDevice(0));
  void* memory = nullptr;
  MUST(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  MUST(aclrtFree(memory));
  if (!ok) aclrtFree(memory);
  MUST(aclrtResetDevice(0));
}

struct Program {
  std::function<void(bool)> run;
  const char* kind;  // of the mistake; empty: no mistake, or one only with an option
};

#define PROGRAM(name, kind) \
  {                         \
#name, { name, kind }   \
  }
const std::map<std::string, Program> kPrograms = {
    PROGRAM(wait_before_record, "wait and record exchanged"),
    PROGRAM(wrong_stream_synchronised, "wrong stream synchronised"),
    PROGRAM(buffer_filled_again_too_early, "reused too early"),
    PROGRAM(graph_not_waited_for, "no wait between streams"),
    PROGRAM(source_changed_too_early, "reused too early"),
    PROGRAM(freed_twice, "freed too early"),
    PROGRAM(callbacks_unsubscribed, "nobody serves callbacks"),
    PROGRAM(callbacks_destroyed, "nobody serves callbacks"),
    PROGRAM(callbacks_destroyed_blocking, "nobody serves callbacks"),
    PROGRAM(callbacks_reset, "nobody serves callbacks"),
    PROGRAM(callbacks_at_exit, "nobody serves callbacks"),
    PROGRAM(callbacks_finalized, "nobody serves callbacks"),
    PROGRAM(host_functions_unsubscribed, "nobody serves callbacks"),
    PROGRAM(host_functions_at_exit, "nobody serves callbacks"),
    PROGRAM(copy_too_much, "failed call"),
    PROGRAM(copy_asked_for, "failed call"),
    PROGRAM(copy_made_again, "failed call"),
    PROGRAM(allocation_refused, "failed call"),
    PROGRAM(allocation_smaller, "failed call"),
    PROGRAM(query_refused, ""),
    PROGRAM(task_failed_unseen, "failed task"),
    PROGRAM(task_failed_ignored, "failed task"),
    PROGRAM(read_after_refused_copy, "failed call"),
    PROGRAM(free_after_race, "freed too early"),
    PROGRAM(carries_on, ""),
    PROGRAM(carries_on_stopping, ""),
    PROGRAM(graph_raced_twice, "no wait between streams"),
    PROGRAM(crash_in_kernel, "crash"),
    PROGRAM(crash_in_callback, "crash"),
    PROGRAM(abort_after_race, "crash"),
    PROGRAM(notify_never_recorded, "hang"),
    PROGRAM(result_read_too_early, "host too early"),
    PROGRAM(result_copied_too_early, "host too early"),
    PROGRAM(result_overwritten_too_early, "host too early"),
    PROGRAM(result_read_after_query, ""),
    PROGRAM(device_read_too_early, "host too early"),
    PROGRAM(kernel_result_read_too_early, "host too early"),
    PROGRAM(read_in_host_function, ""),
    PROGRAM(other_buffer_read, ""),
    PROGRAM(undeclared_chain, "no wait between streams"),
    PROGRAM(undeclared_in_place, "no wait between streams"),
    PROGRAM(undeclared_readers, ""),
    PROGRAM(declared_chain, "no wait between streams"),
    PROGRAM(pageable_copy_over_fill, "no wait between streams"),
};

/// The mistakes, each behind its kind.
void list() {
  for (const auto& [name, program] : kPrograms) {
    if (*program.kind) std::printf("%s\t%s\n", program.kind, name.c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  if (name == "--list") return list(), 0;
  const auto program = kPrograms.find(name);
  if (program == kPrograms.end()) return 8;
  program->second.run(argc > 2);
  return 0;
}
