// SPDX-License-Identifier: Apache-2.0
#include "hccl/hccl_launch.h"

#include "runtime/hccl/base/unsupported.h"

HCCL_UNSUPPORTED(HcclResult, HcclAicpuKernelLaunch,
                 (HcclComm, const HcclOpDesc*, const HcclKernelFuncInfo*, ThreadHandle, aclrtStream,
                  const HcclKernelLaunchCfg*),
                 "kernels of an AI CPU");
