// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/graph_transfers.h"

#include <algorithm>
#include <utility>

#include "device_sim/streams/op.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/check/op_accesses.h"

namespace acl {
namespace {

bool is_transfer(const sim::Op& op) {
  return op.kind == sim::OpKind::copy || op.kind == sim::OpKind::fill;
}

/// The indices of the transfers for which the next op that is reported is a transfer, too.
std::vector<std::size_t> deferrable(sim::Program& program) {
  std::vector<std::size_t> found;
  const sim::OwnedOp* last = nullptr;  // the last transfer, if only unreported ops follow it so far
  for (const sim::OwnedOp* at = program.begin(); at != program.end(); ++at) {
    if ((*at)->completion_id == sim::Op::kUnreported) continue;
    const bool transfer = is_transfer(**at);
    if (transfer && last) found.push_back(static_cast<std::size_t>(last - program.begin()));
    last = transfer ? at : nullptr;
  }
  return found;
}

}  // namespace

void ProgramTransfers::add(std::size_t index, const order::GraphOp& transfer) {
  before_.resize(index + 1, static_cast<std::uint32_t>(transfers_.size()));
  transfers_.push_back(transfer);
}

std::span<order::GraphOp> ProgramTransfers::between(std::uint32_t begin, std::uint32_t end) {
  const std::size_t last = end < before_.size() ? before_[end] : transfers_.size();
  return std::span(transfers_).subspan(before_[begin], last - before_[begin]);
}

std::span<order::GraphOp> TransferRun::take() {
  const auto [begin, end] = range();
  const std::uint32_t first = std::max(begin, taken_);
  if (first >= end) return {};
  taken_ = end;
  return program_->between(first, end);
}

bool GraphTransfers::may_defer(sim::Program& program) { return !deferrable(program).empty(); }

void GraphTransfers::defer(const sim::Stream& stream, sim::Program& program) {
  auto transfers = sim::make_ref<ProgramTransfers>(stream.id());
  for (const std::size_t index : deferrable(program)) {
    sim::Op& op = *program.begin()[index];
    order::GraphOp transfer;
    transfer.op_info = ops_.op_info(stream, op);
    transfer.op_info.captured = transfer.op_info.called;
    const bool copies = op.kind == sim::OpKind::copy;
    if (copies) transfer.accesses = accesses_of(op.copy);
    if (!copies) transfer.accesses[0] = access_of(op.fill);
    transfer.count = copies ? 2 : 1;
    transfers->add(index, transfer);
    op.defers_report = true;
  }
  program.attach(std::move(transfers));
}

sim::Ref<sim::DeferredReports> GraphTransfers::begins(const sim::Program& program) {
  auto* const transfers = static_cast<ProgramTransfers*>(program.attached());
  if (!transfers) return {};
  running_.push_back(sim::make_ref<TransferRun>(sim::Ref<ProgramTransfers>::share(transfers)));
  return running_.back();
}

// An aborted run that has reported nothing since ends here, too.
void GraphTransfers::ends(std::uint32_t stream) {
  std::erase_if(running_, [&](const auto& run) { return run->stream() == stream; });
}

void GraphTransfers::restart(const sim::Stream& stream, bool aborted) {
  auto* const run = static_cast<TransferRun*>(stream.deferred_reports());
  if (!run) return;
  run->restart();
  if (aborted) std::erase_if(running_, [&](const auto& one) { return one.get() == run; });
}

}  // namespace acl
