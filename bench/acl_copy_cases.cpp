// SPDX-License-Identifier: Apache-2.0
// (f) Asynchronous copies within one device and from pinned host memory, compared with memcpy.
#include <vector>

#include "bench/acl_world.h"

namespace bench {
namespace {

class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t size) {
    ACL_OK(aclrtMalloc(&address_, size, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  ~DeviceMemory() { aclrtFree(address_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  operator void*() const { return address_; }

 private:
  void* address_ = nullptr;
};

class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t size) { ACL_OK(aclrtMallocHost(&address_, size)); }
  ~PinnedMemory() { aclrtFreeHost(address_); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  operator void*() const { return address_; }

 private:
  void* address_ = nullptr;
};

/// Copies the device's bytes to the host and compares them.
void check_pattern(const DeviceMemory& memory, std::size_t size) {
  std::vector<unsigned char> bytes(size);
  ACL_OK(aclrtMemcpy(bytes.data(), size, memory, size, ACL_MEMCPY_DEVICE_TO_HOST));
  require(has_pattern(bytes.data(), size), "the copy left other bytes");
}

void copies(benchmark::State& state, const DeviceMemory& dst, const void* src, std::size_t size,
            int count, aclrtMemcpyKind kind) {
  const Stream stream;
  compare_copies(state, size, count, [&] {
    for (int i = 0; i < count; ++i) ACL_OK(aclrtMemcpyAsync(dst, size, src, size, kind, stream));
    stream.synchronize();
  });
  check_pattern(dst, size);
}

void device_to_device(benchmark::State& state, std::size_t size, int count) {
  use_device(0);
  const HostMemory pattern = host_memory(size);
  const DeviceMemory src(size);
  const DeviceMemory dst(size);
  ACL_OK(aclrtMemcpy(src, size, pattern.get(), size, ACL_MEMCPY_HOST_TO_DEVICE));
  copies(state, dst, src, size, count, ACL_MEMCPY_DEVICE_TO_DEVICE);
}

void pinned_to_device(benchmark::State& state, std::size_t size, int count) {
  use_device(0);
  const PinnedMemory src(size);
  fill_pattern(src, size);
  const DeviceMemory dst(size);
  copies(state, dst, src, size, count, ACL_MEMCPY_HOST_TO_DEVICE);
}

const bool registered = [] {
  add_case(
      "f/device_4KiB", [](auto& s) { device_to_device(s, 4 * kKiB, kSmallBatch); }, 51);
  add_case(
      "f/device_1MiB", [](auto& s) { device_to_device(s, kMiB, 1); }, 201);
  add_case(
      "f/device_256MiB", [](auto& s) { device_to_device(s, 256 * kMiB, 1); }, 5);
  add_case(
      "f/pinned_4KiB", [](auto& s) { pinned_to_device(s, 4 * kKiB, kSmallBatch); }, 51);
  add_case(
      "f/pinned_1MiB", [](auto& s) { pinned_to_device(s, kMiB, 1); }, 201);
  add_case(
      "f/pinned_256MiB", [](auto& s) { pinned_to_device(s, 256 * kMiB, 1); }, 5);
  return true;
}();

}  // namespace
}  // namespace bench
