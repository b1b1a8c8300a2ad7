// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/section.h"

namespace acl {

/// Host memory of the program's own that devices may reach: it counts as pinned. Kernels use it by
/// its host address.
class HostRegistrations final : public Section {
 public:
  explicit HostRegistrations(Runtime& runtime) : runtime_(runtime) {}

  /// False until the process registers memory; callers then skip their lookup.
  static bool in_use() noexcept { return count.load(std::memory_order_acquire) != 0; }

  /// Makes [begin, begin + size) known to a device of the machine. `flags`: ACL_HOST_REG_ bits.
  /// Raises ACL_ERROR_RT_PARAM_INVALID for memory other than plain host memory in whole pages,
  /// ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED if part of it is known already.
  void add(void* begin, std::size_t size, std::uint32_t flags, int device);
  /// Raises ACL_ERROR_HOST_MEMORY_NOT_REGISTERED unless a registration starts at `begin`.
  void remove(const void* begin);
  /// True when one registration holds the whole range.
  bool covers(const void* begin, std::size_t size) const;
  /// The address by which kernels reach `host`. Raises ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, and
  /// ACL_ERROR_RT_PARAM_INVALID for memory that was registered as pinned only.
  void* device_pointer(void* host) const;

  void reset() override;
  void device_ends(int device) override;
  std::size_t live_handles() const override;

 private:
  struct Range {
    std::size_t size;
    std::uint32_t flags;
    int device;
  };
  using Ranges = std::map<std::uintptr_t, Range>;  // by first address

  Ranges::const_iterator holder(std::uintptr_t address) const REQUIRES(mutex_);
  void require_host_memory(const void* begin, std::size_t size) const;

  inline static std::atomic<std::size_t> count{0};
  Runtime& runtime_;
  mutable sim::Mutex mutex_;
  Ranges ranges_ GUARDED_BY(mutex_);
};

}  // namespace acl
