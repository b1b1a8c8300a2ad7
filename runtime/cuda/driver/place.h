// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cuda/cuda_multicast.h"
#include "runtime/cuda/driver/context.h"

namespace cuda {

/// One place of some bytes.
struct Copy {
  std::byte* bytes = nullptr;        // where the machine reads and writes
  const void* shown = nullptr;       // the address in traces and reports; null: unknown to them
  std::shared_ptr<const void> hold;  // keeps it while work is pending
};

/// Bytes with the same set of locations: one, or several for the address of a multicast object.
struct Extent {
  std::size_t size = 0;
  std::vector<Copy> copies;
};

/// The memory of an address range.
struct Side {
  std::vector<Extent> extents;
  bool pageable = false;  // ordinary memory of the host
  bool multicast = false;
};

enum class Role { read, written };
/// The kinds of addresses that a call accepts.
enum class Expected { device, host, any };

/// Resolves a range for work of this context. Raises CUDA_ERROR_INVALID_VALUE for memory that does
/// not exist or is of a kind that is not allowed, and CUDA_ERROR_ILLEGAL_ADDRESS for a store
/// through a multicast object if a device of the team has no memory there.
Side locate(CUdeviceptr address, std::size_t size, Role role, Expected expected,
            const Context& context, const char* argument);

}  // namespace cuda
