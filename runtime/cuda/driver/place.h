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
  const void* shown = nullptr;       // what traces and reports call it; null: they do not know it
  std::shared_ptr<const void> hold;  // keeps it while work is pending
};

/// Bytes that lie in the same places: one, or several behind the address of a multicast object.
struct Extent {
  std::size_t size = 0;
  std::vector<Copy> copies;
};

/// What is behind a range of addresses.
struct Side {
  std::vector<Extent> extents;
  bool pageable = false;  // ordinary memory of the host
  bool multicast = false;
};

enum class Role { read, written };
/// What an address may be.
enum class Expected { device, host, any };

/// Where a range lies, for work of this context. Raises CUDA_ERROR_INVALID_VALUE for what is not
/// there or not allowed, and CUDA_ERROR_ILLEGAL_ADDRESS for a store through a multicast object
/// where a device of the team has no memory.
Side locate(CUdeviceptr address, std::size_t size, Role role, Expected expected,
            const Context& context, const char* argument);

}  // namespace cuda
