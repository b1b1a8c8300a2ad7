// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/cuda/capi/entry.h"

// One row for each function: return type, name, parameters, the missing feature, and statements
// that check the arguments first. `aclsim api` and docs/api.md read the rows.
#define CUDA_UNSUPPORTED_AFTER(R, name, params, feature, ...)                           \
  CUDA_EXPORTED R name params {                                                         \
    const ::cuda::Caller caller(#name, __builtin_return_address(0));                    \
    return ::cuda::entered(caller, [&] {                                                \
      __VA_ARGS__                                                                       \
      ::cuda::fail(CUDA_ERROR_NOT_SUPPORTED, "{} is not emulated: {}", #name, feature); \
    });                                                                                 \
  }                                                                                     \
  static_assert(true, "a row ends with a semicolon")

// The same for a function that works before cuInit.
#define CUDA_EARLY_UNSUPPORTED_AFTER(R, name, params, feature, ...)                     \
  CUDA_EXPORTED R name params {                                                         \
    const ::cuda::Caller caller(#name, __builtin_return_address(0));                    \
    return ::cuda::entered_early(caller, [&] {                                          \
      __VA_ARGS__                                                                       \
      ::cuda::fail(CUDA_ERROR_NOT_SUPPORTED, "{} is not emulated: {}", #name, feature); \
    });                                                                                 \
  }                                                                                     \
  static_assert(true, "a row ends with a semicolon")
