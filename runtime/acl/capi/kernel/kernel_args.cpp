// SPDX-License-Identifier: Apache-2.0
// Argument lists of kernels.
#include "runtime/acl/capi/kernel/kernel_lookup.h"

using namespace acl;

namespace {

// The reported size of a list in the user's memory. The emulator uses the list's address only as a
// name.
constexpr std::size_t kHandleMemory = 64;
constexpr std::size_t kPlaceholderRoom = 16 * KernelArgs::kPlaceholderSize;

void require_size(std::size_t size, const char* argument) {
  if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "{} is 0", argument);
}

}  // namespace

extern "C" {

aclError aclrtKernelArgsGetHandleMemSize(aclrtFuncHandle funcHandle, size_t* memSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& out = require_out(memSize, "memSize");
    find_function(runtime, funcHandle);
    out = kHandleMemory;
  });
}

aclError aclrtKernelArgsGetMemSize(aclrtFuncHandle funcHandle, size_t userArgsSize,
                                   size_t* actualArgsSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& out = require_out(actualArgsSize, "actualArgsSize");
    find_function(runtime, funcHandle);
    require_size(userArgsSize, "userArgsSize");
    if (userArgsSize > kMostArgumentBytes) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "userArgsSize is {}; expected at most {}", userArgsSize,
           kMostArgumentBytes);
    }
    // Alignment at most doubles the size of the arguments; the caller may not have counted the
    // addresses of buffers.
    out = 2 * userArgsSize + kPlaceholderRoom;
  });
}

aclError aclrtKernelArgsInit(aclrtFuncHandle funcHandle, aclrtArgsHandle* argsHandle) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_handle_out(argsHandle, "argsHandle");
    const auto function = find_function(runtime, funcHandle);
    out = kernels(runtime).add_args(
        *function, sim::make_ref<KernelArgs>(sim::Ref<Function>::share(function.get())));
  });
}

aclError aclrtKernelArgsInitByUserMem(aclrtFuncHandle funcHandle, aclrtArgsHandle argsHandle,
                                      void* userHostMem, size_t actualArgsSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(argsHandle, "argsHandle");
    require_input(userHostMem, "userHostMem");
    require_size(actualArgsSize, "actualArgsSize");
    const auto function = find_function(runtime, funcHandle);
    require_host_memory(runtime, userHostMem, actualArgsSize, "userHostMem");
    kernels(runtime).add_args_at(
        *function,
        sim::make_ref<KernelArgs>(sim::Ref<Function>::share(function.get()), userHostMem,
                                  actualArgsSize),
        argsHandle);
  });
}

aclError aclrtKernelArgsAppend(aclrtArgsHandle argsHandle, void* param, size_t paramSize,
                               aclrtParamHandle* paramHandle) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_handle_out(paramHandle, "paramHandle");
    require_input(param, "param");
    require_size(paramSize, "paramSize");
    require_host_memory(runtime, param, paramSize, "param");
    out = find_args(runtime, argsHandle)->append(param, paramSize);
  });
}

aclError aclrtKernelArgsAppendPlaceHolder(aclrtArgsHandle argsHandle,
                                          aclrtParamHandle* paramHandle) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_handle_out(paramHandle, "paramHandle");
    out = find_args(runtime, argsHandle)->append_placeholder();
  });
}

aclError aclrtKernelArgsGetPlaceHolderBuffer(aclrtArgsHandle argsHandle,
                                             aclrtParamHandle paramHandle, size_t dataSize,
                                             void** bufferAddr) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_handle_out(bufferAddr, "bufferAddr");
    require_input(paramHandle, "paramHandle");
    require_size(dataSize, "dataSize");
    out = find_args(runtime, argsHandle)->placeholder_buffer(paramHandle, dataSize);
  });
}

aclError aclrtKernelArgsParaUpdate(aclrtArgsHandle argsHandle, aclrtParamHandle paramHandle,
                                   void* param, size_t paramSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(paramHandle, "paramHandle");
    require_input(param, "param");
    require_size(paramSize, "paramSize");
    require_host_memory(runtime, param, paramSize, "param");
    find_args(runtime, argsHandle)->update(paramHandle, param, paramSize);
  });
}

aclError aclrtKernelArgsFinalize(aclrtArgsHandle argsHandle) {
  return guarded(__func__, [&](Runtime& runtime) { find_args(runtime, argsHandle)->finalize(); });
}

}  // extern "C"
