// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/cuda_multicast.h"
#include "runtime/cuda/driver/handles.h"

namespace cuda::sharing {

/// A descriptor that the caller closes. For a multicast object it refers to the object's table. For
/// memory it refers to a ticket: a sealed file with the key of the memory, which is valid while the
/// exporting process lives.
int export_file(const Handle& handle);
CUmemFabricHandle export_fabric(const Handle& handle);
/// A new handle. Raises CUDA_ERROR_INVALID_VALUE for a number that is not an open descriptor, and
/// CUDA_ERROR_NOT_SUPPORTED for a file, or bytes, of another kind.
CUmemGenericAllocationHandle import_file(int file);
CUmemGenericAllocationHandle import_fabric(const CUmemFabricHandle& fabric);

}  // namespace cuda::sharing
