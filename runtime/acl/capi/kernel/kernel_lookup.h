// SPDX-License-Identifier: Apache-2.0
// Handles of kernels become objects.
#pragma once

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/kernel/kernel.h"
#include "runtime/acl/kernel/kernel_args.h"

namespace acl {

inline Kernels& kernels(Runtime& runtime) { return runtime.section<Kernels>(); }

/// The first beat of entries that store a handle or an address.
inline void*& require_handle_out(void** out, const char* argument) {
  void*& place = require_out(out, argument);
  place = nullptr;
  return place;
}

inline BinaryTable::Pin find_binary(Runtime& runtime, aclrtBinHandle handle,
                                    const char* argument = "binHandle") {
  require_input(handle, argument);
  BinaryTable::Pin pin = kernels(runtime).binaries().find(handle);
  if (!pin) {
    fail_for_handle(
        handle, ACL_ERROR_RT_INVALID_HANDLE,
        "{} is {}, which is not a loaded kernel binary (unloaded, or another kind of handle)",
        argument, handle);
  }
  return pin;
}

inline FunctionTable::Pin find_function(Runtime& runtime, aclrtFuncHandle handle,
                                        const char* argument = "funcHandle") {
  require_input(handle, argument);
  FunctionTable::Pin pin = kernels(runtime).functions().find(handle);
  if (!pin) {
    fail_for_handle(
        handle, ACL_ERROR_RT_INVALID_HANDLE,
        "{} is {}, which is not a kernel function (its binary was unloaded, or another kind of "
        "handle)",
        argument, handle);
  }
  return pin;
}

/// For calls that take a function handle, or the host function that names the kernel.
inline FunctionTable::Pin find_function_or_symbol(Runtime& runtime, const void* func) {
  require_input(func, "func");
  if (const aclrtFuncHandle handle = kernels(runtime).function_by_symbol(func)) {
    return find_function(runtime, handle, "func");
  }
  return find_function(runtime, const_cast<void*>(func), "func");
}

inline sim::Ref<KernelArgs> find_args(Runtime& runtime, aclrtArgsHandle handle) {
  require_input(handle, "argsHandle");
  auto args = kernels(runtime).find_args(handle);
  if (!args) {
    fail_for_handle(
        handle, ACL_ERROR_RT_INVALID_HANDLE,
        "argsHandle is {}, which is not a list of arguments (the kernel's binary was unloaded, or "
        "another kind of handle)",
        handle);
  }
  return args;
}

}  // namespace acl
