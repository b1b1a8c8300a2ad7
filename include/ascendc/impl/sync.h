/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flags and barriers between the pipes of a core, between cores, and the caches of the device
 * (which hold nothing back here).
 */
#ifndef ASCENDC_IMPL_SYNC_H_
#define ASCENDC_IMPL_SYNC_H_

#include "ascendc/impl/tensor.h"

namespace AscendC {

template <HardEvent event>
ACLSIM_API void SetFlag(int32_t eventID) {
  aclsimSetFlag(static_cast<uint32_t>(event), eventID, ACLSIM_SITE);
}
template <HardEvent event>
ACLSIM_API void WaitFlag(int32_t eventID) {
  aclsimWaitFlag(static_cast<uint32_t>(event), eventID, ACLSIM_SITE);
}
template <pipe_t pipe>
ACLSIM_API void PipeBarrier() {
  static_assert(pipe != PIPE_S, "PipeBarrier: the scalar unit has no barrier of its own");
  aclsimPipeBarrier(static_cast<uint32_t>(pipe), ACLSIM_SITE);
}
template <MemDsbT arg0>
void DataSyncBarrier() {}

#if ACLSIM_NPU_ARCH == 3510
using MutexID = uint8_t;

/* Orders instructions of pipes: a pipe that locks goes on when the pipe that has locked before has
   executed its instructions and unlocked. id: 0 to 27; the toolkit uses 28 to 31. */
class Mutex {
 public:
  template <pipe_t pipe>
  ACLSIM_API static void Lock(MutexID id) {
    aclsimMutexLock(static_cast<uint32_t>(pipe), id, ACLSIM_SITE);
  }
  template <pipe_t pipe>
  ACLSIM_API static void Unlock(MutexID id) {
    aclsimMutexUnlock(static_cast<uint32_t>(pipe), id, ACLSIM_SITE);
  }
};
/* An id that is not in use on this core. */
ACLSIM_API inline MutexID AllocMutexID() {
  return static_cast<MutexID>(aclsimMutexId(ACLSIM_SITE));
}
ACLSIM_API inline void ReleaseMutexID(MutexID id) { aclsimMutexRelease(id, ACLSIM_SITE); }
#else
class Mutex {
 public:
  template <pipe_t pipe, typename T>
  static void Lock(T) {
    static_assert(sizeof(T) == 0, "AscendC::Mutex::Lock needs architecture 3510");
  }
  template <pipe_t pipe, typename T>
  static void Unlock(T) {
    static_assert(sizeof(T) == 0, "AscendC::Mutex::Unlock needs architecture 3510");
  }
};
#endif

namespace aclsim_sync {
/* The HardEvent from one pipe to another; MAX if no event connects them. */
/* clang-format off */
constexpr HardEvent event_of(pipe_t from, pipe_t to) {
#define ACLSIM_EVENT(FROM, TO) \
  if (from == PIPE_##FROM && to == PIPE_##TO) return HardEvent::FROM##_##TO;
  ACLSIM_EVENT(MTE2, MTE1) ACLSIM_EVENT(MTE1, MTE2) ACLSIM_EVENT(MTE1, M) ACLSIM_EVENT(M, MTE1)
  ACLSIM_EVENT(MTE2, V) ACLSIM_EVENT(V, MTE2) ACLSIM_EVENT(MTE3, V) ACLSIM_EVENT(V, MTE3)
  ACLSIM_EVENT(M, V) ACLSIM_EVENT(V, M) ACLSIM_EVENT(V, V) ACLSIM_EVENT(MTE3, MTE1)
  ACLSIM_EVENT(MTE1, MTE3) ACLSIM_EVENT(MTE1, V) ACLSIM_EVENT(MTE2, M) ACLSIM_EVENT(M, MTE2)
  ACLSIM_EVENT(V, MTE1) ACLSIM_EVENT(M, FIX) ACLSIM_EVENT(FIX, M) ACLSIM_EVENT(MTE3, MTE2)
  ACLSIM_EVENT(MTE2, MTE3) ACLSIM_EVENT(S, V) ACLSIM_EVENT(V, S) ACLSIM_EVENT(S, MTE2)
  ACLSIM_EVENT(MTE2, S) ACLSIM_EVENT(S, MTE3) ACLSIM_EVENT(MTE3, S) ACLSIM_EVENT(MTE2, FIX)
  ACLSIM_EVENT(FIX, MTE2) ACLSIM_EVENT(FIX, S) ACLSIM_EVENT(M, S) ACLSIM_EVENT(FIX, MTE3)
  ACLSIM_EVENT(MTE1, FIX) ACLSIM_EVENT(FIX, MTE1) ACLSIM_EVENT(FIX, FIX) ACLSIM_EVENT(FIX, V)
  ACLSIM_EVENT(V, FIX)
#undef ACLSIM_EVENT
  return HardEvent::MAX;
}
/* clang-format on */
}  // namespace aclsim_sync

template <pipe_t src, pipe_t dst>
class TQueSync {
 public:
  ACLSIM_API void SetFlag(TEventID id) {
    aclsimSetFlag(static_cast<uint32_t>(aclsim_sync::event_of(src, dst)), id, ACLSIM_SITE);
  }
  ACLSIM_API void WaitFlag(TEventID id) {
    aclsimWaitFlag(static_cast<uint32_t>(aclsim_sync::event_of(src, dst)), id, ACLSIM_SITE);
  }
};

/* ---- between cores ---- */

struct SyncAllConfig {
  pipe_t triggerPipe;
  pipe_t waitPipe;
};
inline constexpr SyncAllConfig DEFAULT_SYNC_ALL_CONFIG = {PIPE_ALL, PIPE_ALL};

template <bool isAIVOnly = true>
ACLSIM_API void SyncAll(const GlobalTensor<int32_t>& /*gmWorkspace*/,
                        const LocalTensor<int32_t>& /*ubWorkspace*/,
                        const int32_t /*usedCores*/ = 0) {
  aclsimSyncAll(isAIVOnly ? 1 : 0, ACLSIM_SITE);
}
template <bool isAIVOnly = true, const SyncAllConfig& config = DEFAULT_SYNC_ALL_CONFIG>
ACLSIM_API void SyncAll() {
  aclsimSyncAll(isAIVOnly ? 1 : 0, ACLSIM_SITE);
}

template <uint8_t modeId, pipe_t pipe>
ACLSIM_API void CrossCoreSetFlag(uint16_t flagId) {
  static_assert(modeId <= 2 || modeId == 4, "AscendC::CrossCoreSetFlag: modeId is 0, 1, 2 or 4");
  aclsimCrossSet(modeId, static_cast<uint32_t>(pipe), flagId, ACLSIM_SITE);
}
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
ACLSIM_API void CrossCoreWaitFlag(uint16_t flagId) {
  aclsimCrossWait(flagId, ACLSIM_SITE);
}
/* The older name. */
ACLSIM_API inline void WaitEvent(uint16_t flagId) { aclsimCrossWait(flagId, ACLSIM_SITE); }

/* Notifies block `blockIdx` through its slot in the workspace. */
template <bool isAIVOnly = true>
ACLSIM_API void IBSet(const GlobalTensor<int32_t>& gmWorkspace,
                      const LocalTensor<int32_t>& /*ubWorkspace*/, int32_t blockIdx,
                      int32_t eventID) {
  aclsimPipeBarrier(PIPE_ALL, ACLSIM_SITE);
  aclsimBlockSet(gmWorkspace.GetPhyAddr(), blockIdx * 64 + eventID, ACLSIM_SITE);
}
template <bool isAIVOnly = true>
ACLSIM_API void IBWait(const GlobalTensor<int32_t>& gmWorkspace,
                       const LocalTensor<int32_t>& /*ubWorkspace*/, int32_t blockIdx,
                       int32_t eventID) {
  aclsimBlockWait(gmWorkspace.GetPhyAddr(), blockIdx * 64 + eventID, ACLSIM_SITE);
}

enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };

/* The vector cores of one group wait for all cores of another group. The workspace
   begins at a multiple of 512 bytes and has 512 zero bytes for each core that waits. */
template <PipeMode pipeMode>
class GroupBarrier {
 public:
  static_assert(pipeMode == PipeMode::MTE3_MODE,
                "AscendC::GroupBarrier: the mode is PipeMode::MTE3_MODE");
  ACLSIM_API GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSizeIn, uint32_t waitSizeIn)
      : workspace_(groupWorkspace), arrive_(arriveSizeIn), wait_(waitSizeIn) {
    const uint64_t rest = reinterpret_cast<uintptr_t>(groupWorkspace) % kSlot;
    if (rest != 0) {
      aclsimViolation("GroupBarrier: bytes of the workspace behind a multiple of 512", rest, 0,
                      ACLSIM_SITE);
    }
  }
  /* arriveIndex: of this core in its group. */
  ACLSIM_API void Arrive(uint32_t arriveIndex) {
    require("GroupBarrier::Arrive: arriveIndex", arriveIndex, arrive_, ACLSIM_SITE);
    aclsimPipeBarrier(static_cast<uint32_t>(PIPE_MTE3), ACLSIM_SITE);
    for (uint32_t i = 0; i < wait_; ++i) {
      aclsimBlockSet(workspace_, static_cast<int32_t>(i * arrive_ + arriveIndex), ACLSIM_SITE);
    }
  }
  /* waitIndex: of this core in its group. */
  ACLSIM_API void Wait(uint32_t waitIndex) {
    require("GroupBarrier::Wait: waitIndex", waitIndex, wait_, ACLSIM_SITE);
    for (uint32_t i = 0; i < arrive_; ++i) {
      aclsimBlockWait(workspace_, static_cast<int32_t>(waitIndex * arrive_ + i), ACLSIM_SITE);
    }
  }
  uint64_t GetWorkspaceLen() const { return wait_ * kSlot; }

