// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "cuda/cuda_multicast.h"
#include "runtime/cuda/driver/multicast_object.h"

namespace cuda::multimem {

/// The places of the bytes in the order of the team; kept for the calling thread, so that the next
/// bytes of the same binding cost a comparison. Raises what aclsimMultimemTargets says.
const std::vector<std::byte*>& targets(CUdeviceptr address, std::size_t size);

/// The replicas of each part of a range.
std::vector<ReplicatedSegment> pieces(CUdeviceptr address, std::size_t size);

}  // namespace cuda::multimem
