/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels of an AI CPU that carry out an operation of a communicator. */
#ifndef HCCL_INCLUDE_HCCL_LAUNCH_H_
#define HCCL_INCLUDE_HCCL_LAUNCH_H_

#include "hccl/hccl_types.h"
#include "hcomm/hcomm_res_defs.h"

#ifdef __cplusplus
extern "C" {
#endif

#define P2P_MAX_ARG_SIZE 8192
#define HCCL_OP_DESC_OP_NAME_MAX_LEN 256
#define HCCL_KERNEL_SO_NAME_MAX_LEN 256
#define HCCL_KERNEL_FUNC_NAME_MAX_LEN 256
#define HCCL_OP_DESC_MAGIC_WORD 0x0f0f0f0fU
#define HCCL_OP_DESC_VERSION 1U
#define HCCL_KERNEL_LAUNCH_CFG_MAGIC_WORD 0x0f0f0f0fU
#define HCCL_KERNEL_LAUNCH_CFG_VERSION 1U

typedef struct HcclP2pKernelParam {
  ThreadHandle sendRecvThread;
  uint8_t opParams[P2P_MAX_ARG_SIZE];
} HcclP2pKernelParam;

typedef struct HcclOpP2pDesc {
  void* buffer;
  uint8_t reserved[8];
  HcclCMDType cmdType;
  HcclDataType dataType;
  uint64_t count;
  uint32_t remoteRank;
  void* unfoldStream;
} HcclOpP2pDesc;

typedef struct HcclOpDesc {
  CommAbiHeader header;
  uint32_t opDescType;
  char opName[HCCL_OP_DESC_OP_NAME_MAX_LEN];
  __extension__ union {
    uint8_t raws[76];
    HcclOpP2pDesc p2p;
  };
} HcclOpDesc;

typedef struct HcclKernelFuncInfo {
  char kernelSoName[HCCL_KERNEL_SO_NAME_MAX_LEN];
  char kernelFuncName[HCCL_KERNEL_FUNC_NAME_MAX_LEN];
  void* args;
  uint32_t argSize;
} HcclKernelFuncInfo;

typedef struct HcclKernelLaunchCfg {
  CommAbiHeader header;
  uint64_t timeOut;
  uint8_t reserved[104];
} HcclKernelLaunchCfg;

static inline HcclResult HcclOpDescInit(HcclOpDesc* opDesc) {
  if (opDesc == NULL) return HCCL_E_PTR;
  memset((void*)opDesc, 0, sizeof *opDesc);
  opDesc->header.version = HCCL_OP_DESC_VERSION;
  opDesc->header.magicWord = HCCL_OP_DESC_MAGIC_WORD;
  opDesc->header.size = (uint32_t)sizeof *opDesc;
  return HCCL_SUCCESS;
}

static inline HcclResult HcclKernelLaunchCfgInit(HcclKernelLaunchCfg* kernelLaunchCfg) {
  if (kernelLaunchCfg == NULL) return HCCL_E_PTR;
  memset((void*)kernelLaunchCfg, 0, sizeof *kernelLaunchCfg);
  kernelLaunchCfg->header.version = HCCL_KERNEL_LAUNCH_CFG_VERSION;
  kernelLaunchCfg->header.magicWord = HCCL_KERNEL_LAUNCH_CFG_MAGIC_WORD;
  kernelLaunchCfg->header.size = (uint32_t)sizeof *kernelLaunchCfg;
  return HCCL_SUCCESS;
}

ACL_FUNC_VISIBILITY HcclResult HcclAicpuKernelLaunch(HcclComm comm, const HcclOpDesc* opInfo,
                                                     const HcclKernelFuncInfo* funcInfo,
                                                     ThreadHandle aicpuThreadHandle,
                                                     aclrtStream userStream,
                                                     const HcclKernelLaunchCfg* kernelLaunchCfg);

#ifdef __cplusplus
}
#endif

#endif /* HCCL_INCLUDE_HCCL_LAUNCH_H_ */
