// SPDX-License-Identifier: Apache-2.0
// Measures copies: host to device, device to device and device to host, with aclrtMemcpy and
// aclrtMemcpyAsync, from ordinary and from pinned host memory, for several sizes. Asynchronous
// copies are timed with events, synchronous ones with the clock of the host.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "acl/acl.h"

#define CHECK_ACL(expr)                                                                       \
  do {                                                                                        \
    aclError ret_ = (expr);                                                                   \
    if (ret_ != ACL_SUCCESS) {                                                                \
      std::fprintf(stderr, "%s(%d): %s failed, ret = %d\n", __FILE__, __LINE__, #expr, ret_); \
      const char* msg_ = aclGetRecentErrMsg();                                                \
      if (msg_ != nullptr) std::fprintf(stderr, "  %s\n", msg_);                              \
      std::exit(EXIT_FAILURE);                                                                \
    }                                                                                         \
  } while (0)

namespace {

const int kRepeats = 5;

double MegabytesPerSecond(size_t bytes, double ms) {
  return ms > 0.0 ? static_cast<double>(bytes) * kRepeats / 1e3 / ms : 0.0;
}

void Print(const char* what, const char* memory, size_t bytes, double ms) {
  std::printf("%-4s %-9s %10zu bytes  %9.4f ms  %10.1f MB/s\n", what, memory, bytes, ms / kRepeats,
              MegabytesPerSecond(bytes, ms));
}

double TimeSync(void* dst, const void* src, size_t bytes, aclrtMemcpyKind kind) {
  const std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kRepeats; ++i) CHECK_ACL(aclrtMemcpy(dst, bytes, src, bytes, kind));
  const std::chrono::steady_clock::time_point end = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::milli>(end - begin).count();
}

double TimeAsync(void* dst, const void* src, size_t bytes, aclrtMemcpyKind kind,
                 aclrtStream stream) {
  aclrtEvent begin = nullptr;
  aclrtEvent end = nullptr;
  CHECK_ACL(aclrtCreateEventWithFlag(&begin, ACL_EVENT_TIME_LINE));
  CHECK_ACL(aclrtCreateEventWithFlag(&end, ACL_EVENT_TIME_LINE));
  CHECK_ACL(aclrtRecordEvent(begin, stream));
  for (int i = 0; i < kRepeats; ++i) {
    CHECK_ACL(aclrtMemcpyAsync(dst, bytes, src, bytes, kind, stream));
  }
  CHECK_ACL(aclrtRecordEvent(end, stream));
  CHECK_ACL(aclrtSynchronizeStream(stream));
  float ms = -1.0f;
  CHECK_ACL(aclrtEventElapsedTime(&ms, begin, end));
  if (ms < 0.0f) {
    std::fprintf(stderr, "negative elapsed time %f\n", ms);
    std::exit(EXIT_FAILURE);
  }
  CHECK_ACL(aclrtDestroyEvent(begin));
  CHECK_ACL(aclrtDestroyEvent(end));
  return ms;
}

void Fill(uint8_t* data, size_t bytes, uint32_t seed) {
  for (size_t i = 0; i < bytes; ++i) {
    seed = seed * 1664525u + 1013904223u;
    data[i] = static_cast<uint8_t>(seed >> 24);
  }
}

// Copies host -> device -> device -> host; the received data must be equal to the sent data.
bool Journey(const char* memory, uint8_t* source, uint8_t* target, uint8_t* device_a,
             uint8_t* device_b, size_t bytes, uint32_t seed, aclrtStream stream) {
  Fill(source, bytes, seed);
  std::memset(target, 0, bytes);
  const bool async = stream != nullptr;
  const double h2d = async ? TimeAsync(device_a, source, bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream)
                           : TimeSync(device_a, source, bytes, ACL_MEMCPY_HOST_TO_DEVICE);
  const double d2d = async
                         ? TimeAsync(device_b, device_a, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream)
                         : TimeSync(device_b, device_a, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE);
  const double d2h = async ? TimeAsync(target, device_b, bytes, ACL_MEMCPY_DEVICE_TO_HOST, stream)
                           : TimeSync(target, device_b, bytes, ACL_MEMCPY_DEVICE_TO_HOST);
  Print("H2D", memory, bytes, h2d);
  Print("D2D", memory, bytes, d2d);
  Print("D2H", memory, bytes, d2h);
  if (std::memcmp(source, target, bytes) != 0) {
    std::fprintf(stderr, "%zu bytes, %s: the data came back changed\n", bytes, memory);
    return false;
  }
  return true;
}

// Copies buffers of one size there and back in every way; true if the data is unchanged.
bool AllJourneys(size_t bytes, aclrtStream stream) {
  bool good = true;
  void* device_a = nullptr;
  void* device_b = nullptr;
  void* pinned_a = nullptr;
  void* pinned_b = nullptr;
  CHECK_ACL(aclrtMalloc(&device_a, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK_ACL(aclrtMalloc(&device_b, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
  CHECK_ACL(aclrtMallocHost(&pinned_a, bytes));
  CHECK_ACL(aclrtMallocHost(&pinned_b, bytes));
  std::vector<uint8_t> pageable_a(bytes);
  std::vector<uint8_t> pageable_b(bytes);
  uint8_t* const a = static_cast<uint8_t*>(device_a);
  uint8_t* const b = static_cast<uint8_t*>(device_b);
  uint8_t* const pa = static_cast<uint8_t*>(pinned_a);
  uint8_t* const pb = static_cast<uint8_t*>(pinned_b);
  const uint32_t seed = static_cast<uint32_t>(bytes);

  std::printf("-- aclrtMemcpy\n");
  uint8_t* const ma = pageable_a.data();
  uint8_t* const mb = pageable_b.data();
  good &= Journey("pageable", ma, mb, a, b, bytes, seed, nullptr);
  good &= Journey("pinned", pa, pb, a, b, bytes, seed + 1, nullptr);
  std::printf("-- aclrtMemcpyAsync\n");
  good &= Journey("pageable", ma, mb, a, b, bytes, seed + 2, stream);
  good &= Journey("pinned", pa, pb, a, b, bytes, seed + 3, stream);

  // All copies without a wait of the host; only the stream orders them.
  Fill(pa, bytes, seed + 4);
  CHECK_ACL(aclrtMemsetAsync(a, bytes, 0xA5, bytes, stream));
  CHECK_ACL(aclrtMemcpyAsync(a, bytes, pa, bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  CHECK_ACL(aclrtMemcpyAsync(b, bytes, a, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  CHECK_ACL(aclrtMemcpyAsync(pb, bytes, b, bytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  CHECK_ACL(aclrtSynchronizeStream(stream));
  good &= std::memcmp(pa, pb, bytes) == 0;

  CHECK_ACL(aclrtFreeHost(pinned_a));
  CHECK_ACL(aclrtFreeHost(pinned_b));
  CHECK_ACL(aclrtFree(device_a));
  CHECK_ACL(aclrtFree(device_b));
  return good;
}

}  // namespace

int main() {
  CHECK_ACL(aclInit(nullptr));
  const int32_t device_id = 0;
  CHECK_ACL(aclrtSetDevice(device_id));
  aclrtContext context = nullptr;
  CHECK_ACL(aclrtCreateContext(&context, device_id));
  aclrtStream stream = nullptr;
  CHECK_ACL(aclrtCreateStream(&stream));

  aclrtRunMode mode = ACL_DEVICE;
  CHECK_ACL(aclrtGetRunMode(&mode));
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  CHECK_ACL(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total_bytes));
  std::printf("%s, run mode %s, %zu of %zu MB free\n", aclrtGetSocName(),
              mode == ACL_HOST ? "host" : "device", free_bytes >> 20, total_bytes >> 20);

  bool good = mode == ACL_HOST && free_bytes > 0 && free_bytes <= total_bytes;
  // Also sizes that are neither a power of two nor a multiple of 32.
  const size_t sizes[] = {1, 4096, 100003, 1 << 20, 8 << 20};
  for (size_t bytes : sizes) good &= AllJourneys(bytes, stream);

  CHECK_ACL(aclrtDestroyStream(stream));
  CHECK_ACL(aclrtDestroyContext(context));
  CHECK_ACL(aclrtResetDevice(device_id));
  CHECK_ACL(aclFinalize());
  std::printf("%s\n", good ? "test passed" : "test FAILED");
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
