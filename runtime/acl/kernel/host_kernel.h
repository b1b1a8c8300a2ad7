// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "acl/acl_sim.h"
#include "device_sim/streams/op.h"

namespace acl {

/// The layout of a launch's blocks, and the resources of each block.
struct LaunchShape {
  std::uint32_t grid[3] = {1, 1, 1};   // their product is the number of blocks; 0, 1, 1: a row
  std::uint32_t block[3] = {1, 1, 1};  // threads for which a block is executed
  std::uint32_t first_block = 0;
  std::uint32_t local_bytes = 0;  // of scratch memory
  std::uint64_t tiling_key = 0;   // for TILING_KEY_IS in kernels
  std::uint64_t limit_ns = 0;     // 0: none
  aclError late_code = 0;         // when the limit has passed
  bool threads() const noexcept { return std::uint64_t{block[0]} * block[1] * block[2] != 1; }
};

/// Calls a host function for each block, one after the other, in the calling thread: the one place
/// that knows how such a function is called. Returns 0 or the device error code.
std::int32_t run_host_kernel(aclsimKernel kernel, const void* args, const LaunchShape& shape,
                             const sim::KernelRun& run);

/// The same for blocks in a row that get nothing.
std::int32_t run_row_of_blocks(aclsimKernel kernel, const void* args, const sim::KernelRun& run);

/// The same text for as long as the process lives, as names of kernels must.
const char* lasting_name(std::string_view name);

/// The alignment of a parameter of `size` bytes: the largest power of two that divides its size, 8
/// at most, as for most members of a C structure.
std::size_t parameter_alignment(std::size_t size) noexcept;
/// The offset of a parameter after `end` bytes of other parameters.
std::size_t parameter_offset(std::size_t end, std::size_t size) noexcept;

}  // namespace acl
