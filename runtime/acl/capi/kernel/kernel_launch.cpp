// SPDX-License-Identifier: Apache-2.0
// Launches of kernels by handle. They differ in how the arguments come.
#include "runtime/acl/kernel/kernel_launch.h"
#include "runtime/acl/capi/kernel/kernel_lookup.h"
#include "runtime/acl/memory/transfer.h"

using namespace acl;

namespace {

sim::Ref<Function> share(const FunctionTable::Pin& function) {
  return sim::Ref<Function>::share(function.get());
}

/// Arguments in device memory, which stay there.
void launch_from_device(Runtime& runtime, aclrtFuncHandle handle, std::uint32_t blocks,
                        const void* args, std::size_t size, const aclrtLaunchKernelCfg* config,
                        aclrtStream stream) {
  require_input(handle, "funcHandle");
  require_input(args, "argsData");
  if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "argsSize is 0");
  const auto function = find_function(runtime, handle);
  const LaunchShape shape = make_shape(runtime, *function, blocks, config);
  Stream* const found = own_stream(runtime, stream);
  if (locate(runtime, args, size, "argsData").pageable()) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "argsData is {}, in host memory that a device does not reach; expected device memory, or "
         "aclrtLaunchKernelWithHostArgs",
         args);
  }
  Launch::submit(sim::make_ref<Launch>(share(function), shape, args, size), *found);
}

void check_host_args(const void* args, std::size_t size, const aclrtPlaceHolderInfo* placeholders,
                     std::size_t count) {
  require_input(args, "hostArgs");
  if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "argsSize is 0");
  if (count != 0) require_input(placeholders, "placeHolderArray");
}

}  // namespace

extern "C" {

aclError aclrtLaunchKernel(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData,
                           size_t argsSize, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    launch_from_device(runtime, funcHandle, numBlocks, argsData, argsSize, nullptr, stream);
  });
}

aclError aclrtLaunchKernelV2(aclrtFuncHandle funcHandle, uint32_t numBlocks, const void* argsData,
                             size_t argsSize, aclrtLaunchKernelCfg* cfg, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    launch_from_device(runtime, funcHandle, numBlocks, argsData, argsSize, cfg, stream);
  });
}

aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle funcHandle, uint32_t numBlocks,
                                     aclrtStream stream, aclrtLaunchKernelCfg* cfg,
                                     aclrtArgsHandle argsHandle, void* reserve) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(argsHandle, "argsHandle");
    if (reserve) fail(ACL_ERROR_INVALID_PARAM, "reserve is {}; expected null", reserve);
    const auto function = find_function(runtime, funcHandle);
    const LaunchShape shape = make_shape(runtime, *function, numBlocks, cfg);
    const auto args = find_args(runtime, argsHandle);
    if (&args->function() != function.get()) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "argsHandle was made for the kernel '{}', not for '{}'",
           args->function().name(), function->name());
    }
    Stream* const found = own_stream(runtime, stream);
    Launch::submit(sim::make_ref<Launch>(share(function), shape, args->block()), *found);
  });
}

aclError aclrtLaunchKernelWithHostArgs(aclrtFuncHandle funcHandle, uint32_t numBlocks,
                                       aclrtStream stream, aclrtLaunchKernelCfg* cfg,
                                       void* hostArgs, size_t argsSize,
                                       aclrtPlaceHolderInfo* placeHolderArray,
                                       size_t placeHolderNum) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto function = find_function(runtime, funcHandle);
    check_host_args(hostArgs, argsSize, placeHolderArray, placeHolderNum);
    const LaunchShape shape = make_shape(runtime, *function, numBlocks, cfg);
    Stream* const found = own_stream(runtime, stream);
    auto block = copy_host_args(runtime, hostArgs, argsSize, placeHolderArray, placeHolderNum);
    Launch::submit(sim::make_ref<Launch>(share(function), shape, std::move(block)), *found);
  });
}

aclError aclrtLaunchKernelWithArgsArray(void* func, uint32_t numBlocks, aclrtStream stream,
                                        aclrtLaunchKernelCfg* cfg, void** args) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto function = find_function_or_symbol(runtime, func);
    const LaunchShape shape = make_shape(runtime, *function, numBlocks, cfg);
    Stream* const found = own_stream(runtime, stream);
    auto block = copy_args_array(*function, args);
    Launch::submit(sim::make_ref<Launch>(share(function), shape, std::move(block)), *found);
  });
}

aclError aclrtLaunchSIMTKernelWithArgsArray(void* func, dim3 gridDim, dim3 blockDim,
                                            size_t dynUbufSize, aclrtStream stream,
                                            aclrtLaunchKernelCfg* cfg, void** args) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto function = find_function_or_symbol(runtime, func);
    const LaunchShape shape =
        make_grid_shape(runtime, *function, gridDim, blockDim, dynUbufSize, cfg);
    Stream* const found = own_stream(runtime, stream);
    auto block = copy_args_array(*function, args);
    Launch::submit(sim::make_ref<Launch>(share(function), shape, std::move(block)), *found);
  });
}

aclError aclrtLaunchSIMTKernelWithHostArgs(void* func, dim3 gridDim, dim3 blockDim,
                                           size_t dynUbufSize, aclrtStream stream,
                                           aclrtLaunchKernelCfg* cfg, void* hostArgs,
                                           size_t argsSize, aclrtPlaceHolderInfo* placeHolderArray,
                                           size_t placeHolderNum) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto function = find_function_or_symbol(runtime, func);
    check_host_args(hostArgs, argsSize, placeHolderArray, placeHolderNum);
    const LaunchShape shape =
        make_grid_shape(runtime, *function, gridDim, blockDim, dynUbufSize, cfg);
    Stream* const found = own_stream(runtime, stream);
    auto block = copy_host_args(runtime, hostArgs, argsSize, placeHolderArray, placeHolderNum);
    Launch::submit(sim::make_ref<Launch>(share(function), shape, std::move(block)), *found);
  });
}

}  // extern "C"
