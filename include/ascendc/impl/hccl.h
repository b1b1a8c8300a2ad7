/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collectives that a kernel calls. The object fills in plain requests; the library carries them out
 * when all ranks have committed them. The context comes from HcclAllocComResourceByTiling or
 * HcclCreateOpResCtx.
 */
#ifndef ASCENDC_IMPL_HCCL_H_
#define ASCENDC_IMPL_HCCL_H_

#include <cstdint>

#include "ascendc/impl/hccl_machine.h"
#include "ascendc/impl/hccl_names.h"
#include "ascendc/impl/hccl_tilings.h"
#include "ascendc/impl/launcher.h"
#include "ascendc/impl/qualifiers.h"
#include "ascendc/impl/refused.h"
#include "ascendc/impl/types.h"

namespace AscendC {

inline constexpr int32_t HCCL_SUCCESS = 0;
inline constexpr int32_t HCCL_FAILED = -1;
inline constexpr HcclHandle INVALID_HANDLE_ID = -1;
inline constexpr uint32_t HCCL_GROUP_ID_0 = 0;
inline constexpr HcclServerConfig DEFAULT_CFG = {CoreType::DEFAULT, 0};

#define ACLSIM_HCCL_NOT_WITH_CCU(NAME)                              \
  static_assert(serverType != HcclServerType::HCCL_SERVER_TYPE_CCU, \
                "aclsim: Hccl::" NAME " does not exist with HCCL_SERVER_TYPE_CCU")

template <HcclServerType serverType = HcclServerType::HCCL_SERVER_TYPE_AICPU,
          const auto& config = DEFAULT_CFG>
class Hccl {
 public:
  ACLSIM_API void InitV2(GM_ADDR context, const void* initTiling) {
    aclsimHcclInit(&state_, context, initTiling, 0, ACLSIM_SITE);
  }
  ACLSIM_API void Init(GM_ADDR context, __gm__ void* initTiling = nullptr) {
    aclsimHcclInit(&state_, context, initTiling, 1, ACLSIM_SITE);
  }
  ACLSIM_API int32_t SetCcTilingV2(uint64_t offset) {
    return aclsimHcclSetTask(&state_, static_cast<const char*>(state_.tiling) + offset, 0,
                             ACLSIM_SITE);
  }
  ACLSIM_API int32_t SetCcTiling(__gm__ void* ccOpTilingData) {
    return aclsimHcclSetTask(&state_, ccOpTilingData, 1, ACLSIM_SITE);
  }

  template <bool commit = false>
  ACLSIM_API HcclHandle AllReduce(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t count,
                                  HcclDataType dataType, HcclReduceOp op, uint8_t repeat = 1) {
    auto request = of(HcclCMDType::HCCL_CMD_ALLREDUCE, sendBuf, recvBuf, count, dataType, commit);
    request.reduction = op;
    request.repeat = repeat;
    return static_cast<HcclHandle>(aclsimHcclPrepare(&state_, &request, ACLSIM_SITE));
  }
  template <bool commit = false>
  ACLSIM_API HcclHandle AllGather(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t sendCount,
                                  HcclDataType dataType, uint64_t strideCount, uint8_t repeat = 1) {
    auto request =
        of(HcclCMDType::HCCL_CMD_ALLGATHER, sendBuf, recvBuf, sendCount, dataType, commit);
    request.stride = strideCount;
    request.repeat = repeat;
    return static_cast<HcclHandle>(aclsimHcclPrepare(&state_, &request, ACLSIM_SITE));
  }
  template <bool commit = false>
  ACLSIM_API HcclHandle ReduceScatter(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t recvCount,
                                      HcclDataType dataType, HcclReduceOp op, uint64_t strideCount,
                                      uint8_t repeat = 1) {
    auto request =
        of(HcclCMDType::HCCL_CMD_REDUCE_SCATTER, sendBuf, recvBuf, recvCount, dataType, commit);
    request.reduction = op;
    request.stride = strideCount;
    request.repeat = repeat;
    return static_cast<HcclHandle>(aclsimHcclPrepare(&state_, &request, ACLSIM_SITE));
  }
  template <bool commit = false>
  ACLSIM_API HcclHandle AlltoAll(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t dataCount,
                                 HcclDataType dataType, uint64_t strideCount = 0,
                                 uint8_t repeat = 1) {
    auto request =
        of(HcclCMDType::HCCL_CMD_ALLTOALL, sendBuf, recvBuf, dataCount, dataType, commit);
    request.stride = strideCount;
    request.repeat = repeat;
    return static_cast<HcclHandle>(aclsimHcclPrepare(&state_, &request, ACLSIM_SITE));
  }
  template <bool commit = false>
  ACLSIM_API HcclHandle AlltoAllV(GM_ADDR sendBuf, void* sendCounts, void* sdispls,
                                  HcclDataType sendType, GM_ADDR recvBuf, void* recvCounts,
                                  void* rdispls, HcclDataType recvType, uint8_t repeat = 1) {
    auto request = of(HcclCMDType::HCCL_CMD_ALLTOALLV, sendBuf, recvBuf, 0, sendType, commit);
    request.send_counts = static_cast<const uint64_t*>(sendCounts);
    request.send_begins = static_cast<const uint64_t*>(sdispls);
    request.receive_counts = static_cast<const uint64_t*>(recvCounts);
    request.receive_begins = static_cast<const uint64_t*>(rdispls);
    request.receive_type = recvType;
    request.repeat = repeat;
    return static_cast<HcclHandle>(aclsimHcclPrepare(&state_, &request, ACLSIM_SITE));
  }

