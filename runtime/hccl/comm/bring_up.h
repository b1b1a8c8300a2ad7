// SPDX-License-Identifier: Apache-2.0
// How a communicator comes to be.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/hccl/comm/communicator.h"
#include "runtime/hccl/comm/rank_table.h"

namespace hccl {

/// Opens the store of a new communicator in this process.
void make_root_info(HcclRootInfo& info);

/// One rank of a communicator: returns when all ranks have come. Raises HCCL_E_PARA, and what the
/// fabric raises.
std::shared_ptr<Communicator> join_by_root_info(std::uint32_t ranks, const HcclRootInfo& info,
                                                std::uint32_t rank, const CommOptions& options);
std::shared_ptr<Communicator> join_by_table(const RankTable& table, std::uint32_t rank,
                                            CommOptions options);

/// The ranks of a part of a communicator; each of them calls it. `members`: by their ranks there.
std::shared_ptr<Communicator> join_sub(Communicator& parent,
                                       const std::vector<std::uint32_t>& members, std::uint64_t id,
                                       std::uint32_t rank, CommOptions options);

/// One rank for each device. Raises what the first of them raises; then there is none.
std::vector<std::shared_ptr<Communicator>> make_all(const std::vector<int>& devices);

}  // namespace hccl
