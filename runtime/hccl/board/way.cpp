// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/board/way.h"

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

/// Whether a rank sends the same data to all others.
bool is_same_for_all(Kind kind) noexcept {
  return kind == Kind::broadcast || kind == Kind::all_gather || kind == Kind::all_gather_v;
}

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
Way between_hosts(const Task& task) noexcept {
  if (task.kind == Kind::all_gather) return rings(task) ? Way::ring : Way::direct;
  if (!has_shares(task.kind)) return Way::direct;
  if (task.kind == Kind::reduce) return Way::shares;
  if (rings(task) && !task.rounds_once) return Way::ring;
  return doubles(task) ? Way::halving_doubling : Way::shares;
}

// If the order matters, a ring visits the ranks of a host one after the other. Otherwise the
// operands of all ranks would travel to the other hosts, which are more bytes.
Way between_layers(const Task& task) noexcept {
  if (task.kind == Kind::all_gather)
    return rings(task) ? Way::hierarchical_ring : Way::hierarchical;
  if (task.kind != Kind::all_reduce) return Way::hierarchical;
  if (!task.any_order) {
    const bool sums = task.in_order && !task.rounds_once && task.all_bytes >= kSumRingBytes;
    return sums ? Way::hierarchical_ring : Way::hierarchical;
  }
  if (rings(task)) return Way::hierarchical_ring;
  return doubles(task) ? Way::hierarchical_halving_doubling : Way::hierarchical;
}

}  // namespace

const char* name_of(Way way) noexcept {
  switch (way) {
    case Way::barrier:
      return "HCCL_BARRIER";
    case Way::board:
      return "HCCL_BOARD";
    case Way::shares:
      return "HCCL_SHARES";
    case Way::hierarchical:
      return "HCCL_HIERARCHICAL";
    case Way::halving_doubling:
      return "HCCL_HALVING_DOUBLING";
    case Way::ring:
      return "HCCL_RING";
    case Way::hierarchical_halving_doubling:
      return "HCCL_HIERARCHICAL_HALVING_DOUBLING";
    case Way::hierarchical_ring:
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

Way choose_way(const Task& task) noexcept {
  if (task.kind == Kind::barrier) return Way::barrier;
  if (fits_on_board(task.bytes)) return Way::board;
  if (task.hosts == task.ranks && task.hosts > 1) return between_hosts(task);
  if (task.hosts > 1 && has_layers(task)) return between_layers(task);
  return has_shares(task.kind) ? Way::shares : Way::direct;
}

}  // namespace hccl
