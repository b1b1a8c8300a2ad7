// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/graph_ops.h"

#include "device_sim/streams/op.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

std::uint32_t GraphOps::add(const Captured& op) {
  ops_.push_back(op);
  return kInGraph | static_cast<std::uint32_t>(ops_.size());
}

const GraphOps::Captured* GraphOps::find(std::uint32_t completion_id) const {
  const std::size_t entry = completion_id & ~kInGraph;
  return is_in_graph(completion_id) && entry <= ops_.size() ? &ops_[entry - 1] : nullptr;
}

order::OpInfo GraphOps::op_info(const sim::Stream& stream, const sim::Op& op) const {
  order::OpInfo what;
  if (const Captured* const from = find(op.completion_id)) what = from->op_info;
  if (what.site == 0) what.what = name_in_reports(op);
  what.stream = stream.id();
  what.on_default_stream = false;
  what.in_graph = true;
  what.device = static_cast<std::int16_t>(runtime_.logical(stream.device()));
  return what;
}

}  // namespace acl
