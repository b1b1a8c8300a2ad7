// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/collective_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "ascendc/impl/hccl_names.h"
#include "ascendc/impl/hccl_tilings.h"
#include "runtime/ascendc/launch/block.h"
#include "runtime/ascendc/launch/execution.h"

namespace ascendc {
namespace {

using ranks::Kind;
using ranks::Part;

constexpr std::uint64_t kMostElements = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostBytesOf3510 = std::uint64_t{256} << 20;

/// A request while it is checked.
struct Checked {
  Block& block;
  const aclsimHcclRequest& request;
  const char* called;
  const void* site;

  template <class... Arguments>
  [[noreturn]] void wrong(fmt::format_string<Arguments...> text, Arguments&&... arguments) const {
    block.core.violated(
        "collective",
        fmt::format("{}: {}", called, fmt::format(text, std::forward<Arguments>(arguments)...)),
        site);
  }
};

bool is_3510(const Block& block) {
  return arch_for(block.execution().code(), block.execution().settings()).number == 3510;
}

void check_task(const Checked& checked, const aclsimHccl& object, CollectivePlan& plan) {
  if (!object.tiling) return;
  const void* const tiling = object.tasks[checked.request.kind];
  if (!tiling) checked.wrong("SetCcTilingV2 has set no tiling of this collective");
  aclsim_hccl::TaskTiling task;
  std::memcpy(&task, tiling, sizeof task);
  if (task.debug_mode == 1) {
    checked.wrong("the tiling has debug mode 1, which is not emulated; expected another mode");
  }
  if (task.step != 0) {
    checked.wrong("the tiling has the step size {}; steps are not emulated: expected 0", task.step);
  }
  if (plan.kind == Kind::reduce_scatter && task.from_type != task.to_type &&
      is_3510(checked.block)) {
    checked.wrong(
        "the tiling has the source type {} and the destination type {}; that types "
        "differ is not emulated",
        task.from_type, task.to_type);
  }
  const bool copies = plan.kind == Kind::all_gather || plan.kind == Kind::all_to_all;
  plan.skip_own = copies && task.skip_own != 0 && !is_3510(checked.block);
}

void check_types(const Checked& checked) {
  const aclsimHcclRequest& request = checked.request;
  const auto kind = static_cast<Kind>(request.kind);
  if (ranks::bytes_of(request.type) == 0) {
    checked.wrong("dataType is {}, which is not emulated", request.type);
  }
  if (request.receive_type != request.type) {
    checked.wrong("recvType is {}, and sendType is {}; expected the same",
                  ranks::name_of_type(request.receive_type), ranks::name_of_type(request.type));
  }
  if (kind != Kind::all_reduce && kind != Kind::reduce_scatter) return;
  const bool is_int8 = request.type == AscendC::HCCL_DATA_TYPE_INT8;
  if (!ranks::is_reducible(request.type) || (is_int8 && is_3510(checked.block))) {
    checked.wrong("dataType is {}; expected half, bfloat16_t, float, int16_t, int32_t{}",
                  ranks::name_of_type(request.type), is_3510(checked.block) ? "" : " or int8_t");
  }
  if (request.reduction > AscendC::HCCL_REDUCE_MIN ||
      request.reduction == AscendC::HCCL_REDUCE_PROD) {
    checked.wrong(
        "op is {}; expected HCCL_REDUCE_SUM (0), HCCL_REDUCE_MAX (2) or "
        "HCCL_REDUCE_MIN (3)",
        request.reduction);
  }
}

void check_sizes(const Checked& checked) {
  const aclsimHcclRequest& request = checked.request;
  if (request.repeat == 0) checked.wrong("repeat is 0; expected 1 or more");
  if (request.count > kMostElements || request.stride > kMostElements) {
    checked.wrong("the count is {} and strideCount is {}; expected at most {}", request.count,
                  request.stride, kMostElements);
  }
  if (request.stride != 0 && request.stride < request.count) {
    checked.wrong("strideCount is {}, and a block has {} elements; expected 0, or at least as many",
                  request.stride, request.count);
  }
  const bool wide = static_cast<Kind>(request.kind) == Kind::all_gather ||
                    static_cast<Kind>(request.kind) == Kind::all_to_all;
  if (wide && request.repeat > 1 && request.count != 0 &&
      request.stride < request.count * request.repeat) {
    checked.wrong(
        "strideCount is {}; {} turns write {} elements of each rank one behind the other: "
        "expected at least {}",
        request.stride, request.repeat, request.count, request.count * request.repeat);
  }
}

void take_arrays(const Checked& checked, CollectivePlan& plan) {
  const aclsimHcclRequest& request = checked.request;
  const auto take = [&](const std::uint64_t* from, const char* name, auto& into) {
    if (!from) checked.wrong("{} is null", name);
    into.assign(from, from + plan.ranks);
    const auto most = *std::max_element(into.begin(), into.end());
    if (most > kMostElements) {
      checked.wrong("{} has the value {}; expected at most {}", name, most, kMostElements);
    }
  };
  take(request.send_counts, "sendCounts", plan.send_counts);
  take(request.send_begins, "sdispls", plan.send_begins);
  take(request.receive_counts, "recvCounts", plan.receive_counts);
  take(request.receive_begins, "rdispls", plan.receive_begins);
  const std::uint64_t sent = plan.send_counts[plan.rank], got = plan.receive_counts[plan.rank];
  if (sent != got) {
    checked.wrong("rank {} sends {} elements to itself and expects {}; expected the same",
                  plan.rank, sent, got);
  }
}

void check_parts(const Checked& checked, const CollectivePlan& plan) {
  std::uint64_t sent = 0;
  for (std::uint32_t number = 0; number < plan.repeat; ++number) {
    const ranks::Turn turn = plan.turn(number);
    const std::uint64_t shift = plan.shift(number);
    sent = 0;
    for (const Part& part : turn.sent) {
      checked.block.core.require_served(plan.send + shift + part.begin, part.bytes, false,
                                        checked.called, checked.site);
      sent = std::max(sent, part.begin + part.bytes);
    }
    for (const Part& part : turn.received) {
      checked.block.core.require_served(plan.receive + shift + part.begin, part.bytes, true,
                                        checked.called, checked.site);
    }
  }
  if (sent > kMostBytesOf3510 && is_3510(checked.block)) {
    checked.wrong("a turn sends {} bytes; expected at most {}", sent, kMostBytesOf3510);
  }
}

}  // namespace

std::uint64_t CollectivePlan::shift(std::uint32_t number) const {
  return kind == Kind::all_to_all_v ? 0 : count * number * ranks::bytes_of(type);
}

ranks::Turn CollectivePlan::turn(std::uint32_t number) const {
  ranks::Turn turn;
  turn.kind = kind;
  turn.type = type;
  turn.reduction = reduction;
  turn.count = count;
  turn.place = place;
  const std::uint64_t size = ranks::bytes_of(type);
  for (std::uint64_t other = 0; other < ranks; ++other) {
    Part sent{other * stride * size, count * size}, received = sent;
    if (kind == Kind::all_reduce || kind == Kind::all_gather) sent.begin = 0;
    if (kind == Kind::all_to_all_v) {
      sent = {(send_begins[other] + number * send_counts[other]) * size, send_counts[other] * size};
      received = {(receive_begins[other] + number * receive_counts[other]) * size,
                  receive_counts[other] * size};
    }
    if (skip_own && other == rank) received.bytes = 0;
    turn.sent.push_back(sent);
    if (!turn.reduces() || other == 0) turn.received.push_back(received);
  }
  return turn;
}

CollectivePlan plan_of(Block& block, const aclsimHccl& object, const aclsimHcclRequest& request,
                       const aclsimHcclContext& context, const void* site) {
  const Checked checked{block, request, ranks::name_of(request.kind), site};
  CollectivePlan plan;
  plan.kind = static_cast<Kind>(request.kind);
  plan.type = request.type;
  plan.reduction = static_cast<ranks::Reduction>(request.reduction);
  plan.count = request.count;
  plan.stride = request.stride == 0 ? request.count : request.stride;
  plan.repeat = request.repeat;
  plan.rank = context.rank;
  plan.ranks = context.ranks;
  plan.send = reinterpret_cast<std::uintptr_t>(request.send);
  plan.receive = reinterpret_cast<std::uintptr_t>(request.receive);
  plan.place = block.place_of(site);
  check_task(checked, object, plan);
  check_types(checked);
  check_sizes(checked);
  if (plan.kind == Kind::all_to_all_v) take_arrays(checked, plan);
  check_parts(checked, plan);
  return plan;
}

}  // namespace ascendc
