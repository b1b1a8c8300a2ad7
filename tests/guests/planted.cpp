// SPDX-License-Identifier: Apache-2.0
// Mistakes that users make, each with its twin: `planted NAME [ok]`; with ok the program is right.
#include <acl/acl.h>
#include <acl/acl_sim.h>
#include <acl/acl_sim_check.h>

#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#define MUST(call)                                                      \
  do {                                                                  \
    const int code_ = (call);                                           \
    if (code_ != ACL_SUCCESS) {                                         \
      std::fprintf(stderr, "%d: %s gave %d\n", __LINE__, #call, code_); \
      std::_Exit(9);                                                    \
    }                                                                   \
  } while (false)

namespace {

constexpr size_t kCount = 1024;
constexpr size_t kBytes = kCount * sizeof(int);

/// Two streams and three buffers on the device, released at the end.
struct Desk {
  aclrtStream a = nullptr, b = nullptr;
  void *x = nullptr, *y = nullptr, *z = nullptr;
  Desk() {
    MUST(aclrtSetDevice(0));
    MUST(aclrtCreateStream(&a));
    MUST(aclrtCreateStream(&b));
    for (void** memory : {&x, &y, &z}) MUST(aclrtMalloc(memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;
  ~Desk() {
    MUST(aclrtSynchronizeStream(a));
    MUST(aclrtSynchronizeStream(b));
    for (void* memory : {x, y, z}) MUST(aclrtFree(memory));
    MUST(aclrtDestroyStream(a));
    MUST(aclrtDestroyStream(b));
    MUST(aclrtResetDevice(0));
  }
};

/// The second stream goes on when the first has come here.
void order(aclrtStream first, aclrtStream second) {
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  MUST(aclrtRecordEvent(event, first));
  MUST(aclrtStreamWaitEvent(second, event));
  MUST(aclrtDestroyEvent(event));
}

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

void launch(const char* name, const void* from, void* to, aclrtStream stream) {
  const FromTo args = {static_cast<const int*>(from), static_cast<int*>(to)};
  aclsimLaunch row = {};
  row.size = sizeof row;
  row.name = name;
  row.kernel = add_one;
  row.numBlocks = 1;
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

// ---- callbacks and host functions that nobody serves ----

int served = 0;
void serve(void*) { ++served; }

/// A stream with eight callbacks that the calling thread is to serve; with `ok` it does.
aclrtStream stream_with_callbacks(bool ok, aclrtCallbackBlockType type = ACL_CALLBACK_NO_BLOCK) {
  aclrtStream stream = nullptr;
  MUST(aclrtSetDevice(0));
  MUST(aclrtCreateStream(&stream));
  MUST(aclrtSubscribeReport(pthread_self(), stream));
  for (int i = 0; i < 8; ++i) MUST(aclrtLaunchCallback(serve, nullptr, type, stream));
  while (ok && served < 8) MUST(aclrtProcessReport(10'000));
  return stream;
}

void callbacks_unsubscribed(bool ok) {
  const aclrtStream stream = stream_with_callbacks(ok);
  MUST(aclrtUnSubscribeReport(pthread_self(), stream));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtResetDevice(0));
}

void callbacks_destroyed(bool ok) {
  MUST(aclrtDestroyStream(stream_with_callbacks(ok)));
  MUST(aclrtResetDevice(0));
}

void callbacks_destroyed_blocking(bool ok) {
  MUST(aclrtDestroyStream(stream_with_callbacks(ok, ACL_CALLBACK_BLOCK)));
  MUST(aclrtResetDevice(0));
}

void callbacks_reset(bool ok) {
  stream_with_callbacks(ok);
  MUST(aclrtResetDevice(0));
}

void callbacks_at_exit(bool ok) { stream_with_callbacks(ok); }

void callbacks_finalized(bool ok) {
  MUST(aclInit(nullptr));
  stream_with_callbacks(ok);
  MUST(aclFinalize());
}

void host_functions_unsubscribed(bool ok) {
  aclrtStream stream = nullptr;
  MUST(aclrtSetDevice(0));
  MUST(aclrtCreateStream(&stream));
  MUST(aclrtSubscribeHostFunc(pthread_self(), stream));
  for (int i = 0; i < 8; ++i) MUST(aclrtLaunchHostFunc(stream, serve, nullptr));
  while (ok && served < 8) MUST(aclrtProcessHostFunc(10'000));
  MUST(aclrtUnSubscribeHostFunc(pthread_self(), stream));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtResetDevice(0));
}

void host_functions_at_exit(bool ok) {
  aclrtStream stream = nullptr;
  MUST(aclrtSetDevice(0));
  MUST(aclrtCreateStream(&stream));
  MUST(aclrtSubscribeHostFunc(pthread_self(), stream));
  for (int i = 0; i < 8; ++i) MUST(aclrtLaunchHostFunc(stream, serve, nullptr));
  while (ok && served < 8) MUST(aclrtProcessHostFunc(10'000));
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
  aclsimLaunch row = {};
  row.size = sizeof row;
  row.name = "broken";
  row.kernel = fail_on_the_device;
  row.numBlocks = 1;
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

// The synchronise says it, and nobody listens.
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
  aclsimLaunch row = {};
  row.size = sizeof row;
  row.name = "scale";
  row.kernel = crash_in_block_3;
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

#define PROGRAM(name) {#name, name}
const std::map<std::string, std::function<void(bool)>> kPrograms = {
    PROGRAM(callbacks_unsubscribed),
    PROGRAM(callbacks_destroyed),
    PROGRAM(callbacks_destroyed_blocking),
    PROGRAM(callbacks_reset),
    PROGRAM(callbacks_at_exit),
    PROGRAM(callbacks_finalized),
    PROGRAM(host_functions_unsubscribed),
    PROGRAM(host_functions_at_exit),
    PROGRAM(copy_too_much),
    PROGRAM(copy_asked_for),
    PROGRAM(copy_made_again),
    PROGRAM(allocation_refused),
    PROGRAM(allocation_smaller),
    PROGRAM(query_refused),
    PROGRAM(task_failed_unseen),
    PROGRAM(task_failed_ignored),
    PROGRAM(read_after_refused_copy),
    PROGRAM(free_after_race),
    PROGRAM(crash_in_kernel),
    PROGRAM(crash_in_callback),
    PROGRAM(abort_after_race),
    PROGRAM(notify_never_recorded),
    PROGRAM(undeclared_chain),
    PROGRAM(undeclared_in_place),
    PROGRAM(undeclared_readers),
    PROGRAM(declared_chain),
};

}  // namespace

int main(int argc, char** argv) {
  const auto program = kPrograms.find(argc > 1 ? argv[1] : "");
  if (program == kPrograms.end()) return 8;
  program->second(argc > 2);
  return 0;
}
