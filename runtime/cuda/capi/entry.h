// SPDX-License-Identifier: Apache-2.0
// How entries are written: a name, its parameters, its body. The body sees `caller`, the call in
// the program.
#pragma once

#include "runtime/cuda/base/guard.h"
#include "runtime/cuda/driver/machine.h"
#include "runtime/cuda/driver/physical_memory.h"

namespace cuda {

/// Wraps the few entries that work before cuInit.
template <class Body>
CUresult entered_early(const Caller& caller, Body&& body) {
  const embedding::LibraryCall call(Machine::runtime_if_started(), caller);
  const CUresult result = guarded(caller.function, body);
  reclaim_memory();
  return result;
}

/// Wraps every other entry: runs the call, then releases memory that earlier work has left. Before
/// cuInit the call fails with any arguments.
template <class Body>
CUresult entered(const Caller& caller, Body&& body) {
  return entered_early(caller, [&] {
    Machine::get();
    body();
  });
}

/// As `entered`, for questions whether something is done; that it is not is no mistake.
template <class Body>
CUresult asked(const Caller& caller, Body&& body) {
  const embedding::LibraryCall call(Machine::runtime_if_started(), caller);
  bool done = true;
  const CUresult result = guarded(caller.function, [&] {
    Machine::get();
    done = body();
  });
  return result == CUDA_SUCCESS && !done ? CUDA_ERROR_NOT_READY : result;
}

}  // namespace cuda

#define CUDA_EXPORTED extern "C" __attribute__((visibility("default")))

#define CUDA_ENTRY(name, params, ...)                                \
  CUDA_EXPORTED CUresult name params {                               \
    const ::cuda::Caller caller(#name, __builtin_return_address(0)); \
    return ::cuda::entered(caller, [&]() __VA_ARGS__);               \
  }                                                                  \
  static_assert(true, "an entry ends with a semicolon")

// The same for an entry that works before cuInit.
#define CUDA_EARLY_ENTRY(name, params, ...)                          \
  CUDA_EXPORTED CUresult name params {                               \
    const ::cuda::Caller caller(#name, __builtin_return_address(0)); \
    return ::cuda::entered_early(caller, [&]() __VA_ARGS__);         \
  }                                                                  \
  static_assert(true, "an entry ends with a semicolon")

// The same twice: `kOwn` is true in the variant whose default stream is the thread's own.
#define CUDA_STREAM_ENTRY(name, per_thread, params, ...)             \
  CUDA_EXPORTED CUresult name params {                               \
    [[maybe_unused]] constexpr bool kOwn = false;                    \
    const ::cuda::Caller caller(#name, __builtin_return_address(0)); \
    return ::cuda::entered(caller, [&]() __VA_ARGS__);               \
  }                                                                  \
  CUDA_EXPORTED CUresult per_thread params {                         \
    [[maybe_unused]] constexpr bool kOwn = true;                     \
    const ::cuda::Caller caller(#name, __builtin_return_address(0)); \
    return ::cuda::entered(caller, [&]() __VA_ARGS__);               \
  }                                                                  \
  static_assert(true, "an entry ends with a semicolon")
