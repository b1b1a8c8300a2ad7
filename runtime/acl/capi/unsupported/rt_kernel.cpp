// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel.h"

#include "runtime/acl/capi/unsupported.h"

// kernels below ACL
ACL_UNSUPPORTED(rtError_t, rtDevBinaryRegister, (const rtDevBinary_t*, void**),
                "kernels that are registered below ACL");
ACL_UNSUPPORTED(rtError_t, rtDevBinaryUnRegister, (void*), "kernels that are registered below ACL");
ACL_UNSUPPORTED(rtError_t, rtRegisterAllKernel, (const rtDevBinary_t*, void**),
                "kernels that are registered below ACL");
ACL_UNSUPPORTED(rtError_t, rtFunctionRegister,
                (void*, const void*, const char_t*, const void*, uint32_t),
                "kernels that are registered below ACL");
ACL_UNSUPPORTED(rtError_t, rtGetFunctionByName, (const char_t*, void**),
                "kernels that are registered below ACL");
ACL_UNSUPPORTED(rtError_t, rtQueryFunctionRegistered, (const char_t*),
                "kernels that are registered below ACL");
ACL_UNSUPPORTED(rtError_t, rtKernelLaunch,
                (const void*, uint32_t, void*, uint32_t, rtSmDesc_t*, rtStream_t),
                "kernels that are registered below ACL");
ACL_UNSUPPORTED(rtError_t, rtKernelLaunchWithFlag,
                (const void*, uint32_t, rtArgsEx_t*, rtSmDesc_t*, rtStream_t, uint32_t),
                "kernels that are registered below ACL");
ACL_UNSUPPORTED(rtError_t, rtKernelLaunchWithFlagV2,
                (const void*, uint32_t, rtArgsEx_t*, rtSmDesc_t*, rtStream_t, uint32_t,
                 const rtTaskCfgInfo_t*),
                "kernels that are registered below ACL");
ACL_UNSUPPORTED(rtError_t, rtKernelLaunchWithHandleV2,
                (void*, const uint64_t, uint32_t, rtArgsEx_t*, rtSmDesc_t*, rtStream_t,
                 const rtTaskCfgInfo_t*),
                "kernels that are registered below ACL");
