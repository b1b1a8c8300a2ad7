// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/stream_accesses.h"

#include <algorithm>
#include <array>
#include <utility>

#include "device_sim/streams/op.h"
#include "runtime/acl/check/op_accesses.h"
#include "runtime/acl/core/stream.h"

namespace acl {

void StreamAccesses::copy(const Stream& stream, const sim::Op& op, order::Actor to) {
  const std::array<order::Access, 2> accesses = accesses_of(op.copy);
  const auto& [read, written] = accesses;
  const order::OpInfo what = actors_.op_info(stream, sim::name(op.kind), to);
  const order::Actor by = actors_.host();
  if (written.host) host_memory_.buffers().forget_written({&written, 1});
  group_.note_issue(to);
  memory_lives_.check_blocks(what, accesses);
  engine_.op(to, by, what, accesses);
  host_memory_.bar_hosts(to, accesses);
  if (read.host) host_memory_.keep_buffer(to, by, what, read);
  if (written.host) host_memory_.add_writer();
  const int from_device = op.copy.src_device, to_device = op.copy.dst_device;
  if (from_device == to_device) return;
  if (from_device == sim::kHostDevice || to_device == sim::kHostDevice) return;
  std::erase_if(peer_copies_, [&](const PeerCopy& one)
                                  REQUIRES(check_lock) { return engine_.covers(by, one.when); });
  peer_copies_.push_back({from_device, to_device, {to, engine_.last(to)}, what});
}

void StreamAccesses::observed_kernel(sim::Op& op, order::Actor to, const order::OpInfo& what,
                                     std::span<const order::Access> guesses) {
  begin(to, what, guesses);
  op.completion_id = engine_.kernel(to, actors_.host(), what, guesses);
  end(to, what, guesses);
}

void StreamAccesses::peer_access_ending(int device, int peer) {
  const order::Actor by = actors_.host();
  for (const PeerCopy& copy : peer_copies_) {
    if (std::minmax(copy.from, copy.to) != std::minmax(device, peer)) continue;
    if (engine_.covers(by, copy.when)) continue;
    order::Finding finding = actors_.without_order(order::Rule::no_peer_access, copy.when);
    finding.op_info = op_info_of_call();
    finding.other = copy.op_info;
    finding.text = "{it} disables peer access while {other} may still copy between the two devices";
    if (finding.rule != order::Rule::no_peer_access) {
      finding.text += "; only host threads can order them";
    }
    reporter_.add(std::move(finding));
  }
}

void StreamAccesses::begin(order::Actor to, const order::OpInfo& what,
                           std::span<const order::Access> accesses) {
  host_memory_.buffers().forget_written(accesses);
  group_.note_issue(to);
  memory_lives_.check_blocks(what, accesses);
}

}  // namespace acl
