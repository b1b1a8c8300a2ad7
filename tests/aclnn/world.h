// SPDX-License-Identifier: Apache-2.0
// Common code of the tests of operators in C++. The operators themselves are compared with numpy
// (*.py).
#pragma once

#include <string>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_sim.h"
#include "aclnn/aclnn_base.h"
#include "tests/support/catch.h"

namespace aclnntest {

inline std::string message() {
  const char* const text = aclGetRecentErrMsg();
  return text ? text : "";
}

#define OK_ACL(call)                  \
  do {                                \
    const aclError error_of = (call); \
    INFO(aclnntest::message());       \
    REQUIRE(error_of == ACL_SUCCESS); \
  } while (false)

/// A device, and a stream on it.
class Device {
 public:
  Device() {
    aclsimResetAll();
    aclInit(nullptr);
    OK_ACL(aclrtSetDevice(0));
    OK_ACL(aclrtCreateStream(&stream_));
  }
  ~Device() { aclsimResetAll(); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  aclrtStream stream() const { return stream_; }
  void wait() const { OK_ACL(aclrtSynchronizeStream(stream_)); }

 private:
  aclrtStream stream_ = nullptr;
};

/// Floats in memory of the device.
class Floats {
 public:
  explicit Floats(std::vector<float> values) : count_(values.size()) {
    OK_ACL(aclrtMalloc(&memory_, bytes(), ACL_MEM_MALLOC_HUGE_FIRST));
    OK_ACL(aclrtMemcpy(memory_, bytes(), values.data(), bytes(), ACL_MEMCPY_HOST_TO_DEVICE));
  }
  ~Floats() { aclrtFree(memory_); }
  Floats(const Floats&) = delete;
  Floats& operator=(const Floats&) = delete;

  void* memory() const { return memory_; }
  std::size_t bytes() const { return count_ * sizeof(float); }
  std::vector<float> values() const {
    std::vector<float> values(count_);
    OK_ACL(aclrtMemcpy(values.data(), bytes(), memory_, bytes(), ACL_MEMCPY_DEVICE_TO_HOST));
    return values;
  }
  /// All of them as a vector; the caller destroys it.
  aclTensor* tensor() const {
    const auto count = static_cast<int64_t>(count_);
    return aclCreateTensor(&count, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &count, 1, memory_);
  }

 private:
  const std::size_t count_;
  void* memory_ = nullptr;
};

}  // namespace aclnntest
