// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/cuda_multicast.h"
#include "runtime/cuda/driver/machine.h"
#include "runtime/cuda/driver/place.h"
#include "runtime/cuda/driver/stream.h"

namespace cuda {

/// A copy of bytes, as the program asks for it.
struct CopyRequest {
  CUdeviceptr to = 0;
  CUdeviceptr from = 0;
  std::size_t size = 0;
  Expected to_is = Expected::any;
  Expected from_is = Expected::any;
};

/// The same value again and again.
struct FillRequest {
  CUdeviceptr to = 0;
  std::uint64_t value = 0;
  std::size_t width = 1;  // bytes of the value: 1, 2, 4, 8
  std::size_t count = 0;
};

/// Each call is one op of the stream for any number of replicas. All errors are raised by the call,
/// before it writes.
namespace transfer {

/// `now`: the call returns when it is done.
void copy(Caller caller, const CopyRequest& request, const streams::StreamRef& stream, bool now);
void fill(Caller caller, const FillRequest& request, const streams::StreamRef& stream);

/// Raises the error that an access to this range by work of the stream would raise.
void require_memory(CUdeviceptr address, std::size_t size, Role role, Expected expected,
                    const streams::StreamRef& stream, const char* argument);

}  // namespace transfer
}  // namespace cuda
