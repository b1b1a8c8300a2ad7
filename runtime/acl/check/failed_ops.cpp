// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/failed_ops.h"

#include <algorithm>

#include "device_sim/streams/stream.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

void FailedOps::add(const sim::Stream& stream, const order::OpInfo& op_info) {
  constexpr std::size_t kMost = 64;
  const bool known = std::any_of(failures_.begin(), failures_.end(), [&](const Failure& failure) {
    return failure.op_info.stream == stream.id();
  });
  if (known || failures_.size() >= kMost) return;
  const bool of_all = stream.stops_on_failure() ||
                      runtime_.device_block(stream.device()).load(std::memory_order_acquire);
  failures_.push_back({op_info, of_all});
}

void FailedOps::name_in(order::Finding& finding) const {
  const bool about_order = finding.rule == order::Rule::race ||
                           finding.rule == order::Rule::host_buffer ||
                           finding.rule == order::Rule::freed_in_use;
  // The failed operation may have been meant to write the bytes.
  if (finding.rule == order::Rule::unwritten_read && !failures_.empty()) {
    finding.failed = failures_.front().op_info;
  }
  if (!about_order) return;
  for (const order::OpInfo* const op :
       {&finding.op_info, finding.other ? &*finding.other : nullptr}) {
    if (!op || op->stream == order::OpInfo::kNoStream || op->device < 0) continue;
    const int device = runtime_.physical(op->device);
    if (!runtime_.device_block(device).load(std::memory_order_acquire)) continue;
    finding.failed.emplace().what = "the device";
    return;
  }
  const auto after = [](const order::OpInfo& op, const Failure& failure) {
    if (op.stream == order::OpInfo::kNoStream) return false;
    if (op.stream == failure.op_info.stream) return op.number > failure.op_info.number;
    return failure.of_all && op.device == failure.op_info.device;
  };
  for (const Failure& failure : failures_) {
    if (!after(finding.op_info, failure) && !(finding.other && after(*finding.other, failure))) {
      continue;
    }
    finding.failed = failure.op_info;
    return;
  }
}

}  // namespace acl
