// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/board/algorithm.h"

#include <algorithm>
#include <bit>

#include "runtime/hccl/base/types.h"

namespace hccl {
namespace {

bool reduces(Kind kind) noexcept {
  return kind == Kind::all_reduce || kind == Kind::reduce || kind == Kind::reduce_scatter ||
         kind == Kind::reduce_scatter_v;
}

bool has_shares(Kind kind) noexcept { return kind == Kind::all_reduce || kind == Kind::reduce; }

bool has_layers(const Task& task) noexcept {
  return is_same_for_all(task.kind) || task.kind == Kind::all_reduce ||
         (reduces(task.kind) && task.any_order);
}

bool rings(const Task& task) noexcept { return task.all_bytes >= kRingBytes && task.hosts > 2; }

bool doubles(const Task& task) noexcept {
  return task.all_bytes < kDoublingBytes && task.any_order && task.hosts > 2 &&
         std::has_single_bit(task.hosts);
}

// With two ranks, each sends to the other in any case.
Algorithm between_hosts(const Task& task) noexcept {
  if (task.kind == Kind::all_gather) return rings(task) ? Algorithm::ring : Algorithm::direct;
  if (!has_shares(task.kind)) return Algorithm::direct;
  if (task.kind == Kind::reduce) return Algorithm::shares;
  if (rings(task) && !task.rounds_once) return Algorithm::ring;
  return doubles(task) ? Algorithm::halving_doubling : Algorithm::shares;
}

// If the order matters, a ring visits the ranks of a host one after the other. Otherwise the
// operands of all ranks would travel to the other hosts, which are more bytes.
Algorithm between_layers(const Task& task) noexcept {
  if (task.kind == Kind::all_gather)
    return rings(task) ? Algorithm::hierarchical_ring : Algorithm::hierarchical;
  if (task.kind != Kind::all_reduce) return Algorithm::hierarchical;
  if (!task.any_order) {
    const bool sums = task.in_order && !task.rounds_once && task.all_bytes >= kSumRingBytes;
    return sums ? Algorithm::hierarchical_ring : Algorithm::hierarchical;
  }
  if (rings(task)) return Algorithm::hierarchical_ring;
  return doubles(task) ? Algorithm::hierarchical_halving_doubling : Algorithm::hierarchical;
}

}  // namespace

const char* name_of(Algorithm algorithm) noexcept {
  switch (algorithm) {
    case Algorithm::barrier:
      return "HCCL_BARRIER";
    case Algorithm::board:
      return "HCCL_BOARD";
    case Algorithm::shares:
      return "HCCL_SHARES";
    case Algorithm::hierarchical:
      return "HCCL_HIERARCHICAL";
    case Algorithm::halving_doubling:
      return "HCCL_HALVING_DOUBLING";
    case Algorithm::ring:
      return "HCCL_RING";
    case Algorithm::hierarchical_halving_doubling:
      return "HCCL_HIERARCHICAL_HALVING_DOUBLING";
    case Algorithm::hierarchical_ring:
      return "HCCL_HIERARCHICAL_RING";
    default:
      return "HCCL_DIRECT";
  }
}

Task task_of(const Request& request, const Hosts& hosts) noexcept {
  Task task;
  task.kind = request.call.kind;
  const auto type = static_cast<HcclDataType>(request.call.type);
  task.any_order = is_integer(type);
  task.rounds_once = type == HCCL_DATA_TYPE_FP16 || type == HCCL_DATA_TYPE_BFP16;
  task.ranks = hosts.ranks();
  task.hosts = hosts.count();
  task.in_order = hosts.in_order();
  const std::uint64_t sent = request.send_bytes();
  task.all_bytes = std::max(sent, request.receive_bytes);
  task.bytes = sent;
  if (task.kind == Kind::broadcast) task.bytes = task.all_bytes;
  if (task.kind == Kind::scatter) task.bytes = std::max(sent, request.receive_bytes * task.ranks);
  return task;
}

Algorithm choose_algorithm(const Task& task) noexcept {
  if (task.kind == Kind::barrier) return Algorithm::barrier;
  if (fits_on_board(task.bytes)) return Algorithm::board;
  if (task.hosts == task.ranks && task.hosts > 1) return between_hosts(task);
  if (task.hosts > 1 && has_layers(task)) return between_layers(task);
  return has_shares(task.kind) ? Algorithm::shares : Algorithm::direct;
}

}  // namespace hccl
