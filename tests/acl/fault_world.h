// SPDX-License-Identifier: Apache-2.0
// Common code of the tests of injected faults: programs that run with faults, and words for them.
#pragma once

#include <atomic>
#include <cstring>
#include <string>

#include "tests/acl/world.h"
#include "tests/support/child.h"

#define CHILD_OK(call) CHILD_EXPECT_CODE(call, ACL_SUCCESS)

namespace faulttest {

using namespace world;

inline support::ChildResult run_with(const char* faults, const char* program,
                                     support::Environment more = {}) {
  more.emplace_back("ACLSIM_FAULTS", faults);
  return support::run_child(program, more);
}

inline void expect_clean(const support::ChildResult& child, const char* said) {
  INFO(child.output);
  CHECK(child.clean());
  CHECK_THAT(child.output, catch_compat::ContainsSubstring(said));
}

// ---- words for child programs ----

inline bool said(const char* words) { return recent_message().find(words) != std::string::npos; }

inline std::int32_t add_one_to_word(const aclsimKernelContext*, const void* args) {
  std::atomic<int>* count = nullptr;
  std::memcpy(&count, args, sizeof count);
  ++*count;
  return 0;
}

inline aclError launch_named(const char* name, std::atomic<int>& count,
                             aclrtStream stream = nullptr) {
  std::atomic<int>* const pointer = &count;
  aclsimLaunch launch = {};
  launch.size = sizeof launch;
  launch.name = name;
  launch.kernel = add_one_to_word;
  launch.numBlocks = 1;
  launch.args = &pointer;
  launch.argsSize = sizeof pointer;
  return aclsimLaunchKernel(&launch, stream);
}

/// Pinned host memory and device memory of a page each.
struct Buffers {
  static constexpr std::size_t kSize = 4096;
  void* host = nullptr;
  void* device = nullptr;
  Buffers() {
    CHILD_OK(aclrtMallocHost(&host, kSize));
    CHILD_OK(aclrtMalloc(&device, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
    std::memset(host, 7, kSize);
  }
  aclError upload(aclrtStream stream = nullptr) const {
    return aclrtMemcpyAsync(device, kSize, host, kSize, ACL_MEMCPY_HOST_TO_DEVICE, stream);
  }
  aclError download_now() const {
    return aclrtMemcpy(host, kSize, device, kSize, ACL_MEMCPY_DEVICE_TO_HOST);
  }
};

inline std::atomic<int> exceptions{0};
inline std::atomic<std::uint32_t> exception_code{0};
inline std::atomic<std::uint32_t> exception_task{0};
inline std::atomic<std::uint32_t> exception_device{77};

inline void note_exception(aclrtExceptionInfo* info) {
  exception_code = aclrtGetErrorCodeFromExceptionInfo(info);
  exception_task = aclrtGetTaskIdFromExceptionInfo(info);
  exception_device = aclrtGetDeviceIdFromExceptionInfo(info);
  ++exceptions;
}

inline aclrtErrorInfo planned_fault_of(int device) {
  aclrtErrorInfo info{};
  CHILD_OK(aclrtGetErrorVerbose(device, &info));
  return info;
}

}  // namespace faulttest