  ACLSIM_API void Commit(HcclHandle handleId) { aclsimHcclCommit(&state_, handleId, ACLSIM_SITE); }
  ACLSIM_API int32_t Wait(HcclHandle handleId) {
    return aclsimHcclWait(&state_, handleId, ACLSIM_SITE);
  }
  ACLSIM_API int32_t Query(HcclHandle handleId) {
    ACLSIM_HCCL_NOT_WITH_CCU("Query");
    return aclsimHcclQuery(&state_, handleId, ACLSIM_SITE);
  }
  template <bool sync = true>
  ACLSIM_API void Finalize() {
    static_assert(sync, "aclsim: Hccl::Finalize<false> is not emulated: use Finalize()");
    aclsimHcclFinalize(&state_, ACLSIM_SITE);
  }

  ACLSIM_API uint32_t GetRankId() { return aclsimHcclRank(&state_, ACLSIM_SITE); }
  ACLSIM_API uint32_t GetRankDim() { return aclsimHcclRanks(&state_, ACLSIM_SITE); }
  ACLSIM_API GM_ADDR GetWindowsInAddr(uint32_t rankId) {
    ACLSIM_HCCL_NOT_WITH_CCU("GetWindowsInAddr");
    return static_cast<GM_ADDR>(aclsimHcclWindow(&state_, rankId, 0, ACLSIM_SITE));
  }
  ACLSIM_API GM_ADDR GetWindowsOutAddr(uint32_t rankId) {
    ACLSIM_HCCL_NOT_WITH_CCU("GetWindowsOutAddr");
    return static_cast<GM_ADDR>(aclsimHcclWindow(&state_, rankId, 1, ACLSIM_SITE));
  }

#define ACLSIM_HCCL_REFUSED(RESULT, NAME, TEMPLATE)                             \
  template <TEMPLATE, typename... T>                                            \
  RESULT NAME(T...) {                                                           \
    static_assert(aclsim_refused::no<T...>,                                     \
                  "aclsim: Hccl::" #NAME " is not emulated (docs/kernels.md)"); \
    return RESULT();                                                            \
  }
  ACLSIM_HCCL_REFUSED(HcclHandle, BatchWrite, bool commit = false)
  ACLSIM_HCCL_REFUSED(HcclHandle, AlltoAllvWrite, bool commit = false)
  ACLSIM_HCCL_REFUSED(int32_t, Iterate, bool sync = true)
  ACLSIM_HCCL_REFUSED(void, InterHcclGroupSync, bool none = false)
  ACLSIM_HCCL_REFUSED(void, QueueBarrier, ScopeType type = ScopeType::ALL)
  ACLSIM_HCCL_REFUSED(uint16_t, GetQueueNum, bool none = false)
#undef ACLSIM_HCCL_REFUSED
#undef ACLSIM_HCCL_NOT_WITH_CCU

 private:
  static constexpr uint32_t core_kind() {
    return config.type == CoreType::DEFAULT  ? ACLSIM_NO_CORE
           : config.type == CoreType::ON_AIC ? ACLSIM_AIC
                                             : ACLSIM_AIV;
  }
  static aclsimHcclRequest of(HcclCMDType kind, GM_ADDR send, GM_ADDR receive, uint64_t count,
                              HcclDataType type, bool commit) {
    aclsimHcclRequest request{};
    request.size = sizeof request;
    request.kind = static_cast<uint32_t>(kind);
    request.type = request.receive_type = type;
    request.commit = commit ? 1 : 0;
    request.send = send;
    request.receive = receive;
    request.count = count;
    return request;
  }
  static aclsimHccl first_state() {
    aclsimHccl state{};
    state.size = sizeof state;
    state.server = serverType;
    state.core_kind = core_kind();
    state.core = config.blockId;
    return state;
  }

  aclsimHccl state_ = first_state();
};

/* The contexts of up to two communicators, for each core. */
namespace aclsim_hccl_contexts {
inline GM_ADDR first[2] = {};
}

template <uint32_t index>
ACLSIM_THROUGH void SetHcclContext(__gm__ uint8_t* context) {
  static_assert(index < 2, "SetHcclContext: expected 0 or 1");
  aclsim::launch::block_local(aclsim_hccl_contexts::first)[index] = context;
}
template <uint32_t index>
ACLSIM_THROUGH __gm__ uint8_t* GetHcclContext() {
  static_assert(index < 2, "GetHcclContext: expected 0 or 1");
  return aclsim::launch::block_local(aclsim_hccl_contexts::first)[index];
}

}  // namespace AscendC

#endif /* ASCENDC_IMPL_HCCL_H_ */
