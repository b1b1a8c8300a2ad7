// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/engine/issue_order.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace replay {

using trace::kNone;
using trace::OpKind;

IssueOrder::IssueOrder(const trace::Trace& trace, const Execution& run,
                       RendezvousTable& rendezvous_table)
    : trace_(trace), run_(run), rendezvous_(rendezvous_table) {
  for (const trace::Track& track : trace.tracks()) next_.push_back(track.begin);
}

void IssueOrder::go(IssueSink& sink) {
  std::vector<TrackIndex> tracks;
  for (TrackIndex l = 0; l < next_.size(); ++l) {
    if (trace_.tracks()[l].graph == kNone) tracks.push_back(l);
  }
  go(sink, std::move(tracks));
}

void IssueOrder::go(IssueSink& sink, std::vector<TrackIndex> tracks) {
  std::vector<Entry> outer;
  outer.swap(heap_);
  ++depth_;
  for (const TrackIndex track : tracks) {
    next_[track] = trace_.tracks()[track].begin;
    push(track);
  }
  while (!heap_.empty() && !sink.stopped()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const TrackIndex track = heap_.back().track;
    heap_.pop_back();
    const OpIndex op = next_[track];
    if (const OpIndex before = missing(op); before != kNone) {
      parked_[before].push_back(track);
      continue;
    }
    const OpKind kind = trace_[op].kind;
    const bool comm = kind == OpKind::send || kind == OpKind::recv || kind == OpKind::collective ||
                      kind == OpKind::barrier;
    Rendezvous* const rendezvous = comm ? rendezvous_.of(op) : nullptr;
    if (rendezvous) {
      arrive(sink, track, *rendezvous);
      continue;
    }
    if (kind == OpKind::launch && trace_[op].use != kNone) {
      sink.begin_graph(op);
      go(sink, trace_.graphs()[trace_.launch(op).graph].tracks);
      sink.end_graph(op);
    } else {
      sink.issue(op);
    }
    pass(track);
  }
  if (--depth_ == 0 && !sink.stopped() && !parked_.empty()) {
    throw std::logic_error("a trace that ran in virtual time has no order to issue it in");
  }
  heap_.swap(outer);
}

/// An op that has to be issued before `op` and is not yet issued; kNone: none.
OpIndex IssueOrder::missing(OpIndex op) const {
  const auto issued = [this](OpIndex other) {
    return other == kNone || next_[trace_.track_of(other)] > other;
  };
  const trace::Op& it = trace_[op];
  OpIndex partner = kNone;
  if (it.use != kNone) {
    if (it.kind == OpKind::wait || it.kind == OpKind::notify_wait)
      partner = trace_.sync(op).partner;
    if (it.kind == OpKind::value_wait) partner = trace_.value(op).partner;
    if (it.kind == OpKind::sync) partner = trace_.host(op).partner;
    if (it.kind == OpKind::recv && !const_cast<RendezvousTable&>(rendezvous_).of(op)) {
      partner = trace_.comm(op).partner;
    }
  }
  if (!issued(partner)) return partner;
  for (const trace::Edge& edge : trace_.deps(op)) {
    if (!issued(edge.from)) return edge.from;
  }
  return kNone;
}

void IssueOrder::push(TrackIndex track) {
  if (next_[track] == trace_.tracks()[track].end) return;
  heap_.push_back({run_.end(next_[track]), track});
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

/// The track's op is issued: the track goes on, and so do the tracks that waited for that op.
void IssueOrder::pass(TrackIndex track) {
  const auto found = parked_.find(next_[track]++);
  push(track);
  if (found == parked_.end()) return;
  for (const TrackIndex other : found->second) push(other);
  parked_.erase(found);
}

void IssueOrder::arrive(IssueSink& sink, TrackIndex track, Rendezvous& rendezvous) {
  sink.arrive(next_[track]);
  std::vector<TrackIndex>& here = met_[&rendezvous];
  here.push_back(track);
  if (here.size() < rendezvous.members.size()) return;
  sink.meet(rendezvous.members);
  const std::vector<TrackIndex> tracks = std::move(here);
  met_.erase(&rendezvous);
  for (const TrackIndex one : tracks) pass(one);
}

}  // namespace replay
