// SPDX-License-Identifier: Apache-2.0
// hccl_mc2.h: contexts for kernels that call collectives.
#include <cstring>
#include <map>

#include "ascendc/impl/hccl_names.h"
#include "ascendc/impl/hccl_tilings.h"
#include "device_sim/base/mutex.h"
#include "hccl/hccl_mc2.h"
#include "runtime/hccl/base/guard.h"
#include "runtime/hccl/comm/registry.h"
#include "runtime/hccl/hcomm/resources.h"

using namespace hccl;

namespace {

/// A collective as the host describes it. The kernel describes it again, so nothing depends on
/// these values.
struct OpArgs {
  std::uint8_t from_type = 0, to_type = 0, engine = 0;
  std::uint32_t reduction = 0;
  std::uint64_t count = 0;
  std::string algorithm{};
};

/// The objects of the process, by handle.
struct AllArgs {
  sim::Mutex mutex;
  std::map<std::uintptr_t, OpArgs> objects GUARDED_BY(mutex);
  std::uintptr_t last GUARDED_BY(mutex) = 0;
};
AllArgs& all_args() {
  static auto& all = *new AllArgs;
  return all;
}

template <class Body>
void with_args(void* handle, Body&& body) {
  require_input(handle, "opArgs");
  AllArgs& all = all_args();
  const sim::LockGuard guard(all.mutex);
  const auto it = all.objects.find(reinterpret_cast<std::uintptr_t>(handle));
  if (it == all.objects.end()) {
    fail(HCCL_E_PARA, "opArgs is {}, which HcclKfcAllocOpArgs has not returned, or which was freed",
         handle);
  }
  body(it->second);
}

template <class Body>
HcclResult change_args(const char* function, void* handle, Body&& body) {
  return guarded(function, [&] { with_args(handle, body); });
}

void require_kind(std::uint32_t kind, const char* argument) {
  using AscendC::HcclCMDType;
  switch (static_cast<HcclCMDType>(kind)) {
    case HcclCMDType::HCCL_CMD_ALLREDUCE:
    case HcclCMDType::HCCL_CMD_ALLGATHER:
    case HcclCMDType::HCCL_CMD_REDUCE_SCATTER:
    case HcclCMDType::HCCL_CMD_ALLTOALLV:
    case HcclCMDType::HCCL_CMD_ALLTOALL:
      return;
    case HcclCMDType::HCCL_CMD_BATCH_WRITE:
    case HcclCMDType::HCCL_CMD_HALF_ALLTOALLV:
      fail(HCCL_E_NOT_SUPPORT,
           "{} is {}; kernels can call AllReduce (2), AllGather (6), ReduceScatter (7), AlltoAllV "
           "(8) and AlltoAll (10) here",
           argument, kind);
    default:
      fail(HCCL_E_PARA, "{} is {}; expected 2, 6, 7, 8 or 10 (HcclCMDType)", argument, kind);
  }
}

void check_tiling(const void* tiling) {
  std::uint32_t version = 0;
  std::memcpy(&version, tiling, sizeof version);
  constexpr std::uint32_t kMostOlder = 2;
  if (version >= 1 && version <= kMostOlder) return;  // names no collectives
  aclsim_hccl::InitTiling init{};
  if (version == aclsim_hccl::kTilingVersion) std::memcpy(&init, tiling, sizeof init);
  if (version != aclsim_hccl::kTilingVersion || init.tasks > aclsim_hccl::kMostTasks) {
    fail(
        HCCL_E_PARA,
        "mc2Tiling begins with {}; expected an Mc2InitTiling that Mc2CcTilingConfig::GetTiling has "
        "filled in",
        version);
  }
  for (std::uint32_t i = 0; i < init.tasks; ++i) {
    aclsim_hccl::TaskTiling task;
    std::memcpy(&task, static_cast<const char*>(tiling) + init.offsets[i], sizeof task);
    require_kind(task.op, "opType of the tiling");
  }
}

}  // namespace

extern "C" {

HcclResult HcclAllocComResourceByTiling(HcclComm comm, void* /*stream*/, void* mc2Tiling,
                                        void** opResCtx) {
  const acl::embedding::Caller caller = __func__;
  return guarded(__func__, [&] {
    as_call_of(caller, [&] {
      require_input(comm, "comm");
      require_input(mc2Tiling, "mc2Tiling");
      auto& out = require_out(opResCtx, "opResCtx");
      check_tiling(mc2Tiling);
      out = Resources::of(Registry::instance().find(comm))->kernel_context();
    });
  });
}

HcclResult HcclCreateOpResCtx(HcclComm comm, uint8_t opType, void* opArgs, void** opResCtx) {
  const acl::embedding::Caller caller = __func__;
  return guarded(__func__, [&] {
    as_call_of(caller, [&] {
      require_input(comm, "comm");
      require_input(opArgs, "opArgs");
      auto& out = require_out(opResCtx, "opResCtx");
      with_args(opArgs, [](const OpArgs&) {});
      require_kind(opType, "opType");
      out = Resources::of(Registry::instance().find(comm))->kernel_context();
    });
  });
}

HcclResult HcclKfcAllocOpArgs(void** opArgs) {
  return guarded(__func__, [&] {
    auto& out = require_out(opArgs, "opArgs");
    AllArgs& all = all_args();
    const sim::LockGuard guard(all.mutex);
    constexpr std::uintptr_t kFirst = 0x6b66'0000'0000;  // a number, and no address
    all.objects[kFirst + ++all.last] = {};
    out = reinterpret_cast<void*>(kFirst + all.last);
  });
}

HcclResult HcclKfcFreeOpArgs(void* opArgs) {
  return guarded(__func__, [&] {
    with_args(opArgs, [](const OpArgs&) {});
    AllArgs& all = all_args();
    const sim::LockGuard guard(all.mutex);
    all.objects.erase(reinterpret_cast<std::uintptr_t>(opArgs));
  });
}

HcclResult HcclKfcOpArgsSetSrcDataType(void* opArgs, uint8_t srcDataType) {
  return change_args(__func__, opArgs, [&](OpArgs& args) { args.from_type = srcDataType; });
}

HcclResult HcclKfcOpArgsSetDstDataType(void* opArgs, uint8_t dstDataType) {
  return change_args(__func__, opArgs, [&](OpArgs& args) { args.to_type = dstDataType; });
}

HcclResult HcclKfcOpArgsSetReduceType(void* opArgs, uint32_t reduceType) {
  return change_args(__func__, opArgs, [&](OpArgs& args) { args.reduction = reduceType; });
}

HcclResult HcclKfcOpArgsSetCount(void* opArgs, uint64_t count) {
  return change_args(__func__, opArgs, [&](OpArgs& args) { args.count = count; });
}

HcclResult HcclKfcOpArgsSetAlgConfig(void* opArgs, char* algConfig) {
  return change_args(__func__, opArgs,
                     [&](OpArgs& args) { args.algorithm = require_input(algConfig, "algConfig"); });
}

HcclResult HcclKfcOpArgsSetCommEngine(void* opArgs, uint8_t commEngine) {
  return change_args(__func__, opArgs, [&](OpArgs& args) { args.engine = commEngine; });
}

}  // extern "C"
