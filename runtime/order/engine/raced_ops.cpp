// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/raced_ops.h"

#include <algorithm>

namespace order {

void RacedOps::add(const OpInfo& op, std::uint64_t when) {
  const bool host = op.stream == OpInfo::kNoStream;
  Last& last = host ? threads_[op.thread] : streams_[op.stream];
  last.number = std::max(last.number, op.number);
  last.when = std::max(last.when, when);
}

// The number of an operation in a graph counts from the start of its run.
void RacedOps::add(const Finding& finding) {
  const bool about_order = finding.rule == Rule::race || finding.rule == Rule::host_buffer ||
                           finding.rule == Rule::freed_in_use;
  if (!about_order) return;
  add(finding.op_info, finding.when);
  // An earlier access of a host thread may have come before the wait.
  if (finding.other && finding.other->stream != OpInfo::kNoStream) add(*finding.other, 0);
}

bool RacedOps::follow(const Finding& wait) const {
  const OpInfo& op = wait.op_info;
  if (op.stream == OpInfo::kNoStream) {
    const auto at = threads_.find(op.thread);
    return at != threads_.end() && at->second.when > wait.when;
  }
  const auto at = streams_.find(op.stream);
  return at != streams_.end() && at->second.number >= op.number;
}

}  // namespace order
