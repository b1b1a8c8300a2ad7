// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/recorded_callbacks.h"

namespace acl {
namespace {

constexpr std::uint32_t kOwnIds = 0xC000'0000;  // only the recorder gives completion ids from here

}  // namespace

void RecordedCallbacks::submitting(sim::Op& op) {
  if (op.completion_id == 0) op.completion_id = kOwnIds | ++last_id_;
}

void RecordedCallbacks::captured(sim::Op& op, std::uint64_t site) {
  if (op.completion_id == sim::Op::kUnreported) return;
  if (op.completion_id == 0) op.completion_id = kOwnIds | ++last_id_;
  captured_sites_[op.completion_id] = site;
}

void RecordedCallbacks::enqueued(const sim::Op& op, std::uint64_t number, std::uint32_t stream,
                                 std::uint64_t site) {
  if (op.kind == sim::OpKind::host_call) pending_[op.completion_id] = {stream, site, number};
}

std::uint64_t RecordedCallbacks::function_begins(std::uint32_t completion_id) {
  const auto found = pending_.find(completion_id);
  if (found == pending_.end()) return 0;
  const std::uint64_t number = found->second.number;
  pending_.erase(found);
  return number;
}

void RecordedCallbacks::stream_aborting(std::uint32_t stream) {
  std::erase_if(pending_, [&](const auto& entry) { return entry.second.stream == stream; });
}

void RecordedCallbacks::stream_ended(std::uint32_t stream, bool dropped) {
  for (auto at = pending_.begin(); at != pending_.end();) {
    if (at->second.stream != stream) {
      ++at;
      continue;
    }
    if (!dropped) hosts_.add_mark("callback", R"("failed":"never ran")", at->second.site);
    at = pending_.erase(at);
  }
}

std::uint64_t RecordedCallbacks::captured_at(const sim::Op& op) const {
  const auto found = captured_sites_.find(op.completion_id);
  return found == captured_sites_.end() ? 0 : found->second;
}

}  // namespace acl
