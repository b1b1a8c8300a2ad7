// SPDX-License-Identifier: Apache-2.0
// Names that older pages of HCOMM print, some of which later headers have renamed: a program that
// was written by such a page compiles.
#include <cstdint>
#include <type_traits>

#include "hccl/hccl.h"
#include "hccl/hccl_channel.h"
#include "hccl/hccl_res.h"
#include "hcomm/hcomm_primitives.h"

#define IS(name, ...) static_assert(std::is_same<decltype(name), __VA_ARGS__>::value, #name)
#define FUNCTION(name, ...) static_assert(std::is_same<decltype(&name), __VA_ARGS__>::value, #name)

static_assert(std::is_same<HcclThread, ThreadHandle>::value, "a thread by either name");
static_assert(std::is_same<u32, uint32_t>::value, "u32");
static_assert(std::is_enum<HcclMemType>::value, "HcclMemType");
IS(HCCL_MEM_TYPE_DEVICE, HcclMemType);
IS(HCCL_MEM_TYPE_HOST, HcclMemType);
IS(CommProtocol::COMM_PROTOCOL_HCCS, CommProtocol);
IS(CommEngine::COMM_ENGINE_CPU_TS, CommEngine);
IS(HcclChannelDesc::remoteRank, uint32_t);
IS(HcclChannelDesc::channelProtocol, CommProtocol);
IS(HcclChannelDesc::notifyNum, uint32_t);

FUNCTION(HcclChannelDescInit, HcclResult (*)(HcclChannelDesc*, uint32_t));
FUNCTION(HcclChannelAcquire,
         HcclResult (*)(HcclComm, CommEngine, const HcclChannelDesc*, uint32_t, ChannelHandle*));
FUNCTION(HcclThreadAcquireWithStream,
         HcclResult (*)(HcclComm, CommEngine, aclrtStream, uint32_t, HcclThread*));
FUNCTION(HcclGetHcclBuffer, HcclResult (*)(HcclComm, void**, uint64_t*));
FUNCTION(HcclChannelGetHcclBuffer, HcclResult (*)(HcclComm, ChannelHandle, void**, uint64_t*));
FUNCTION(HcommWriteOnThread, int32_t (*)(HcclThread, ChannelHandle, void*, const void*, uint64_t));
FUNCTION(HcommChannelNotifyRecordOnThread, int32_t (*)(HcclThread, ChannelHandle, uint32_t));
FUNCTION(HcommChannelNotifyWaitOnThread,
         int32_t (*)(HcclThread, ChannelHandle, uint32_t, uint32_t));

// Pages leave these to the program: headers have no such names.
struct CommBuffer;
extern const u32 NOTIFY_TIMEOUT;
