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

/// What a rank sends is for all others alike.
bool is_same_for_all(Kind kind) noexcept {
  return kind == Kind::broadcast || kind == Kind::all_gather || kind == Kind::all_gather_v;
}

bool has_layers(const Task& task) noexcept {
  return is_same_for_all(task.kind) || task.kind == Kind::all_reduce ||
         (reduces(task.kind) && task.any_order);
}

// Of two ranks each sends to the other anyway.
Way between_hosts(const Task& task) noexcept {
  const bool large = task.all_bytes >= kRingBytes;
  if (task.kind == Kind::all_gather) return large && task.ranks > 2 ? Way::ring : Way::direct;
  if (!has_shares(task.kind)) return Way::direct;
  if (task.kind == Kind::reduce || task.ranks < 3) return Way::shares;
  if (large && !task.rounds_once) return Way::ring;
  const bool doubles = task.any_order && std::has_single_bit(task.ranks);
  return doubles && task.all_bytes < kDoublingBytes ? Way::halving_doubling : Way::shares;
}

}  // namespace

const char* name_of(Way way) noexcept {
  switch (way) {
    case Way::barrier: return "HCCL_BARRIER";
    case Way::board: return "HCCL_BOARD";
    case Way::shares: return "HCCL_SHARES";
    case Way::hierarchical: return "HCCL_HIERARCHICAL";
    case Way::halving_doubling: return "HCCL_HALVING_DOUBLING";
    case Way::ring: return "HCCL_RING";
    default: return "HCCL_DIRECT";
  }
}

Task task_of(const Request& request, std::uint32_t ranks, std::uint32_t hosts) noexcept {
  Task task;
  task.kind = request.call.kind;
  const auto type = static_cast<HcclDataType>(request.call.type);
  task.any_order = is_integer(type);
  task.rounds_once = type == HCCL_DATA_TYPE_FP16 || type == HCCL_DATA_TYPE_BFP16;
  task.ranks = ranks;
  task.hosts = hosts;
  const std::uint64_t sent = request.send_bytes();
  task.all_bytes = std::max(sent, request.receive_bytes);
  task.bytes = sent;
  if (task.kind == Kind::broadcast) task.bytes = task.all_bytes;
  if (task.kind == Kind::scatter) task.bytes = std::max(sent, request.receive_bytes * ranks);
  return task;
}

Way choose_way(const Task& task) noexcept {
  if (task.kind == Kind::barrier) return Way::barrier;
  if (fits_on_board(task.bytes)) return Way::board;
  if (task.hosts == task.ranks && task.hosts > 1) return between_hosts(task);
  if (task.hosts > 1 && has_layers(task)) return Way::hierarchical;
  return has_shares(task.kind) ? Way::shares : Way::direct;
}

}  // namespace hccl
