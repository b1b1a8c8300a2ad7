// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// stream
ACL_UNSUPPORTED(aclrtStreamConfigHandle*, aclrtCreateStreamConfigHandle, (),
                "stream creation from a configuration handle");
ACL_UNSUPPORTED(aclError, aclrtDestroyStreamConfigHandle, (aclrtStreamConfigHandle*),
                "stream creation from a configuration handle");
ACL_UNSUPPORTED(aclError, aclrtSetStreamConfigOpt,
                (aclrtStreamConfigHandle*, aclrtStreamConfigAttr, const void*, size_t),
                "stream creation from a configuration handle");
ACL_UNSUPPORTED(aclError, aclrtCreateStreamV2, (aclrtStream*, const aclrtStreamConfigHandle*),
                "stream creation from a configuration handle");
ACL_UNSUPPORTED(aclError, aclrtStreamGetPriority, (aclrtStream, uint32_t*),
                "stream priority and flags");
ACL_UNSUPPORTED(aclError, aclrtStreamGetFlags, (aclrtStream, uint32_t*),
                "stream priority and flags");
ACL_UNSUPPORTED(aclError, aclrtGetStreamAvailableNum, (uint32_t*), "count of free streams");
ACL_UNSUPPORTED(aclError, aclrtSetStreamAttribute,
                (aclrtStream, aclrtStreamAttr, aclrtStreamAttrValue*), "stream attributes");
ACL_UNSUPPORTED(aclError, aclrtGetStreamAttribute,
                (aclrtStream, aclrtStreamAttr, aclrtStreamAttrValue*), "stream attributes");
ACL_UNSUPPORTED(aclError, aclrtDeviceGetStreamPriorityRange, (int32_t*, int32_t*),
                "stream priority range");
ACL_UNSUPPORTED(aclError, aclrtActiveStream, (aclrtStream, aclrtStream),
                "stream activation and switching in built models");
ACL_UNSUPPORTED(aclError, aclrtSwitchStream,
                (void*, aclrtCondition, void*, aclrtCompareDataType, aclrtStream, aclrtStream,
                 aclrtStream),
                "stream activation and switching in built models");
ACL_UNSUPPORTED(aclError, aclrtRegStreamStateCallback,
                (const char*, aclrtStreamStateCallback, void*), "stream state callbacks");
ACL_UNSUPPORTED(aclError, aclrtPersistentTaskClean, (aclrtStream),
                "clearing of persistent stream tasks");

// timeouts of kernels and waits
ACL_UNSUPPORTED(aclError, aclrtSetOpExecuteTimeOut, (uint32_t), "kernel execution timeouts");
ACL_UNSUPPORTED(aclError, aclrtSetOpExecuteTimeOutWithMs, (uint32_t), "kernel execution timeouts");
ACL_UNSUPPORTED(aclError, aclrtSetOpExecuteTimeOutV2, (uint64_t, uint64_t*),
                "kernel execution timeouts");
ACL_UNSUPPORTED(aclError, aclrtGetOpTimeOutInterval, (uint64_t*), "kernel execution timeouts");
ACL_UNSUPPORTED(aclError, aclrtGetOpExecuteTimeout, (uint32_t* const), "kernel execution timeouts");

// floating-point overflow
ACL_UNSUPPORTED(aclError, aclrtSetStreamOverflowSwitch, (aclrtStream, uint32_t),
                "overflow check of a stream");
ACL_UNSUPPORTED(aclError, aclrtGetStreamOverflowSwitch, (aclrtStream, uint32_t*),
                "overflow check of a stream");
ACL_UNSUPPORTED(aclError, aclrtSetDeviceSatMode, (aclrtFloatOverflowMode), "saturation mode");
ACL_UNSUPPORTED(aclError, aclrtGetDeviceSatMode, (aclrtFloatOverflowMode*), "saturation mode");
ACL_UNSUPPORTED(aclError, aclrtGetOverflowStatus, (void*, size_t, aclrtStream), "overflow status");
ACL_UNSUPPORTED(aclError, aclrtResetOverflowStatus, (aclrtStream), "overflow status");
ACL_UNSUPPORTED(aclError, aclrtCtxGetFloatOverflowAddr, (void**), "overflow status");
ACL_UNSUPPORTED(aclError, aclrtGetFloatOverflowStatus, (void*, uint64_t, aclrtStream),
                "overflow status");
ACL_UNSUPPORTED(aclError, aclrtResetFloatOverflowStatus, (aclrtStream), "overflow status");
ACL_UNSUPPORTED(aclError, aclrtNpuGetFloatOverFlowStatus, (void*, uint64_t, uint32_t, aclrtStream),
                "overflow status");
ACL_UNSUPPORTED(aclError, aclrtNpuClearFloatOverFlowStatus, (uint32_t, aclrtStream),
                "overflow status");
