/* SPDX-License-Identifier: Apache-2.0 */
/* Channels of a communicator: the connection from one rank to another, with memory and notifies. */
#ifndef HCCL_INCLUDE_HCCL_CHANNEL_H_
#define HCCL_INCLUDE_HCCL_CHANNEL_H_

#include "hccl/hccl_types.h"
#include "hcomm/hcomm_res_defs.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HCCL_CHANNEL_DESC_RAW_MAX_LEN 128
#define HCCL_CHANNEL_CONFIG_SHARED_QUEUE_TAG_MAX_LEN 255
#define HCCL_CHANNEL_MAGIC_WORD 0x0f0f0f0fU
#define HCCL_CHANNEL_VERSION 1U

typedef struct HcclChannelDesc {
  CommAbiHeader header;
  uint32_t remoteRank;
  CommProtocol channelProtocol;
  EndpointDesc localEndpoint;
  EndpointDesc remoteEndpoint;
  uint32_t notifyNum; /* at most 64; both ranks specify the same number */
  HcclMemHandle* memHandles;
  uint32_t memHandleNum;
  __extension__ union {
    uint8_t raws[HCCL_CHANNEL_DESC_RAW_MAX_LEN];
    struct {
      uint32_t queueNum;
      uint32_t retryCnt;
      uint32_t retryInterval;
      uint8_t tc;
      uint8_t sl;
    } roceAttr;
    struct {
      uint8_t pathMode;
    } ubMemAttr;
  };
} HcclChannelDesc;

typedef enum HcclChannelConfigType {
  HCCL_CHANNEL_CONFIG_TYPE_IS_SHARED_QUEUE = 0,
  HCCL_CHANNEL_CONFIG_TYPE_SHARED_QUEUE_TAG = 1,
  HCCL_CHANNEL_CONFIG_TYPE_INVALID = -1
} HcclChannelConfigType;

/* Every byte 0xff, then header and members without a value; HCCL_E_PTR for NULL. */
static inline HcclResult HcclChannelDescInit(HcclChannelDesc* channelDesc, uint32_t descNum) {
  uint32_t i;
  if (channelDesc == NULL) return HCCL_E_PTR;
  for (i = 0; i < descNum; ++i) {
    HcclChannelDesc* const desc = &channelDesc[i];
    memset((void*)desc, 0xff, sizeof *desc);
    desc->header.version = HCCL_CHANNEL_VERSION;
    desc->header.magicWord = HCCL_CHANNEL_MAGIC_WORD;
    desc->header.size = (uint32_t)sizeof *desc;
    desc->header.reserved = 0;
    desc->remoteRank = 0xffffffffU;
    desc->channelProtocol = COMM_PROTOCOL_RESERVED;
    (void)EndpointDescInit(&desc->localEndpoint, 1);
    (void)EndpointDescInit(&desc->remoteEndpoint, 1);
    desc->notifyNum = 0;
    desc->memHandles = NULL;
    desc->memHandleNum = 0;
  }
  return HCCL_SUCCESS;
}

/* Returns when each peer has acquired its end too, or with 9 after HCCL_CONNECT_TIMEOUT. */
ACL_FUNC_VISIBILITY HcclResult HcclChannelAcquire(HcclComm comm, CommEngine engine,
                                                  const HcclChannelDesc* channelDescs,
                                                  uint32_t channelNum, ChannelHandle* channels);
ACL_FUNC_VISIBILITY HcclResult HcclChannelAcquireWithConfig(HcclComm comm, CommEngine engine,
                                                            const HcclChannelDesc* channelDescs,
                                                            uint32_t channelNum,
                                                            HcclChannelConfig config,
                                                            ChannelHandle* channels);
ACL_FUNC_VISIBILITY HcclResult HcclChannelQuery(HcclComm comm, CommEngine engine,
                                                const HcclChannelDesc* channelDescs,
                                                uint32_t channelNum, ChannelHandle* channels);
ACL_FUNC_VISIBILITY HcclResult HcclChannelDestroy(HcclComm comm, const ChannelHandle* channels,
                                                  uint32_t channelNum);

/* The peer's buffer, at an address of this process. */
ACL_FUNC_VISIBILITY HcclResult HcclChannelGetHcclBuffer(HcclComm comm, ChannelHandle channel,
                                                        void** buffer, uint64_t* size);
/* All memories of the peer, including its buffer ("HcclBuffer"). The arrays belong to the library.
 */
ACL_FUNC_VISIBILITY HcclResult HcclChannelGetRemoteMems(HcclComm comm, ChannelHandle channel,
                                                        uint32_t* memNum, CommMem** remoteMems,
                                                        char*** memTags);
ACL_FUNC_VISIBILITY HcclResult HcclChannelGetNotifyNum(HcclComm comm, ChannelHandle channel,
                                                       uint32_t* notifyNum);

ACL_FUNC_VISIBILITY HcclResult HcclChannelConfigCreate(HcclChannelConfig* config);
ACL_FUNC_VISIBILITY HcclResult HcclChannelConfigDestroy(HcclChannelConfig config);
ACL_FUNC_VISIBILITY HcclResult HcclChannelConfigSetInt(HcclChannelConfig config,
                                                       HcclChannelConfigType type, uint32_t value);
ACL_FUNC_VISIBILITY HcclResult HcclChannelConfigSetStr(HcclChannelConfig config,
                                                       HcclChannelConfigType type,
                                                       const char* value);

#ifdef __cplusplus
}
#endif

#endif /* HCCL_INCLUDE_HCCL_CHANNEL_H_ */
