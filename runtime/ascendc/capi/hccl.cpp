// SPDX-License-Identifier: Apache-2.0
// Functions that kernels call: collectives.
#include <fmt/format.h>

#include <cstring>

#include "ascendc/impl/hccl_machine.h"
#include "ascendc/impl/hccl_names.h"
#include "ascendc/impl/hccl_tilings.h"
#include "runtime/ascendc/launch/block.h"
#include "runtime/ascendc/launch/execution.h"

#define ENTRY extern "C" __attribute__((visibility("default")))

using ascendc::Block;
using ascendc::Collectives;

namespace {

/// Calls the body with the core and the collectives of its launch; outside of a kernel it returns
/// zero.
template <class Body>
auto with_collectives(const Body& body) {
  using Answer = decltype(body(*Block::current(), std::declval<Collectives&>()));
  Block* const block = Block::current();
  if (!block) return Answer();
  return ascendc::in_library(*block,
                             [&] { return body(*block, block->execution().collectives()); });
}

/// The address at which the library reads the bytes; ends the kernel if they are in the wrong
/// memory.
const void* readable(Block& block, const void* address, std::uint64_t bytes, bool global,
                     const char* called, const void* site) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (global) {
    block.core.require_served(at, bytes, false, called, site);
    return ascendc::acl_runtime()->engine(address);
  }
  ascendc::GmRange piece;
  if (ascendc::find_allocation(at, piece)) {
    block.core.violated("collective",
                        fmt::format("{}: the tiling is in global memory; expected a copy of the "
                                    "kernel's own (GET_TILING_DATA_WITH_STRUCT)",
                                    called),
                        site);
  }
  return address;
}

void check_server(Block& block, const aclsimHccl& object, const void* site) {
  const auto& run = block.execution();
  const bool wide = ascendc::arch_for(run.code(), run.settings()).number == 3510;
  const std::uint32_t expected =
      wide ? AscendC::HCCL_SERVER_TYPE_CCU : AscendC::HCCL_SERVER_TYPE_AICPU;
  if (object.server == expected) return;
  block.core.violated(
      "collective",
      fmt::format("InitV2: the server type of Hccl is {}; {} has only {}", object.server,
                  wide ? "3510" : "2201", wide ? "HCCL_SERVER_TYPE_CCU" : "HCCL_SERVER_TYPE_AICPU"),
      site);
}

}  // namespace

ENTRY void aclsimHcclInit(aclsimHccl* object, const void* context, const void* tiling,
                          std::int32_t global, const void* site) {
  with_collectives([&](Block& block, Collectives& collectives) {
    check_server(block, *object, site);
    object->tiling = nullptr;
    std::memset(object->tasks, 0, sizeof object->tasks);
    if (tiling) {
      aclsim_hccl::InitTiling init;
      object->tiling = readable(block, tiling, sizeof init, global != 0, "InitV2", site);
      std::memcpy(&init, object->tiling, sizeof init);
      if (init.version != aclsim_hccl::kTilingVersion) {
        block.core.violated("collective",
                            "InitV2: initTiling is not what Mc2CcTilingConfig::GetTiling has "
                            "filled in; expected an Mc2InitTiling, the first member of the tiling",
                            site);
      }
    }
    collectives.init(block, *object, context, site);
  });
}

ENTRY std::int32_t aclsimHcclSetTask(aclsimHccl* object, const void* tiling, std::int32_t global,
                                     const void* site) {
  return with_collectives([&](Block& block, Collectives& collectives) -> std::int32_t {
    collectives.context(block, *object, "SetCcTilingV2", site);
    if (!object->tiling) {
      block.core.violated("collective", "SetCcTilingV2: InitV2 has got no initTiling", site);
    }
    aclsim_hccl::TaskTiling task;
    const void* const from =
        readable(block, tiling, sizeof task, global != 0, "SetCcTilingV2", site);
    std::memcpy(&task, from, sizeof task);
    if (task.version == aclsim_hccl::kTaskVersion && task.op < ACLSIM_HCCL_KINDS) {
      object->tasks[task.op] = from;
      return 0;
    }
    block.found({.level = ascendc::Level::warning,
                 .rule = "collective",
                 .text = "SetCcTilingV2: there is no Mc2CcTiling that Mc2CcTilingConfig::GetTiling "
                         "has filled in; it returns -1",
                 .site = site});
    return -1;
  });
}

ENTRY std::int32_t aclsimHcclPrepare(aclsimHccl* object, const aclsimHcclRequest* request,
                                     const void* site) {
  return with_collectives([&](Block& block, Collectives& collectives) {
    return collectives.prepare(block, *object, *request, site);
  });
}

ENTRY void aclsimHcclCommit(aclsimHccl* object, std::int32_t task, const void* site) {
  with_collectives([&](Block& block, Collectives& collectives) {
    collectives.commit(block, *object, task, site);
  });
}

ENTRY std::int32_t aclsimHcclWait(aclsimHccl* object, std::int32_t task, const void* site) {
  return with_collectives([&](Block& block, Collectives& collectives) {
    return collectives.wait(block, *object, task, site);
  });
}

ENTRY std::int32_t aclsimHcclQuery(aclsimHccl* object, std::int32_t task, const void* site) {
  return with_collectives([&](Block& block, Collectives& collectives) {
    return collectives.query(block, *object, task, site);
  });
}

ENTRY void aclsimHcclFinalize(aclsimHccl* object, const void* site) {
  with_collectives(
      [&](Block& block, Collectives& collectives) { collectives.finalize(block, *object, site); });
}

ENTRY std::uint32_t aclsimHcclRank(aclsimHccl* object, const void* site) {
  return with_collectives([&](Block& block, Collectives& collectives) {
    return collectives.context(block, *object, "GetRankId", site).rank;
  });
}

ENTRY std::uint32_t aclsimHcclRanks(aclsimHccl* object, const void* site) {
  return with_collectives([&](Block& block, Collectives& collectives) {
    return collectives.context(block, *object, "GetRankDim", site).ranks;
  });
}

ENTRY void* aclsimHcclWindow(aclsimHccl* object, std::uint32_t rank, std::int32_t out,
                             const void* site) {
  return with_collectives([&](Block& block, Collectives& collectives) {
    return collectives.window(block, *object, rank, out != 0, site);
  });
}
