// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "cuda/cuda_multicast.h"

namespace cuda::raw_access {

/// From now on a plain load or store through these addresses, of the host or of a kernel, is
/// explained on stderr before the handler from before, or the system, gets its SIGSEGV.
void watch(CUdeviceptr begin, std::size_t size, const std::string& what);
void forget(CUdeviceptr begin);

}  // namespace cuda::raw_access
