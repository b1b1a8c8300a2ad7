// SPDX-License-Identifier: Apache-2.0
// hccl_comm.h: creation, queries and destruction of communicators.
#include <algorithm>
#include <cstring>
#include <set>

#include "hccl/hccl_comm.h"
#include "runtime/hccl/base/guard.h"
#include "runtime/hccl/comm/bring_up.h"
#include "runtime/hccl/comm/call_group.h"
#include "runtime/hccl/comm/registry.h"

using namespace hccl;

namespace {

constexpr std::uint32_t kNoSubCommunicator = 0xffffffff;

CommOptions options_from(const HcclCommConfig* config) {
  const Settings settings = Settings::from_environment();
  return config ? CommOptions::from(*config, settings) : CommOptions::defaults(settings);
}

void init_by_root_info(std::uint32_t ranks, const HcclRootInfo* info, std::uint32_t rank,
                       const HcclCommConfig* config, HcclComm* comm) {
  const int device = require_device();
  if (ranks == 0) fail(HCCL_E_PARA, "nRanks is 0; expected 1 or more");
  if (rank >= ranks) fail(HCCL_E_PARA, "rank is {}; expected less than nRanks, {}", rank, ranks);
  HcclComm& out = require_out(comm, "comm");
  const HcclRootInfo root = *require_input(info, "rootInfo");
  const CommOptions options = options_from(config);
  CallGroup::mine().run_or_defer(device, [=, &out] {
    out = Registry::instance().add(join_by_root_info(ranks, root, rank, options));
  });
}

void init_by_table(const char* path, std::uint32_t rank, const HcclCommConfig* config,
                   HcclComm* comm) {
  const int device = require_device();
  const std::string table = require_input(path, "clusterInfo");
  HcclComm& out = require_out(comm, "comm");
  const CommOptions options = options_from(config);
  CallGroup::mine().run_or_defer(device, [=, &out] {
    const RankTable ranks = RankTable::read(table);
    ranks.require_devices(static_cast<std::uint32_t>(embedding().machine_devices()), table);
    out = Registry::instance().add(join_by_table(ranks, rank, options));
  });
}

}  // namespace

extern "C" {

HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo) {
  return guarded(__func__, [&] {
    require_device();
    make_root_info(require_out(rootInfo, "rootInfo"));
  });
}

HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank,
                                HcclComm* comm) {
  return guarded(__func__, [&] { init_by_root_info(nRanks, rootInfo, rank, nullptr, comm); });
}

HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank,
                                      const HcclCommConfig* config, HcclComm* comm) {
  return guarded(__func__, [&] {
    require_device();
    init_by_root_info(nRanks, rootInfo, rank, require_input(config, "config"), comm);
  });
}

HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms) {
  return guarded(__func__, [&] {
    require_device();
    if (ndev == 0) fail(HCCL_E_PARA, "ndev is 0; expected 1 or more");
    require_input(devices, "devices");
    require_input(comms, "comms");
    std::uint32_t count = 0;
    aclrtGetDeviceCount(&count);
    if (ndev > count) {
      fail(HCCL_E_PARA,
           "ndev is {}; expected at most {}, the devices of this process (ACLSIM_DEVICES gives "
           "more)",
           ndev, count);
    }
    std::fill_n(comms, ndev, nullptr);  // programs destroy all handles after a failure
    const auto made = make_all({devices, devices + ndev});
    for (std::uint32_t rank = 0; rank < ndev; ++rank) {
      comms[rank] = Registry::instance().add(made[rank]);
    }
  });
}

HcclResult HcclCommInitClusterInfo(const char* clusterInfo, uint32_t rank, HcclComm* comm) {
  return guarded(__func__, [&] { init_by_table(clusterInfo, rank, nullptr, comm); });
}

HcclResult HcclCommInitClusterInfoConfig(const char* clusterInfo, uint32_t rank,
                                         HcclCommConfig* config, HcclComm* comm) {
  return guarded(__func__, [&] {
    require_device();
    init_by_table(clusterInfo, rank, require_input(config, "config"), comm);
  });
}

HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t rankNum, uint32_t* rankIds,
                                   uint64_t subCommId, uint32_t subCommRankId,
                                   HcclCommConfig* config, HcclComm* subComm) {
  return guarded(__func__, [&] {
    const int device = require_device();
    HcclComm& out = require_out(subComm, "subComm");
    if (!rankIds && subCommId == kNoSubCommunicator) {  // the caller is not a member
      out = nullptr;
      return;
    }
    if (!rankIds || subCommId == kNoSubCommunicator) {
      fail(HCCL_E_PARA,
           "rankIds is {} and subCommId is {:#x}; expected both or neither of a member",
           rankIds ? "given" : "null", subCommId);
    }
    if (rankNum == 0) fail(HCCL_E_PARA, "rankNum is 0; expected 1 or more");
    if (subCommRankId >= rankNum) {
      fail(HCCL_E_PARA, "subCommRankId is {}; expected less than rankNum, {}", subCommRankId,
           rankNum);
    }
    const CommOptions options = options_from(require_input(config, "config"));
    const auto parent = Registry::instance().find(*require_input(comm, "comm"));
    const std::vector<std::uint32_t> members(rankIds, rankIds + rankNum);
    for (const std::uint32_t member : members) {
      if (member < parent->size()) continue;
      fail(HCCL_E_PARA, "rankIds has {}; expected less than {}", member, parent->size());
    }
    if (std::set<std::uint32_t>(members.begin(), members.end()).size() != members.size()) {
      fail(HCCL_E_PARA, "rankIds names a rank twice; expected each member once");
    }
    if (members[subCommRankId] != parent->rank()) {
      fail(HCCL_E_PARA, "rankIds[{}] is {}, but this rank is {}", subCommRankId,
           members[subCommRankId], parent->rank());
    }
    CallGroup::mine().run_or_defer(device, [=, &out] {
      out = Registry::instance().add(join_sub(*parent, members, subCommId, subCommRankId, options));
    });
  });
}

HcclResult HcclCommDestroy(HcclComm comm) {
  const acl::embedding::Caller caller = __func__;
  return guarded(__func__, [&] {
    if (!comm) return;
    const int device = require_device();
    if (Registry::instance().find(comm)->is_waited_in()) {
      fail(HCCL_E_AGAIN, "another thread acquires channels of the communicator");
    }
    CallGroup::mine().run_or_defer(device, [comm, caller] {
      as_call_of(caller, [&] {
        const auto communicator = Registry::instance().remove(comm);
        communicator->links()->close();
        communicator->leave();
      });
    });
  });
}

HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize) {
  return guarded(__func__, [&] {
    require_out(rankSize, "rankSize") = Registry::instance().find(comm)->size();
  });
}

HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank) {
  return guarded(__func__,
                 [&] { require_out(rank, "rank") = Registry::instance().find(comm)->rank(); });
}

HcclResult HcclGetCommName(HcclComm comm, char* commName) {
  return guarded(__func__, [&] {
    require_input(commName, "commName");
    const std::string name = Registry::instance().find(comm)->name();
    std::memcpy(commName, name.c_str(), name.size() + 1);
  });
}

HcclResult HcclCommGetHandleWithName(const char* commName, HcclComm* comm) {
  return guarded(__func__, [&] {
    HcclComm& out = require_out(comm, "comm");
    const std::string name = require_input(commName, "commName");
    std::int32_t device = -1;
    aclrtGetDevice(&device);
    out = Registry::instance().find_name(name, device);
    if (!out) fail(HCCL_E_PARA, "no communicator of this process is named '{}'", name);
  });
}

HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* asyncError) {
  return guarded(__func__, [&] {
    require_out(asyncError, "asyncError") = Registry::instance().find(comm)->async_error();
  });
}

HcclResult HcclCommGetStatus(const char* commId, HcclCommStatus* status) {
  return guarded(__func__, [&] {
    HcclCommStatus& out = require_out(status, "status");
    const std::string name = require_input(commId, "commId");
    const bool known = Registry::instance().find_name(name, -1) != nullptr;
    out = known ? HCCL_COMM_STATUS_READY : HCCL_COMM_STATUS_INVALID;
  });
}

const char* HcclGetErrorString(HcclResult code) { return text_of(code); }

}  // extern "C"
