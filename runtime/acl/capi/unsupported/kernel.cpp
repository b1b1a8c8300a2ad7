// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// kernel load and launch
ACL_UNSUPPORTED(aclrtBinary, aclrtCreateBinary, (const void*, size_t), "kernel binaries");
ACL_UNSUPPORTED(aclError, aclrtDestroyBinary, (aclrtBinary), "kernel binaries");
ACL_UNSUPPORTED(aclError, aclrtBinaryLoad, (const aclrtBinary, aclrtBinHandle*), "kernel binaries");
ACL_UNSUPPORTED(aclError, aclrtBinaryUnLoad, (aclrtBinHandle), "kernel binaries");
ACL_UNSUPPORTED(aclError, aclrtBinaryGetFunction,
                (const aclrtBinHandle, const char*, aclrtFuncHandle*), "kernel binaries");
ACL_UNSUPPORTED(aclError, aclrtLaunchKernel,
                (aclrtFuncHandle, uint32_t, const void*, size_t, aclrtStream),
                "kernel launch by function handle");
ACL_UNSUPPORTED(aclError, aclrtBinaryLoadFromFile,
                (const char*, aclrtBinaryLoadOptions*, aclrtBinHandle*), "kernel binaries");
ACL_UNSUPPORTED(aclError, aclrtBinaryGetDevAddress, (const aclrtBinHandle, void**, size_t*),
                "kernel binaries");
ACL_UNSUPPORTED(aclError, aclrtBinaryGetFunctionByEntry,
                (aclrtBinHandle, uint64_t, aclrtFuncHandle*), "kernel binaries");
ACL_UNSUPPORTED(aclError, aclrtBinaryGetGlobal, (aclrtBinHandle, const char*, void**, size_t*),
                "kernel binaries");
ACL_UNSUPPORTED(aclError, aclrtGetFuncBySymbol, (const void*, aclrtFuncHandle*), "device symbols");
ACL_UNSUPPORTED(aclError, aclrtGetFunctionAddr, (aclrtFuncHandle, void**, void**),
                "kernel function attributes");
ACL_UNSUPPORTED(aclError, aclrtGetFunctionSize, (aclrtFuncHandle, size_t*, size_t*),
                "kernel function attributes");
ACL_UNSUPPORTED(aclError, aclrtKernelArgsGetHandleMemSize, (aclrtFuncHandle, size_t*),
                "kernel argument handles");
ACL_UNSUPPORTED(aclError, aclrtKernelArgsGetMemSize, (aclrtFuncHandle, size_t, size_t*),
                "kernel argument handles");
ACL_UNSUPPORTED(aclError, aclrtKernelArgsInit, (aclrtFuncHandle, aclrtArgsHandle*),
                "kernel argument handles");
ACL_UNSUPPORTED(aclError, aclrtKernelArgsInitByUserMem,
                (aclrtFuncHandle, aclrtArgsHandle, void*, size_t), "kernel argument handles");
ACL_UNSUPPORTED(aclError, aclrtKernelArgsAppend,
                (aclrtArgsHandle, void*, size_t, aclrtParamHandle*), "kernel argument handles");
ACL_UNSUPPORTED(aclError, aclrtKernelArgsAppendPlaceHolder, (aclrtArgsHandle, aclrtParamHandle*),
                "kernel argument handles");
ACL_UNSUPPORTED(aclError, aclrtKernelArgsGetPlaceHolderBuffer,
                (aclrtArgsHandle, aclrtParamHandle, size_t, void**), "kernel argument handles");
ACL_UNSUPPORTED(aclError, aclrtKernelArgsParaUpdate,
                (aclrtArgsHandle, aclrtParamHandle, void*, size_t), "kernel argument handles");
ACL_UNSUPPORTED(aclError, aclrtLaunchKernelWithConfig,
                (aclrtFuncHandle, uint32_t, aclrtStream, aclrtLaunchKernelCfg*, aclrtArgsHandle,
                 void*),
                "kernel launch by function handle");
ACL_UNSUPPORTED(aclError, aclrtKernelArgsFinalize, (aclrtArgsHandle), "kernel argument handles");
ACL_UNSUPPORTED(aclError, aclrtGetFunctionName, (aclrtFuncHandle, uint32_t, char*),
                "kernel function attributes");
ACL_UNSUPPORTED(aclError, aclrtBinaryLoadFromData,
                (const void*, size_t, const aclrtBinaryLoadOptions*, aclrtBinHandle*),
                "kernel binaries");
ACL_UNSUPPORTED(aclError, aclrtRegisterCpuFunc,
                (const aclrtBinHandle, const char*, const char*, aclrtFuncHandle*), "CPU kernels");
ACL_UNSUPPORTED(aclError, aclrtLaunchKernelV2,
                (aclrtFuncHandle, uint32_t, const void*, size_t, aclrtLaunchKernelCfg*,
                 aclrtStream),
                "kernel launch by function handle");
ACL_UNSUPPORTED(aclError, aclrtLaunchKernelWithHostArgs,
                (aclrtFuncHandle, uint32_t, aclrtStream, aclrtLaunchKernelCfg*, void*, size_t,
                 aclrtPlaceHolderInfo*, size_t),
                "kernel launch by function handle");
ACL_UNSUPPORTED(aclError, aclrtLaunchKernelWithArgsArray,
                (void*, uint32_t, aclrtStream, aclrtLaunchKernelCfg*, void**),
                "kernel launch by function handle");
ACL_UNSUPPORTED(aclError, aclrtLaunchSIMTKernelWithArgsArray,
                (void*, dim3, dim3, size_t, aclrtStream, aclrtLaunchKernelCfg*, void**),
                "SIMT kernels");
ACL_UNSUPPORTED(aclError, aclrtLaunchSIMTKernelWithHostArgs,
                (void*, dim3, dim3, size_t, aclrtStream, aclrtLaunchKernelCfg*, void*, size_t,
                 aclrtPlaceHolderInfo*, size_t),
                "SIMT kernels");
ACL_UNSUPPORTED(aclError, aclrtGetHardwareSyncAddr, (void**), "hardware synchronisation address");
ACL_UNSUPPORTED(aclError, aclrtCheckArchCompatibility, (const char*, int32_t*),
                "chip compatibility check");
ACL_UNSUPPORTED(aclError, aclrtGetFunctionAttribute,
                (aclrtFuncHandle, aclrtFuncAttribute, int64_t*), "kernel function attributes");
ACL_UNSUPPORTED(aclError, aclrtFunctionGetBinary, (const aclrtFuncHandle, aclrtBinHandle*),
                "kernel binaries");
ACL_UNSUPPORTED(aclError, aclrtFunctionGetParamCount, (const void*, size_t*),
                "kernel function attributes");
ACL_UNSUPPORTED(aclError, aclrtFunctionGetParamInfo, (const void*, size_t, size_t*, size_t*),
                "kernel function attributes");
ACL_UNSUPPORTED(aclError, aclrtFunctionGetAvailDynUbufPerBlock, (void*, uint32_t, size_t*),
                "kernel function attributes");
