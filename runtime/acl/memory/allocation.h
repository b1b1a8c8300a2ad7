// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/acl/memory/memory_label.h"

namespace acl {

class Runtime;

/// The properties that an allocation call asks for, besides its size.
struct AllocationRequest {
  int device = 0;        // of the machine; sim::kHostDevice for pinned host memory
  std::size_t tail = 0;  // bytes that follow the rounded size
  MemoryLabel label;
  const void* caller = nullptr;  // return address in the program, or null
};

/// Allocates `size` bytes, rounded up to 32. Raises ACL_ERROR_INVALID_PARAM for a size that is 0 or
/// overflows when rounded.
void* allocate(Runtime& runtime, std::size_t size, const AllocationRequest& request);

/// Frees what a device allocation call returned: managed memory too, and blocks of pools go back to
/// their pool, at once. `caller` as above. Raises ACL_ERROR_RT_PARAM_INVALID for anything else.
void free_device(Runtime& runtime, void* pointer, const void* caller);
/// The same for pinned host memory.
void free_host(Runtime& runtime, void* pointer);

}  // namespace acl
