/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators: creation and queries. A rank is a host thread with a current device. Ranks are
 * threads of one process, processes of one host, or processes of several hosts. */
#ifndef HCCL_INCLUDE_HCCL_COMM_H_
#define HCCL_INCLUDE_HCCL_COMM_H_

#include <string.h>

#include "hccl/hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- creation ---- */

/* Draws a new identity. The calling process serves the ranks until they have found each other. */
ACL_FUNC_VISIBILITY HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo);

/* Returns when all nRanks have called it with this identity, or with 9 after HCCL_CONNECT_TIMEOUT.
 */
ACL_FUNC_VISIBILITY HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo,
                                                    uint32_t rank, HcclComm* comm);
ACL_FUNC_VISIBILITY HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks,
                                                          const HcclRootInfo* rootInfo,
                                                          uint32_t rank,
                                                          const HcclCommConfig* config,
                                                          HcclComm* comm);

/* Makes one rank for each of these devices in this process. All or none. */
ACL_FUNC_VISIBILITY HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms);

/* clusterInfo: the path of a rank table, equal on all ranks. Returns when all its ranks have called
 * it. After HcclCommDestroy the same table makes another communicator; a rank that calls first
 * waits for the others. */
ACL_FUNC_VISIBILITY HcclResult HcclCommInitClusterInfo(const char* clusterInfo, uint32_t rank,
                                                       HcclComm* comm);
ACL_FUNC_VISIBILITY HcclResult HcclCommInitClusterInfoConfig(const char* clusterInfo, uint32_t rank,
                                                             HcclCommConfig* config,
                                                             HcclComm* comm);

/* Called by the ranks of the new communicator. Other ranks may call it with NULL and 0xffffffff. */
ACL_FUNC_VISIBILITY HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t rankNum,
                                                       uint32_t* rankIds, uint64_t subCommId,
                                                       uint32_t subCommRankId,
                                                       HcclCommConfig* config, HcclComm* subComm);

/* NULL has no effect. */
ACL_FUNC_VISIBILITY HcclResult HcclCommDestroy(HcclComm comm);

/* ---- queries ---- */

ACL_FUNC_VISIBILITY HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize);
ACL_FUNC_VISIBILITY HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank);
/* commName: room for COMM_NAME_MAX_LENGTH bytes. */
ACL_FUNC_VISIBILITY HcclResult HcclGetCommName(HcclComm comm, char* commName);
ACL_FUNC_VISIBILITY HcclResult HcclCommGetHandleWithName(const char* commName, HcclComm* comm);
/* 0; 21 if a rank was lost; 1 if ranks called different operations. */
ACL_FUNC_VISIBILITY HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* asyncError);
ACL_FUNC_VISIBILITY HcclResult HcclCommGetStatus(const char* commId, HcclCommStatus* status);
/* Never NULL. The caller does not free it. */
ACL_FUNC_VISIBILITY const char* HcclGetErrorString(HcclResult code);

/* ---- settings ---- */

ACL_FUNC_VISIBILITY HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue);
ACL_FUNC_VISIBILITY HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* configValue);
ACL_FUNC_VISIBILITY HcclResult HcclConfigGetInfo(HcclComm comm, HcclConfigType cfgType,
                                                 uint32_t infoLen, void* info);
/* The number of members of HcclCommConfig that the library reads. */
ACL_FUNC_VISIBILITY uint32_t HcclGetCommConfigCapability(void);

static inline void HcclCommConfigInit(HcclCommConfig* config) {
  const size_t size = sizeof *config;
  const uint32_t magic = HCCL_COMM_CONFIG_MAGIC_WORD;
  const uint32_t version = HCCL_COMM_CONFIG_VERSION;
  if (config == NULL) return;
  memset((void*)config, 0, sizeof *config);
  memcpy(config->reserved, &size, sizeof size);
  memcpy(config->reserved + 8, &magic, sizeof magic);
  memcpy(config->reserved + 12, &version, sizeof version);
  config->hcclBufferSize = HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET;
  config->hcclDeterministic = HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET;
  config->hcclOpExpansionMode = HCCL_COMM_DEFAULT_OP_EXPANSION_MODE;
  config->hcclRdmaTrafficClass = HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET;
  config->hcclRdmaServiceLevel = HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET;
  config->hcclExecTimeOut = (int32_t)HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET;
  config->hcclQos = HCCL_COMM_QOS_CONFIG_NOT_SET;
  config->hcclSymWinMaxMemSizePerRank = HCCL_DEFAULT_SYMMETRIC_MEMORY_STRIDE;
  config->hcclChannelSqDepth = HCCL_COMM_SQ_DEPTH_CONFIG_NOT_SET;
}

/* ---- groups ---- */

/* Inits, destroys, sends and receives between the two are collected and executed by the outermost
 * end. Collectives are enqueued at once, because they do not block; the kinds may be mixed. */
ACL_FUNC_VISIBILITY HcclResult HcclGroupStart(void);
ACL_FUNC_VISIBILITY HcclResult HcclGroupEnd(void);
ACL_FUNC_VISIBILITY HcclResult HcclGroupStatusGet(bool* isGroupEnabled);

/* ---- in the order of streams ---- */

ACL_FUNC_VISIBILITY HcclResult HcclBarrier(HcclComm comm, aclrtStream stream);

/* ---- recovery ---- */

ACL_FUNC_VISIBILITY HcclResult HcclCommSuspend(HcclComm comm);
ACL_FUNC_VISIBILITY HcclResult HcclCommResume(HcclComm comm);
ACL_FUNC_VISIBILITY HcclResult HcclCommRegCommStateCallback(const char* regName,
                                                            HcclCommStateCallback cb, void* args);
ACL_FUNC_VISIBILITY HcclResult HcclCommWorkingDevNicSet(HcclComm comm, uint32_t* ranks,
                                                        bool* useBackup, uint32_t nRanks);

/* ---- memory that peers use without a copy ---- */

ACL_FUNC_VISIBILITY HcclResult HcclCommSetMemoryRange(HcclComm comm, void* baseVirPtr, size_t size,
                                                      size_t alignment, uint64_t flags);
ACL_FUNC_VISIBILITY HcclResult HcclCommUnsetMemoryRange(HcclComm comm, void* baseVirPtr);
ACL_FUNC_VISIBILITY HcclResult HcclCommActivateCommMemory(HcclComm comm, void* virPtr, size_t size,
                                                          size_t offset, aclrtDrvMemHandle handle,
                                                          uint64_t flags);
ACL_FUNC_VISIBILITY HcclResult HcclCommDeactivateCommMemory(HcclComm comm, void* virPtr);
ACL_FUNC_VISIBILITY HcclResult HcclCommSymWinRegister(HcclComm comm, void* addr, uint64_t size,
                                                      HcclCommSymWindow* winHandle, uint32_t flag);
ACL_FUNC_VISIBILITY HcclResult HcclCommSymWinDeregister(HcclCommSymWindow winHandle);
ACL_FUNC_VISIBILITY HcclResult HcclCommSymWinGet(HcclComm comm, void* ptr, size_t size,
                                                 HcclCommSymWindow* winHandle, size_t* offset);

#ifdef __cplusplus
}
#endif

#endif /* HCCL_INCLUDE_HCCL_COMM_H_ */