 private:
  static constexpr uint64_t kSlot = 512;
  static void require(const char* what, uint32_t index, uint32_t size, const void* site) {
    if (index >= size) aclsimViolation(what, index, size == 0 ? 0 : size - 1, site);
  }
  GM_ADDR workspace_;
  uint32_t arrive_;
  uint32_t wait_;
};

/* They let kernels that are joined to a SuperKernel overlap. Here no kernels are joined. */
template <bool FORCE = false>
void WaitPreTaskEnd() {}
template <pipe_t AIV_PIPE = PIPE_MTE3, pipe_t AIC_PIPE = PIPE_FIX, bool FORCE = false>
void SetNextTaskStart() {}

/* Blocks one after the other, in the order of their indices. */
inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& /*gmWorkspace*/,
                                          LocalTensor<int32_t>& /*ubWorkspace*/) {}
ACLSIM_API inline void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace,
                                    LocalTensor<int32_t>& /*ubWorkspace*/) {
  aclsimPipeBarrier(PIPE_ALL, ACLSIM_SITE);
  const aclsimCore* const core = aclsimThisCore();
  const int32_t block = static_cast<int32_t>(core->block * core->ratio + core->sub_block);
  aclsimCore* const counted = aclsimThisCore();
  if (block == 0 && counted->counters[0]++ == 0) return; /* block 0 waits for no block at first */
  aclsimBlockWait(gmWorkspace.GetPhyAddr(), -1 - block, ACLSIM_SITE);
}
ACLSIM_API inline void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace,
                                       LocalTensor<int32_t>& /*ubWorkspace*/) {
  const aclsimCore* const core = aclsimThisCore();
  const int32_t blocks = static_cast<int32_t>(core->blocks * core->ratio);
  const int32_t block = static_cast<int32_t>(core->block * core->ratio + core->sub_block);
  aclsimPipeBarrier(PIPE_ALL, ACLSIM_SITE);
  aclsimBlockSet(gmWorkspace.GetPhyAddr(), -1 - (block + 1) % blocks, ACLSIM_SITE);
}

