// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/engine/issue_order.h"

#include <algorithm>
#include <functional>
#include <stdexcept>

namespace replay {

using trace::kNone;
using trace::OpKind;

IssueOrder::IssueOrder(const trace::Trace& trace, const Run& run, Meetings& meetings)
    : trace_(trace), run_(run), meetings_(meetings) {
  for (const trace::Lane& lane : trace.lanes()) next_.push_back(lane.begin);
}

void IssueOrder::go(IssueSink& sink) {
  std::vector<LaneIndex> lanes;
  for (LaneIndex l = 0; l < next_.size(); ++l) {
    if (trace_.lanes()[l].graph == kNone) lanes.push_back(l);
  }
  go(sink, std::move(lanes));
}

void IssueOrder::go(IssueSink& sink, std::vector<LaneIndex> lanes) {
  std::vector<Entry> outer;
  outer.swap(heap_);
  ++depth_;
  for (const LaneIndex lane : lanes) {
    next_[lane] = trace_.lanes()[lane].begin;
    push(lane);
  }
  while (!heap_.empty() && !sink.stopped()) {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    const LaneIndex lane = heap_.back().lane;
    heap_.pop_back();
    const OpIndex op = next_[lane];
    if (const OpIndex before = missing(op); before != kNone) {
      parked_[before].push_back(lane);
      continue;
    }
    const OpKind kind = trace_[op].kind;
    const bool comm = kind == OpKind::send || kind == OpKind::recv || kind == OpKind::collective ||
                      kind == OpKind::barrier;
    Meeting* const meeting = comm ? meetings_.of(op) : nullptr;
    if (meeting) {
      arrive(sink, lane, *meeting);
      continue;
    }
    if (kind == OpKind::launch && trace_[op].use != kNone) {
      sink.begin_graph(op);
      go(sink, trace_.graphs()[trace_.launch(op).graph].lanes);
      sink.end_graph(op);
    } else {
      sink.issue(op);
    }
    pass(lane);
  }
  if (--depth_ == 0 && !sink.stopped() && !parked_.empty()) {
    throw std::logic_error("a trace that ran in virtual time has no order to issue it in");
  }
  heap_.swap(outer);
}

/// What has to be issued before `op`, and is not yet; kNone: nothing.
OpIndex IssueOrder::missing(OpIndex op) const {
  const auto issued = [this](OpIndex other) {
    return other == kNone || next_[trace_.lane_of(other)] > other;
  };
  const trace::Op& it = trace_[op];
  OpIndex partner = kNone;
  if (it.use != kNone) {
    if (it.kind == OpKind::wait || it.kind == OpKind::notify_wait)
      partner = trace_.sync(op).partner;
    if (it.kind == OpKind::value_wait) partner = trace_.value(op).partner;
    if (it.kind == OpKind::sync) partner = trace_.host(op).partner;
    if (it.kind == OpKind::recv && !const_cast<Meetings&>(meetings_).of(op)) {
      partner = trace_.comm(op).partner;
    }
  }
  if (!issued(partner)) return partner;
  for (const trace::Edge& edge : trace_.deps(op)) {
    if (!issued(edge.from)) return edge.from;
  }
  return kNone;
}

void IssueOrder::push(LaneIndex lane) {
  if (next_[lane] == trace_.lanes()[lane].end) return;
  heap_.push_back({run_.end(next_[lane]), lane});
  std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
}

/// The lane's op is issued: it goes on, and so do those that waited for that.
void IssueOrder::pass(LaneIndex lane) {
  const auto found = parked_.find(next_[lane]++);
  push(lane);
  if (found == parked_.end()) return;
  for (const LaneIndex other : found->second) push(other);
  parked_.erase(found);
}

void IssueOrder::arrive(IssueSink& sink, LaneIndex lane, Meeting& meeting) {
  sink.arrive(next_[lane]);
  std::vector<LaneIndex>& here = met_[&meeting];
  here.push_back(lane);
  if (here.size() < meeting.members.size()) return;
  sink.meet(meeting.members);
  const std::vector<LaneIndex> lanes = std::move(here);
  met_.erase(&meeting);
  for (const LaneIndex one : lanes) pass(one);
}

}  // namespace replay
