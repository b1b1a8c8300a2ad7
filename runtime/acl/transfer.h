// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "acl/acl_rt.h"
#include "device_sim/address_space.h"

namespace acl {

class Runtime;

/// One end of a copy or fill: where its memory lives, as far as the machine knows.
struct Place {
  std::optional<sim::Allocation> allocation;  // nullopt: host memory that ACL did not allocate

  bool on_device() const noexcept { return allocation && allocation->device != sim::kHostDevice; }
  bool pinned() const noexcept { return allocation && allocation->device == sim::kHostDevice; }
  bool pageable() const noexcept { return !allocation; }
  /// A device id of the machine, or sim::kHostDevice.
  int device() const noexcept { return allocation ? allocation->device : sim::kHostDevice; }
};

/// Finds where [address, address + size) lives. Raises ACL_ERROR_RT_PARAM_INVALID when it passes
/// the end of its allocation, or lies in device memory that is not allocated.
Place locate(Runtime& runtime, const void* address, std::size_t size, const char* argument);

/// A copy between devices needs both directions open; raises ACL_ERROR_RT_DRV_INTERNAL_ERROR.
void require_access(Runtime& runtime, const Place& dst, const Place& src);

/// The checks that copies share, on the numbers alone.
void check_copy_arguments(const void* dst, std::size_t dest_max, const void* src,
                          std::size_t count, aclrtMemcpyKind kind);

/// Compares what an asynchronous copy says (`kind`) with what the addresses are: raises
/// ACL_ERROR_RT_FEATURE_NOT_SUPPORT for host to host, ACL_ERROR_RT_PARAM_INVALID for a direction
/// that the addresses cannot have.
void check_direction(aclrtMemcpyKind kind, const Place& dst, const Place& src);

}  // namespace acl