/* ---- caches ---- */

template <typename T>
void DataCachePreload(const GlobalTensor<uint64_t>& /*src*/, const T /*cacheOffset*/) {}
template <typename T, CacheLine entireType, DcciDst dcciDst>
void DataCacheCleanAndInvalid(const GlobalTensor<T>& /*dst*/) {}
template <typename T, CacheLine entireType, DcciDst dcciDst>
void DataCacheCleanAndInvalid(const LocalTensor<T>& /*dst*/) {}
template <typename T, CacheLine entireType>
void DataCacheCleanAndInvalid(const GlobalTensor<T>& /*dst*/) {}
inline void ICachePreLoad(const int64_t /*preFetchLen*/) {}
inline int64_t GetICachePreloadStatus() { return 0; }

}  // namespace AscendC

template <typename... T>
void __builtin_cce_dcci(T...) {}
template <typename T>
void dcci(__gm__ T* /*p*/, cache_line_t /*line*/) {}
template <typename T>
void dcci(__gm__ T* /*p*/, cache_line_t /*line*/, dcci_dst_t /*dst*/) {}
template <typename T>
void dcci(__gm__ T* /*p*/, uint64_t /*line*/) {}
template <typename T>
void dcci_cachelines(__gm__ T* /*p*/, uint64_t /*bytes*/) {}
template <typename T>
void dcci_cacheline(__gm__ T* /*p*/) {}
inline void icache_preload(int64_t /*kilobytes*/) {}

ACLSIM_API inline void pipe_barrier(pipe_t pipe) {
  aclsimPipeBarrier(static_cast<uint32_t>(pipe), ACLSIM_SITE);
}
ACLSIM_API inline void set_flag(pipe_t src, pipe_t dst, event_t id) {
  aclsimSetFlag(static_cast<uint32_t>(AscendC::aclsim_sync::event_of(src, dst)), id, ACLSIM_SITE);
}
ACLSIM_API inline void wait_flag(pipe_t src, pipe_t dst, event_t id) {
  aclsimWaitFlag(static_cast<uint32_t>(AscendC::aclsim_sync::event_of(src, dst)), id, ACLSIM_SITE);
}

#endif /* ASCENDC_IMPL_SYNC_H_ */
