// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "cuda/cuda_multicast.h"
#include "runtime/cuda/driver/machine.h"
#include "runtime/cuda/driver/stream.h"

/// Memory pools. Each block is physical memory at addresses of its own, as of cuMemCreate and
/// cuMemMap, so it can be bound to multicast objects. A block that was freed in the order of a
/// stream is given back by a later call of this interface, once the stream has come so far.
namespace cuda::pools {

struct Block {
  CUdeviceptr begin = 0;
  std::size_t size = 0;  // as asked for
};

CUmemoryPool create(const CUmemPoolProps& props);
/// Blocks that are in use stay until they are freed.
void destroy(CUmemoryPool pool);
CUmemoryPool default_of(int device);

/// `pool` null: the default pool of the stream's device. The block may be used at once.
CUdeviceptr allocate(Caller caller, CUmemoryPool pool, std::size_t size,
                     const streams::StreamRef& stream);
void free_in_order(CUdeviceptr begin, const streams::StreamRef& stream);
/// Frees a block after the work of the current context. False: no block begins there.
bool free_now(CUdeviceptr begin);
/// The block that contains the address.
std::optional<Block> find(CUdeviceptr address);
/// Gives back the blocks whose streams have passed their end.
void trim();

}  // namespace cuda::pools
