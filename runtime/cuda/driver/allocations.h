// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "cuda/cuda_multicast.h"
#include "runtime/cuda/driver/context.h"

namespace cuda::allocations {

/// An allocation of cuMemAlloc or cuMemAllocHost: memory of ACL, which belongs to a context.
struct Allocation {
  CUdeviceptr begin = 0;
  std::size_t size = 0;
  bool host = false;
  std::weak_ptr<Context> context;
};

CUdeviceptr allocate(const ContextRef& context, std::size_t size);
/// Waits for the context's work first.
void release(CUdeviceptr begin);
void* allocate_host(const ContextRef& context, std::size_t size);
void release_host(void* begin);
std::optional<Allocation> find(CUdeviceptr address);

}  // namespace cuda::allocations
