// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/engine/rendezvous.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace replay {
namespace {

using trace::kNone;
using trace::OpKind;

bool in_group(OpKind kind) { return kind == OpKind::collective || kind == OpKind::barrier; }

}  // namespace

RendezvousTable::RendezvousTable(const trace::Trace& trace, const Cost& cost, Sends sends)
    : trace_(trace) {
  add_pairs(cost, sends);
  add_groups(cost);
}

void RendezvousTable::place(OpIndex op, std::uint32_t rendezvous) {
  const std::uint32_t use = trace_[op].use;
  if (by_use_.size() <= use) by_use_.resize(use + 1, kNone);
  by_use_[use] = rendezvous;
}

void RendezvousTable::add_pairs(const Cost& cost, Sends sends) {
  for (OpIndex op = 0; op < trace_.size(); ++op) {
    if (trace_[op].use == kNone) continue;
    if (trace_[op].kind != OpKind::send && trace_[op].kind != OpKind::recv) continue;
    place(op, kNone);  // the table covers it
    if (trace_[op].kind != OpKind::send) continue;
    const trace::CommUse& use = trace_.comm(op);
    const bool meets = sends == Sends::rendezvous ||
                       (sends == Sends::as_recorded && use.mode == trace::SendMode::rendezvous);
    const bool gone = cost.removed(op) || (use.partner != kNone && cost.removed(use.partner));
    if (!meets || gone) continue;
    Rendezvous rendezvous;
    rendezvous.transfer = op;
    rendezvous.members = {op};
    if (use.partner != kNone) rendezvous.members.push_back(use.partner);
    rendezvous_.push_back(std::move(rendezvous));
  }
  for (std::uint32_t m = 0; m < rendezvous_.size(); ++m) {
    for (const OpIndex op : rendezvous_[m].members) place(op, m);
  }
}

/// The k-th use of one (group, number) by a track meets the k-th of the others.
void RendezvousTable::add_groups(const Cost& cost) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> known;
  const auto first = static_cast<std::uint32_t>(rendezvous_.size());
  for (const trace::Track& track : trace_.tracks()) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> times;
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (!in_group(trace_[op].kind) || trace_[op].use == kNone) continue;
      const trace::CommUse& use = trace_.comm(op);
      if (use.group == kNone || cost.removed(op)) {
        place(op, kNone);
        continue;
      }
      const std::uint32_t k = times[{use.group, use.tag}]++;
      const auto [at, fresh] = known.try_emplace({use.group, use.tag, k}, 0);
      if (fresh) {
        at->second = static_cast<std::uint32_t>(rendezvous_.size());
        rendezvous_.emplace_back();
      }
      rendezvous_[at->second].members.push_back(op);
      place(op, at->second);
    }
  }
  std::vector<bool> present(trace_.ranks().size());
  for (const trace::Track& track : trace_.tracks()) {
    if (track.size() != 0 && track.rank < present.size()) present[track.rank] = true;
  }
  for (std::uint32_t m = first; m < rendezvous_.size(); ++m) {
    Rendezvous& rendezvous = rendezvous_[m];
    rendezvous.cost = cost.of(rendezvous.members.front());
    // A recorded duration includes the time that the member waited for the others.
    for (const OpIndex op : rendezvous.members)
      rendezvous.cost = std::min(rendezvous.cost, cost.of(op));
    rendezvous.modelled =
        std::all_of(rendezvous.members.begin(), rendezvous.members.end(),
                    [&](OpIndex op) { return cost.modelled(op) && cost.bytes(op) != 0; });
    find_absent(rendezvous, present);
  }
}

/// A member with a recorded duration did meet the others, even if the trace lacks their ops.
void RendezvousTable::find_absent(Rendezvous& rendezvous, const std::vector<bool>& present) {
  const OpIndex any = rendezvous.members.front();
  if (trace_[any].has(trace::kHasDuration)) return;
  for (const std::uint32_t rank : trace_.groups()[trace_.comm(any).group].ranks) {
    if (rank >= present.size() || !present[rank]) continue;
    const bool there =
        std::any_of(rendezvous.members.begin(), rendezvous.members.end(),
                    [&](OpIndex op) { return trace_.tracks()[trace_.track_of(op)].rank == rank; });
    if (!there) rendezvous.absent.push_back(rank);
  }
}

}  // namespace replay
