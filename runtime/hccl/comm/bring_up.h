// SPDX-License-Identifier: Apache-2.0
// The creation of communicators.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/hccl/comm/communicator.h"
#include "runtime/hccl/comm/rank_table.h"

namespace hccl {

/// Opens the store of a new communicator in this process.
void make_root_info(HcclRootInfo& info);

/// Makes one rank of a communicator. Returns when all ranks have joined. Raises HCCL_E_PARA, and
/// the errors of the fabric.
std::shared_ptr<Communicator> join_by_root_info(std::uint32_t ranks, const HcclRootInfo& info,
                                                std::uint32_t rank, const CommOptions& options);
std::shared_ptr<Communicator> join_by_table(const RankTable& table, std::uint32_t rank,
                                            CommOptions options);

/// Makes a sub-communicator; called by each of its ranks. `members`: their ranks in the parent.
std::shared_ptr<Communicator> join_sub(Communicator& parent,
                                       const std::vector<std::uint32_t>& members, std::uint64_t id,
                                       std::uint32_t rank, CommOptions options);

/// Makes one rank for each device. If some of them fail, raises the error of the first, and none is
/// made.
std::vector<std::shared_ptr<Communicator>> make_all(const std::vector<int>& devices);

}  // namespace hccl
