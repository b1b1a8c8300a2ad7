// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "runtime/cuda/driver/multicast_object.h"
#include "runtime/cuda/driver/physical_memory.h"

namespace cuda {

/// The object of a handle from cuMemCreate or cuMulticastCreate: either `memory` or `multicast` is
/// set.
struct Handle {
  CUmemGenericAllocationHandle value = 0;
  MemoryRef memory;
  MulticastRef multicast;
  int references = 0;  // under the lock of the table; 0: released, and still mapped

  std::size_t size() const { return memory ? memory->size() : multicast->size(); }
};

using HandleRef = std::shared_ptr<Handle>;

/// The handles of the process. Numbers are never used again.
namespace handles {

CUmemGenericAllocationHandle add(MemoryRef memory);
CUmemGenericAllocationHandle add(MulticastRef multicast);
/// Raises CUDA_ERROR_INVALID_VALUE.
HandleRef find(CUmemGenericAllocationHandle value, const char* argument = "handle");
MemoryRef find_memory(CUmemGenericAllocationHandle value, const char* argument = "handle");
MulticastRef find_multicast(CUmemGenericAllocationHandle value);
/// One more reference; a handle that was released, but is mapped, is live again.
void retain(const HandleRef& handle);
void release(CUmemGenericAllocationHandle value);

}  // namespace handles
}  // namespace cuda
