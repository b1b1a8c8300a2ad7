// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/cuda_multicast.h"
#include "runtime/cuda/driver/handles.h"

namespace cuda::sharing {

/// A descriptor that the caller closes. That of a multicast object is its table; that of memory is
/// a ticket, a sealed file that says under which key the memory can be had while its process lives.
int export_file(const Handle& handle);
CUmemFabricHandle export_fabric(const Handle& handle);
/// A new handle. Raises CUDA_ERROR_INVALID_VALUE for what is no open descriptor, and
/// CUDA_ERROR_NOT_SUPPORTED for a file, or bytes, of another kind.
CUmemGenericAllocationHandle import_file(int file);
CUmemGenericAllocationHandle import_fabric(const CUmemFabricHandle& fabric);

}  // namespace cuda::sharing
