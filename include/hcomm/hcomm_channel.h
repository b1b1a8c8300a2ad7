/* SPDX-License-Identifier: Apache-2.0 */
/* Channels between endpoints, below communicators. */
#ifndef HCOMM_INCLUDE_HCOMM_CHANNEL_H_
#define HCOMM_INCLUDE_HCOMM_CHANNEL_H_

#include "hcomm/hcomm_res_defs.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HCOMM_CHANNEL_DESC_RAW_MAX_LEN 128
#define HCOMM_CHANNEL_NAME_MAX_LEN 191
#define HCOMM_CHANNEL_MAGIC_WORD 0x0fcf0f0fU
#define HCOMM_CHANNEL_VERSION 4U

/* Version 1 ended before `qos`; `header.size` is the size that the caller has. */
typedef struct HcommChannelDesc {
  CommAbiHeader header;
  EndpointDesc remoteEndpoint;
  uint32_t notifyNum;
  bool exchangeAllMems;
  HcommMemHandle* memHandles;
  uint32_t memHandleNum;
  HcommSocket socket;
  HcommSocketRole role;
  uint16_t port;
  __extension__ union {
    uint8_t raws[HCOMM_CHANNEL_DESC_RAW_MAX_LEN];
    struct {
      uint32_t queueNum;
      uint32_t retryCnt;
      uint32_t retryInterval;
      uint8_t tc;
      uint8_t sl;
      uint32_t qpThreshold;
      uint32_t cqAttrFlags;
      uint16_t* srcPortList;
    } roceAttr;
    struct {
      uint32_t qos;
    } hccsAttr;
    struct {
      uint32_t sqDepth;
    } ubAttr;
    struct {
      uint8_t pathMode;
    } ubMemAttr;
  };
  uint32_t qos;
  const char* channelName;
} HcommChannelDesc;

/* Every byte 0xff, then as for HcclChannelDescInit. 2 for NULL. */
static inline HcommResult HcommChannelDescInit(HcommChannelDesc* channelDesc, uint32_t descNum) {
  uint32_t i;
  if (channelDesc == NULL) return 2;
  for (i = 0; i < descNum; ++i) {
    HcommChannelDesc* const desc = &channelDesc[i];
    memset((void*)desc, 0xff, sizeof *desc);
    desc->header.version = HCOMM_CHANNEL_VERSION;
    desc->header.magicWord = HCOMM_CHANNEL_MAGIC_WORD;
    desc->header.size = (uint32_t)sizeof *desc;
    desc->header.reserved = 0;
    (void)EndpointDescInit(&desc->remoteEndpoint, 1);
    desc->notifyNum = 0;
    desc->exchangeAllMems = false;
    desc->memHandles = NULL;
    desc->memHandleNum = 0;
    desc->socket = NULL;
    desc->role = HCOMM_SOCKET_ROLE_RESERVED;
    desc->channelName = NULL;
  }
  return 0;
}

ACL_FUNC_VISIBILITY HcommResult HcommChannelCreate(EndpointHandle endpointHandle, CommEngine engine,
                                                   HcommChannelDesc* channelDescs,
                                                   uint32_t channelNum, ChannelHandle* channels);
ACL_FUNC_VISIBILITY HcommResult HcommChannelCreateWithConfig(
    EndpointHandle endpointHandle, CommEngine engine, HcommChannelDesc* channelDescs,
    uint32_t channelNum, HcommChannelConfig config, ChannelHandle* channels);
/* For each channel: 0 ready, 1 connecting, 2 failed, 3 timed out, 4 this side lacks resources, 5
 * the other side does. */
ACL_FUNC_VISIBILITY HcommResult HcommChannelGetStatus(const ChannelHandle* channelList,
                                                      uint32_t listNum, int32_t* statusList);
ACL_FUNC_VISIBILITY HcommResult HcommChannelDestroy(const ChannelHandle* channels,
                                                    uint32_t channelNum);
ACL_FUNC_VISIBILITY HcommResult HcommChannelConfigCreate(HcommChannelConfig* config);
ACL_FUNC_VISIBILITY HcommResult HcommChannelConfigDestroy(HcommChannelConfig config);
ACL_FUNC_VISIBILITY HcommResult HcommChannelConfigSetInt(HcommChannelConfig config,
                                                         HcommChannelConfigType type,
                                                         uint32_t value);

#ifdef __cplusplus
}
#endif

#endif /* HCOMM_INCLUDE_HCOMM_CHANNEL_H_ */
