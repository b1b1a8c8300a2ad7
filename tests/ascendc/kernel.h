// SPDX-License-Identifier: Apache-2.0
// A device, its memory, and launches as translated sources make them.
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_sim.h"
#include "ascendc/impl/launch.h"
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

namespace launched {

template <auto kernel, class... P>
void call(const void* args) {
  const char* at = static_cast<const char*>(args);
  const auto next = [&](auto* type) {
    std::remove_reference_t<decltype(*type)> value;
    std::memcpy(&value, at, sizeof value);
    at += (sizeof value + 7) / 8 * 8;
    return value;
  };
  std::tuple<P...> values{next(static_cast<P*>(nullptr))...};
  std::apply(kernel, values);
}

}  // namespace launched

/// A kernel as a translated source declares it.
template <auto kernel, class Signature = decltype(kernel)>
struct KernelOf;
template <auto kernel, class... P>
struct KernelOf<kernel, void (*)(P...)> {
  static std::uint32_t enqueue(const char* name, std::uint32_t kind, std::uint32_t blocks,
                              aclrtStream stream, P... values) {
    const aclsimKernelCode& code = code_of(name, kind);
    std::vector<char> args;
    const auto add = [&](const auto& value) {
      const std::size_t at = args.size();
      args.resize(at + (sizeof value + 7) / 8 * 8);
      std::memcpy(args.data() + at, &value, sizeof value);
    };
    (add(values), ...);
    aclsimKernelLaunchRequest request{};
    request.size = sizeof request;
    request.blocks = blocks;
    request.code = &code;
    request.args = args.data();
    request.args_size = args.size();
    return aclsimLaunchKernelCode(&request, stream);
  }

 private:
  // One for each way to launch it: earlier launches may still read theirs.
  static const aclsimKernelCode& code_of(const char* name, std::uint32_t kind) {
    static std::map<std::pair<std::string, std::uint32_t>, aclsimKernelCode> codes;
    const auto [at, added] = codes.try_emplace({name, kind});
    if (added) {
      at->second = {sizeof(aclsimKernelCode), kind, at->first.first.c_str(), "test.cpp", 1,
                    0, nullptr, launched::call<kernel, P...>};
    }
    return at->second;
  }
};

#define launch(name, kernel, ...) \
  KernelOf<&kernel>::enqueue(name, ACLSIM_CORES_INFERRED, LAUNCH_FIRST(__VA_ARGS__))
#define LAUNCH_FIRST(blocks, ...) blocks, nullptr, ##__VA_ARGS__
