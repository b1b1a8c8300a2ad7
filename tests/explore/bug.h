// SPDX-License-Identifier: Apache-2.0
// The common parts of the programs with a seeded mistake. Each is built twice: as it is, and with
// REPAIRED defined, which adds the missing part. A program ends with 1 if its result is wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_sim.h"

#ifdef REPAIRED
inline constexpr bool kRepaired = true;
#else
inline constexpr bool kRepaired = false;
#endif

inline void must(aclError code, const char* call) {
  if (code == ACL_SUCCESS) return;
  const char* const text = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s: %d %s\n", call, code, text ? text : "");
  std::exit(70);
}
#define MUST(call) must(call, #call)

inline constexpr std::size_t kCount = 64;  // int32_t in every buffer
inline constexpr std::size_t kBytes = kCount * sizeof(std::int32_t);

/// One device; the destructor releases everything that was created with it.
class Machine {
 public:
  Machine() {
    MUST(aclInit(nullptr));
    MUST(aclrtSetDevice(0));
  }
  ~Machine() {
    for (aclrtStream stream : streams_) MUST(aclrtSynchronizeStream(stream));
    for (aclrtStream stream : streams_) MUST(aclrtDestroyStream(stream));
    for (aclrtEvent event : events_) MUST(aclrtDestroyEvent(event));
    for (void* memory : device_) MUST(aclrtFree(memory));
    for (void* memory : host_) MUST(aclrtFreeHost(memory));
    MUST(aclrtResetDevice(0));
    MUST(aclFinalize());
  }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  aclrtStream stream() {
    aclrtStream made = nullptr;
    MUST(aclrtCreateStream(&made));
    return streams_.emplace_back(made);
  }
  aclrtEvent event() {
    aclrtEvent made = nullptr;
    MUST(aclrtCreateEventExWithFlag(&made, ACL_EVENT_SYNC));
    return events_.emplace_back(made);
  }
  /// Device memory filled with `value`.
  std::int32_t* device(std::int32_t value = 0) {
    void* made = nullptr;
    MUST(aclrtMalloc(&made, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
    device_.push_back(made);
    MUST(aclrtMemcpy(made, kBytes, host(value), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
    return static_cast<std::int32_t*>(made);
  }
  /// Pinned host memory filled with `value`.
  std::int32_t* host(std::int32_t value = 0) {
    void* made = nullptr;
    MUST(aclrtMallocHost(&made, kBytes));
    host_.push_back(made);
    std::fill_n(static_cast<std::int32_t*>(made), kCount, value);
    return static_cast<std::int32_t*>(made);
  }
  void free(std::int32_t* memory) {
    device_.erase(std::find(device_.begin(), device_.end(), memory));
    MUST(aclrtFree(memory));
  }

 private:
  std::vector<aclrtStream> streams_;
  std::vector<aclrtEvent> events_;
  std::vector<void*> device_;
  std::vector<void*> host_;
};

inline void to_device(std::int32_t* device, const std::int32_t* host, aclrtStream stream) {
  MUST(aclrtMemcpyAsync(device, kBytes, host, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
}
inline void to_host(std::int32_t* host, const std::int32_t* device, aclrtStream stream) {
  MUST(aclrtMemcpyAsync(host, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream));
}
inline void record(aclrtEvent event, aclrtStream stream) { MUST(aclrtRecordEvent(event, stream)); }
inline void wait(aclrtStream stream, aclrtEvent event) {
  MUST(aclrtStreamWaitEvent(stream, event));
}
inline void synchronise(aclrtStream stream) { MUST(aclrtSynchronizeStream(stream)); }

/// A kernel: out[i] += a[i] + b[i]; `b` may be null.
inline void add(std::int32_t* out, const std::int32_t* a, const std::int32_t* b,
                aclrtStream stream) {
  struct Args {
    std::int32_t* out;
    const std::int32_t* a;
    const std::int32_t* b;
  };
  const aclsimKernel body = [](const aclsimKernelContext*, const void* raw) -> std::int32_t {
    const auto& args = *static_cast<const Args*>(raw);
    for (std::size_t i = 0; i < kCount; ++i) args.out[i] += args.a[i] + (args.b ? args.b[i] : 0);
    return 0;
  };
  const Args args{out, a, b};
  const aclsimMemRange ranges[] = {{out, kBytes, ACLSIM_ACCESS_READ | ACLSIM_ACCESS_WRITE},
                                   {a, kBytes, ACLSIM_ACCESS_READ},
                                   {b, kBytes, ACLSIM_ACCESS_READ}};
  aclsimLaunch launch = {};
  launch.size = sizeof launch;
  launch.name = "add";
  launch.kernel = body;
  launch.numBlocks = 1;
  launch.numRanges = b ? 3 : 2;
  launch.args = &args;
  launch.argsSize = sizeof args;
  launch.ranges = ranges;
  MUST(aclsimLaunchKernel(&launch, stream));
}

/// The return value of main: 0 if all elements are `expected`.
inline int verdict(const std::int32_t* result, std::int32_t expected) {
  const auto* const wrong =
      std::find_if(result, result + kCount, [&](std::int32_t v) { return v != expected; });
  if (wrong == result + kCount) return std::printf("right: %d\n", expected) < 0;
  std::printf("wrong: element %td is %d, expected %d\n", wrong - result, *wrong, expected);
  return 1;
}

/// The same for device memory that no task uses any more.
inline int device_verdict(Machine& machine, const std::int32_t* result, std::int32_t expected) {
  std::int32_t* const copy = machine.host();
  MUST(aclrtSynchronizeDevice());
  MUST(aclrtMemcpy(copy, kBytes, result, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  return verdict(copy, expected);
}
