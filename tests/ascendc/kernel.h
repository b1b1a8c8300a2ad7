// SPDX-License-Identifier: Apache-2.0
// A device, its memory, and launches as translated sources make them.
#pragma once

#include <vector>

#include "acl/acl.h"
#include "acl/acl_sim.h"
#include "tests/ascendc/kernel_of.h"
#include "tests/support/catch.h"

/// Memory of the device.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::size_t count) : count_(count) {
    REQUIRE(aclrtMalloc(&address_, count * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST) == 0);
  }
  explicit Buffer(const std::vector<T>& values) : Buffer(values.size()) {
    REQUIRE(aclrtMemcpy(address_, count_ * sizeof(T), values.data(), count_ * sizeof(T),
                        ACL_MEMCPY_HOST_TO_DEVICE) == 0);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { aclrtFree(address_); }
  T* data() const { return static_cast<T*>(address_); }
  std::vector<T> host() const {
    std::vector<T> values(count_);
    REQUIRE(aclrtMemcpy(values.data(), count_ * sizeof(T), address_, count_ * sizeof(T),
                        ACL_MEMCPY_DEVICE_TO_HOST) == 0);
    return values;
  }

 private:
  void* address_ = nullptr;
  std::size_t count_;
};

class Device {
 public:
  Device() {
    REQUIRE(aclInit(nullptr) == 0);
    REQUIRE(aclrtSetDevice(0) == 0);
  }
  ~Device() { aclsimResetAll(); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  template <class T>
  Buffer<T> memory(std::size_t count) const {
    return Buffer<T>(count);
  }
  template <class T>
  Buffer<T> memory(const std::vector<T>& values) const {
    return Buffer<T>(values);
  }
  int synchronize() const { return aclrtSynchronizeDevice(); }
};

#define launch(name, kernel, ...) \
  KernelOf<&kernel>::enqueue(name, ACLSIM_CORES_INFERRED, LAUNCH_FIRST(__VA_ARGS__))
#define LAUNCH_FIRST(blocks, ...) blocks, nullptr, ##__VA_ARGS__
