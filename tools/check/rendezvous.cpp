// SPDX-License-Identifier: Apache-2.0
#include "tools/check/rendezvous.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace check {

using trace::kNone;
using trace::kNoTime;
using trace::OpKind;

std::vector<GroupUse> group_uses(const trace::Trace& trace) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<OpIndex>> by_key;
  for (const trace::Track& track : trace.tracks()) {
    if (track.kind == trace::TrackKind::host || track.graph != kNone) continue;
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (!RendezvousTable::collective(trace[op].kind) || trace[op].use == kNone) continue;
      const std::uint32_t group = trace.comm(op).group;
      if (group != kNone) by_key[{group, track.device}].push_back(op);
    }
  }
  std::vector<GroupUse> found;
  for (auto& [key, ops] : by_key) {
    const auto when = [&](OpIndex op) {
      const trace::Nanoseconds called =
          trace.issue(op) != kNoTime ? trace.issue(op) : trace.start(op);
      return std::pair(called, trace.id(op));
    };
    // Ops of one track keep its order, even if their numbers contradict it.
    const bool one_track = trace.track_of(ops.front()) == trace.track_of(ops.back());
    if (!one_track) {
      std::stable_sort(ops.begin(), ops.end(),
                       [&](OpIndex a, OpIndex b) { return when(a) < when(b); });
    }
    found.push_back({key.first, key.second, std::move(ops)});
  }
  return found;
}

RendezvousTable::RendezvousTable(const trace::Trace& trace, replay::Sends sends) : trace_(trace) {
  add_pairs(sends);
  add_groups();
}

void RendezvousTable::place(OpIndex op, std::size_t rendezvous) {
  const std::uint32_t use = trace_[op].use;
  if (by_use_.size() <= use) by_use_.resize(use + 1, kNone);
  by_use_[use] = static_cast<std::uint32_t>(rendezvous);
}

void RendezvousTable::add_pairs(replay::Sends sends) {
  for (OpIndex op = 0; op < trace_.size(); ++op) {
    if (trace_[op].kind != OpKind::send || trace_[op].use == kNone) continue;
    const trace::CommUse& use = trace_.comm(op);
    if (!waits_for_receive(use, sends) || use.partner == kNone) continue;
    place(op, rendezvous_.size());
    place(use.partner, rendezvous_.size());
    rendezvous_.push_back({{op, use.partner}});
  }
}

void RendezvousTable::add_groups() {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::size_t> known;
  for (const GroupUse& use : group_uses(trace_)) {
    std::map<std::uint32_t, std::uint32_t> times;  // by number
    for (const OpIndex op : use.ops) {
      const std::uint32_t number = trace_.comm(op).tag;
      const auto [at, fresh] =
          known.try_emplace({use.group, number, times[number]++}, rendezvous_.size());
      if (fresh) rendezvous_.emplace_back();
      rendezvous_[at->second].members.push_back(op);
      place(op, at->second);
    }
  }
}

}  // namespace check
