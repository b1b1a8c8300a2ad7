// SPDX-License-Identifier: Apache-2.0
// Two streams of one device, ordered by events: plain events with reset and re-record, the newer
// Ex events, a wait before the record, the default stream, the status queries.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "acl/acl.h"

#define CHECK_ACL(expr)                                                                       \
  do {                                                                                        \
    aclError ret_ = (expr);                                                                   \
    if (ret_ != ACL_SUCCESS) {                                                                \
      std::fprintf(stderr, "%s(%d): %s failed, ret = %d\n", __FILE__, __LINE__, #expr, ret_); \
      std::exit(EXIT_FAILURE);                                                                \
    }                                                                                         \
  } while (0)

#define EXPECT(condition)                                                           \
  do {                                                                              \
    if (!(condition)) {                                                             \
      std::fprintf(stderr, "%s(%d): not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(EXIT_FAILURE);                                                      \
    }                                                                               \
  } while (0)

namespace {

const size_t kBytes = 1 << 20;

struct Buffers {
  void* host_in;
  void* device_a;
  void* device_b;
  void* host_out;
};

void Prepare(const Buffers& buffers, int value) {
  std::memset(buffers.host_in, value, kBytes);
  std::memset(buffers.host_out, 0, kBytes);
}

bool AllEqual(const void* data, int value) {
  const uint8_t* bytes = static_cast<const uint8_t*>(data);
  for (size_t i = 0; i < kBytes; ++i) {
    if (bytes[i] != static_cast<uint8_t>(value)) return false;
  }
  return true;
}

void Upload(const Buffers& buffers, aclrtStream stream) {
  CHECK_ACL(aclrtMemcpyAsync(buffers.device_a, kBytes, buffers.host_in, kBytes,
                             ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

void Download(const Buffers& buffers, aclrtStream stream) {
  CHECK_ACL(aclrtMemcpyAsync(buffers.device_b, kBytes, buffers.device_a, kBytes,
                             ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  CHECK_ACL(aclrtMemcpyAsync(buffers.host_out, kBytes, buffers.device_b, kBytes,
                             ACL_MEMCPY_DEVICE_TO_HOST, stream));
}

// aclrtQueryEvent is deprecated, but older programs call it. Here 0 means complete.
aclrtEventStatus OldStatus(aclrtEvent event) {
  aclrtEventStatus status = ACL_EVENT_STATUS_RESERVED;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  CHECK_ACL(aclrtQueryEvent(event, &status));
#pragma GCC diagnostic pop
  return status;
}

// And here 1 means complete.
aclrtEventRecordedStatus Status(aclrtEvent event) {
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  CHECK_ACL(aclrtQueryEventStatus(event, &status));
  return status;
}

void PlainEvent(const Buffers& buffers, aclrtStream first, aclrtStream second) {
  aclrtEvent event = nullptr;
  CHECK_ACL(aclrtCreateEvent(&event));
  EXPECT(Status(event) == ACL_EVENT_RECORDED_STATUS_NOT_READY);  // never recorded
  EXPECT(OldStatus(event) == ACL_EVENT_STATUS_COMPLETE);         // the older query differs

  // create -> record -> wait -> reset, and again with the same event
  for (int round = 1; round <= 20; ++round) {
    Prepare(buffers, round);
    Upload(buffers, first);
    CHECK_ACL(aclrtRecordEvent(event, first));
    CHECK_ACL(aclrtStreamWaitEvent(second, event));
    Download(buffers, second);
    CHECK_ACL(aclrtSynchronizeStream(second));
    EXPECT(AllEqual(buffers.host_out, round));

    EXPECT(Status(event) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
    EXPECT(OldStatus(event) == ACL_EVENT_STATUS_COMPLETE);
    aclrtEventWaitStatus waits = ACL_EVENT_WAIT_STATUS_RESERVED;
    CHECK_ACL(aclrtQueryEventWaitStatus(event, &waits));
    EXPECT(waits == ACL_EVENT_WAIT_STATUS_COMPLETE);

    CHECK_ACL(aclrtResetEvent(event, second));
    CHECK_ACL(aclrtSynchronizeStream(second));
  }
  CHECK_ACL(aclrtDestroyEvent(event));
}

// A re-record without reset: each wait refers to the latest record at the time of the call.
void RecordAgain(const Buffers& buffers, aclrtStream first, aclrtStream second) {
  aclrtEvent uploaded = nullptr;
  aclrtEvent downloaded = nullptr;
  CHECK_ACL(aclrtCreateEvent(&uploaded));
  CHECK_ACL(aclrtCreateEvent(&downloaded));
  for (int round = 1; round <= 20; ++round) {
    CHECK_ACL(aclrtMemsetAsync(buffers.device_a, kBytes, round, kBytes, first));
    CHECK_ACL(aclrtRecordEvent(uploaded, first));
    CHECK_ACL(aclrtStreamWaitEvent(second, uploaded));
    Download(buffers, second);
    CHECK_ACL(aclrtRecordEvent(downloaded, second));
    CHECK_ACL(aclrtStreamWaitEvent(first, downloaded));
  }
  CHECK_ACL(aclrtSynchronizeEvent(downloaded));
  EXPECT(AllEqual(buffers.host_out, 20));
  CHECK_ACL(aclrtSynchronizeStream(first));
  CHECK_ACL(aclrtDestroyEvent(uploaded));
  CHECK_ACL(aclrtDestroyEvent(downloaded));
}

void ExEvent(const Buffers& buffers, aclrtStream first, aclrtStream second) {
  aclrtEvent begin = nullptr;
  aclrtEvent uploaded = nullptr;
  aclrtEvent end = nullptr;
  CHECK_ACL(aclrtCreateEventExWithFlag(&begin, ACL_EVENT_TIME_LINE));
  CHECK_ACL(aclrtCreateEventExWithFlag(&uploaded, ACL_EVENT_SYNC));
  CHECK_ACL(aclrtCreateEventExWithFlag(&end, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE));
  EXPECT(Status(uploaded) == ACL_EVENT_RECORDED_STATUS_COMPLETE);  // unlike a plain event
  CHECK_ACL(aclrtStreamWaitEvent(second, uploaded));               // nothing to wait for

  Prepare(buffers, 77);
  CHECK_ACL(aclrtRecordEvent(begin, first));
  Upload(buffers, first);
  CHECK_ACL(aclrtRecordEvent(uploaded, first));
  CHECK_ACL(aclrtStreamWaitEvent(second, uploaded));
  Download(buffers, second);
  CHECK_ACL(aclrtRecordEvent(end, second));
  CHECK_ACL(aclrtSynchronizeEventWithTimeout(end, 60 * 1000));
  EXPECT(AllEqual(buffers.host_out, 77));
  EXPECT(Status(begin) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT(Status(end) == ACL_EVENT_RECORDED_STATUS_COMPLETE);

  float ms = -1.0f;
  CHECK_ACL(aclrtEventElapsedTime(&ms, begin, end));
  EXPECT(ms >= 0.0f);
  uint64_t begin_us = 0;
  uint64_t end_us = 0;
  CHECK_ACL(aclrtEventGetTimestamp(begin, &begin_us));
  CHECK_ACL(aclrtEventGetTimestamp(end, &end_us));
  EXPECT(end_us >= begin_us);
  std::printf("  upload, copy and download of %zu KB took %.3f ms\n", kBytes / 1024, ms);

  CHECK_ACL(aclrtDestroyEvent(begin));
  CHECK_ACL(aclrtDestroyEvent(uploaded));
  CHECK_ACL(aclrtDestroyEvent(end));
}

// A stream may wait for an event with ACL_EVENT_SYNC before the event is recorded.
void WaitFirst(const Buffers& buffers, aclrtStream first, aclrtStream second) {
  aclrtEvent event = nullptr;
  CHECK_ACL(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC));
  Prepare(buffers, 99);
  CHECK_ACL(aclrtStreamWaitEvent(second, event));
  Download(buffers, second);
  aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
  CHECK_ACL(aclrtStreamQuery(second, &status));
  EXPECT(status == ACL_STREAM_STATUS_NOT_READY);
  aclrtEventWaitStatus waits = ACL_EVENT_WAIT_STATUS_RESERVED;
  CHECK_ACL(aclrtQueryEventWaitStatus(event, &waits));
  EXPECT(waits == ACL_EVENT_WAIT_STATUS_NOT_READY);
  Upload(buffers, first);
  CHECK_ACL(aclrtRecordEvent(event, first));
  CHECK_ACL(aclrtSynchronizeStreamWithTimeout(second, 60 * 1000));
  EXPECT(AllEqual(buffers.host_out, 99));
  CHECK_ACL(aclrtStreamQuery(second, &status));
  EXPECT(status == ACL_STREAM_STATUS_COMPLETE);
  CHECK_ACL(aclrtDestroyEvent(event));
}

// A null stream is the default stream of the context. It is an ordered queue like any other stream.
void DefaultStream(const Buffers& buffers, aclrtStream second) {
  aclrtEvent event = nullptr;
  CHECK_ACL(aclrtCreateEvent(&event));
  Prepare(buffers, 123);
  Upload(buffers, nullptr);
  CHECK_ACL(aclrtRecordEvent(event, nullptr));
  CHECK_ACL(aclrtStreamWaitEvent(second, event));
  Download(buffers, second);
  CHECK_ACL(aclrtSynchronizeDevice());
  EXPECT(AllEqual(buffers.host_out, 123));
  CHECK_ACL(aclrtSynchronizeStream(nullptr));
  CHECK_ACL(aclrtDestroyEvent(event));
}

}  // namespace

int main() {
  CHECK_ACL(aclInit(nullptr));
  CHECK_ACL(aclrtSetDevice(0));
  aclrtStream first = nullptr;
  aclrtStream second = nullptr;
  CHECK_ACL(aclrtCreateStream(&first));
  CHECK_ACL(aclrtCreateStreamWithConfig(&second, 0, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC));
  Buffers buffers = {};
  CHECK_ACL(aclrtMallocHost(&buffers.host_in, kBytes));
  CHECK_ACL(aclrtMallocHost(&buffers.host_out, kBytes));
  CHECK_ACL(aclrtMalloc(&buffers.device_a, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK_ACL(aclrtMalloc(&buffers.device_b, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));

  std::printf("plain event, reset after use\n");
  PlainEvent(buffers, first, second);
  std::printf("plain event, recorded again and again\n");
  RecordAgain(buffers, first, second);
  std::printf("Ex events\n");
  ExEvent(buffers, first, second);
  std::printf("an event that is waited for before it is recorded\n");
  WaitFirst(buffers, first, second);
  std::printf("default stream\n");
  DefaultStream(buffers, second);

  CHECK_ACL(aclrtFree(buffers.device_a));
  CHECK_ACL(aclrtFree(buffers.device_b));
  CHECK_ACL(aclrtFreeHost(buffers.host_in));
  CHECK_ACL(aclrtFreeHost(buffers.host_out));
  CHECK_ACL(aclrtDestroyStream(first));
  CHECK_ACL(aclrtDestroyStream(second));
  CHECK_ACL(aclrtResetDevice(0));
  CHECK_ACL(aclFinalize());
  std::printf("test passed\n");
  return EXIT_SUCCESS;
}
