/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of channels, threads and memories of HCOMM. */
#ifndef HCOMM_INCLUDE_HCOMM_RES_DEFS_H_
#define HCOMM_INCLUDE_HCOMM_RES_DEFS_H_

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "acl/acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Functions return a number of HcclResult (hccl/hccl_types.h) unless their comment specifies
 * another value. */
typedef int32_t HcommResult;

/* ---- handles: opaque numbers and pointers; 0 and NULL are invalid -----------------------------
 */

typedef uint64_t ThreadHandle;  /* a stream with an array of notifies */
typedef uint64_t ChannelHandle; /* the connection to one other rank */
typedef void* HcommMemHandle;
typedef void* EndpointHandle;
typedef void* HcommSocket;
typedef void* HcommChannelConfig;
typedef uint64_t* HcommTeamHandle;
typedef uint64_t* HcommWindowHandle;
typedef aclrtStream ThreadResTypeStream;
typedef uint32_t EndpointAttrBwCoeff;
typedef uint32_t EndpointAttrDieId;
typedef uint32_t EndpointAttrLocation;

/* ---- enumerations ---- */

/* The processor that executes the operations of a thread. */
typedef enum CommEngine {
  COMM_ENGINE_RESERVED = -1,
  COMM_ENGINE_CPU = 0,
  COMM_ENGINE_CPU_TS = 1,
  COMM_ENGINE_AICPU = 2,
  COMM_ENGINE_AICPU_TS = 3,
  COMM_ENGINE_AIV = 4,
  COMM_ENGINE_CCU = 5
} CommEngine;

typedef enum CommProtocol {
  COMM_PROTOCOL_RESERVED = -1,
  COMM_PROTOCOL_HCCS = 0,
  COMM_PROTOCOL_ROCE = 1,
  COMM_PROTOCOL_PCIE = 2,
  COMM_PROTOCOL_SIO = 3,
  COMM_PROTOCOL_UB_CTP = 4,
  COMM_PROTOCOL_UBC_CTP = 4,
  COMM_PROTOCOL_UBC_TP = 5,
  COMM_PROTOCOL_UB_MEM = 6,
  COMM_PROTOCOL_UBOE = 7,
  COMM_PROTOCOL_HCCS_ONLY = 8,
  COMM_PROTOCOL_UB_RTP = 9,
  COMM_PROTOCOL_UBG = 9
} CommProtocol;

typedef enum CommAddrType {
  COMM_ADDR_TYPE_RESERVED = -1,
  COMM_ADDR_TYPE_IP_V4 = 0,
  COMM_ADDR_TYPE_IP_V6 = 1,
  COMM_ADDR_TYPE_ID = 2,
  COMM_ADDR_TYPE_EID = 3
} CommAddrType;

typedef enum EndpointLocType {
  ENDPOINT_LOC_TYPE_RESERVED = -1,
  ENDPOINT_LOC_TYPE_DEVICE = 0,
  ENDPOINT_LOC_TYPE_HOST = 1
} EndpointLocType;

typedef enum CommMemType {
  COMM_MEM_TYPE_INVALID = -1,
  COMM_MEM_TYPE_DEVICE = 0,
  COMM_MEM_TYPE_HOST = 1
} CommMemType;

/* Each attribute is a uint32_t. */
typedef enum EndpointAttr {
  ENDPOINT_ATTR_INVALID = -1,
  ENDPOINT_ATTR_BW_COEFF = 0,
  ENDPOINT_ATTR_DIE_ID = 1,
  ENDPOINT_ATTR_LOCATION = 2
} EndpointAttr;

typedef enum ThreadType { THREAD_TYPE_INVALID = -1, THREAD_TYPE_TS = 0 } ThreadType;

typedef enum ThreadResType {
  THREAD_RES_TYPE_INVALID = -1,
  THREAD_RES_TYPE_STREAM = 0
} ThreadResType;

typedef enum HcommSocketRole {
  HCOMM_SOCKET_ROLE_RESERVED = -1,
  HCOMM_SOCKET_ROLE_CLIENT = 0,
  HCOMM_SOCKET_ROLE_SERVER = 1
} HcommSocketRole;

typedef enum HcommEndpointFeatureType {
  HCOMM_ENDPOINT_FEATURE_INVALID = -1,
  HCOMM_ENDPOINT_FEATURE_NDA = 0
} HcommEndpointFeatureType;

typedef enum HcommChannelConfigType {
  HCOMM_CHANNEL_CONFIG_TYPE_INVALID = -1,
  HCOMM_CHANNEL_CONFIG_TYPE_IS_SHARED_QUEUE = 0
} HcommChannelConfigType;

/* ---- structures ---- */

/* The first member of structures that grow: the version and size that the caller has. */
typedef struct CommAbiHeader {
  uint32_t version;
  uint32_t magicWord;
  uint32_t size; /* bytes of the whole structure */
  uint32_t reserved;
} CommAbiHeader;

#define COMM_ADDR_EID_LEN 16

typedef struct CommAddr {
  CommAddrType type;
  __extension__ union {
    uint8_t raws[36];
    struct in_addr addr;
    struct in6_addr addr6;
    uint32_t id;
    uint8_t eid[COMM_ADDR_EID_LEN];
  };
} CommAddr;

typedef struct EndpointLoc {
  EndpointLocType locType;
  __extension__ union {
    uint8_t raws[60];
    struct {
      uint32_t devPhyId;
      uint32_t superDevId;
      uint32_t serverIdx;
      uint32_t superPodIdx;
    } device;
    struct {
      uint32_t id;
    } host;
  };
} EndpointLoc;

/* One end of a link. */
typedef struct EndpointDesc {
  CommProtocol protocol;
  CommAddr commAddr;
  EndpointLoc loc;
  uint8_t raws[52];
} EndpointDesc;

typedef struct CommMem {
  CommMemType type;
  void* addr;
  uint64_t size; /* bytes */
} CommMem;

#define THREAD_CONFIG_MAGIC_WORD 0x0f0f0f2fU
#define THREAD_CONFIG_VERSION 1U

typedef struct ThreadConfig {
  CommAbiHeader header;
  uint16_t notifyNumPerThread;
  uint8_t reserved[14];
} ThreadConfig;

/* ---- initialisers: 0, or 2 for NULL ------------------------------------------------------------
 */

/* All bytes 0xff, and every type "reserved". */
static inline HcommResult EndpointDescInit(EndpointDesc* endpoint, uint32_t num) {
  uint32_t i;
  if (endpoint == NULL) return 2;
  for (i = 0; i < num; ++i) {
    memset((void*)&endpoint[i], 0xff, sizeof endpoint[i]);
    endpoint[i].protocol = COMM_PROTOCOL_RESERVED;
    endpoint[i].commAddr.type = COMM_ADDR_TYPE_RESERVED;
    endpoint[i].loc.locType = ENDPOINT_LOC_TYPE_RESERVED;
  }
  return 0;
}

static inline HcommResult ThreadConfigInit(ThreadConfig* config, uint32_t num) {
  uint32_t i;
  if (config == NULL) return 2;
  for (i = 0; i < num; ++i) {
    memset((void*)&config[i], 0, sizeof config[i]);
    config[i].header.version = THREAD_CONFIG_VERSION;
    config[i].header.magicWord = THREAD_CONFIG_MAGIC_WORD;
    config[i].header.size = (uint32_t)sizeof config[i];
  }
  return 0;
}

#ifdef __cplusplus
}
#endif

#endif /* HCOMM_INCLUDE_HCOMM_RES_DEFS_H_ */
