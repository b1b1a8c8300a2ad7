/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels that programs register and launch below ACL. The functions are not emulated: each returns
 * ACL_ERROR_RT_FEATURE_NOT_SUPPORT. acl/acl_rt.h has functions that load and launch kernels.
 */
#ifndef RUNTIME_INCLUDE_KERNEL_H_
#define RUNTIME_INCLUDE_KERNEL_H_

#include "runtime/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tagRtDevBinary {
  uint32_t magic; /* RT_DEV_BINARY_MAGIC_... */
  uint32_t version;
  const void* data;
  uint64_t length;
} rtDevBinary_t;
#define RT_DEV_BINARY_MAGIC_ELF 0x43554245U
#define RT_DEV_BINARY_MAGIC_ELF_AICPU 0x41415243U
#define RT_DEV_BINARY_MAGIC_ELF_AIVEC 0x41415246U
#define RT_DEV_BINARY_MAGIC_ELF_AICUBE 0x41494343U

typedef struct rtHostInputInfo {
  uint32_t addrOffset;
  uint32_t dataOffset;
} rtHostInputInfo_t;
/* Arguments of a kernel in memory of the host. */
typedef struct tagRtArgsEx {
  void* args;
  rtHostInputInfo_t* hostInputInfoPtr;
  uint32_t argsSize;
  uint32_t tilingAddrOffset;
  uint32_t tilingDataOffset;
  uint16_t hostInputInfoNum;
  uint8_t hasTiling;
  uint8_t isNoNeedH2DCopy;
  uint8_t reserved[4];
} rtArgsEx_t;
typedef struct tagRtSmCtrl rtSmDesc_t; /* programs pass null */

#define RT_KERNEL_DEFAULT 0x00U
#define RT_KERNEL_CONVERT 0x01U
#define RT_KERNEL_DUMPFLAG 0x02U
#define RT_DEFAULT_KERNEL_MODE 0x00U
#define RT_NORMAL_KERNEL_MODE 0x01U
#define RT_ALL_KERNEL_MODE 0x02U

RTS_API rtError_t rtDevBinaryRegister(const rtDevBinary_t* bin, void** hdl);
RTS_API rtError_t rtDevBinaryUnRegister(void* hdl);
RTS_API rtError_t rtRegisterAllKernel(const rtDevBinary_t* bin, void** hdl);
RTS_API rtError_t rtFunctionRegister(void* binHandle, const void* stubFunc, const char_t* stubName,
                                     const void* kernelInfoExt, uint32_t funcMode);
RTS_API rtError_t rtGetFunctionByName(const char_t* stubName, void** stubFunc);
RTS_API rtError_t rtQueryFunctionRegistered(const char_t* stubName);
RTS_API rtError_t rtKernelLaunch(const void* stubFunc, uint32_t blockDim, void* args,
                                 uint32_t argsSize, rtSmDesc_t* smDesc, rtStream_t stm);
RTS_API rtError_t rtKernelLaunchWithFlag(const void* stubFunc, uint32_t blockDim,
                                         rtArgsEx_t* argsInfo, rtSmDesc_t* smDesc, rtStream_t stm,
                                         uint32_t flags);
RTS_API rtError_t rtKernelLaunchWithFlagV2(const void* stubFunc, uint32_t blockDim,
                                           rtArgsEx_t* argsInfo, rtSmDesc_t* smDesc, rtStream_t stm,
                                           uint32_t flags, const rtTaskCfgInfo_t* cfgInfo);
RTS_API rtError_t rtKernelLaunchWithHandleV2(void* hdl, const uint64_t tilingKey, uint32_t blockDim,
                                             rtArgsEx_t* argsInfo, rtSmDesc_t* smDesc,
                                             rtStream_t stm, const rtTaskCfgInfo_t* cfgInfo);

#ifdef __cplusplus
}
#endif

#endif /* RUNTIME_INCLUDE_KERNEL_H_ */
