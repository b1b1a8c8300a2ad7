// SPDX-License-Identifier: Apache-2.0
#include "tools/check/walk.h"

#include <algorithm>
#include <utility>

#include "tools/trace/formats/format_table.h"

namespace check {

using trace::kNone;
using trace::OpKind;
using Why = Need::Why;

namespace {

/// Whether each op has a line, in the order of the calls of the host.
bool is_in_order_of_calls(const trace::Trace& trace) {
  const auto sources = trace.sources();
  return trace.size() != 0 && trace.line(0) != 0 &&
         std::all_of(sources.begin(), sources.end(),
                     [&](const trace::Source& source) { return trace::has_lines(trace, source); });
}

}  // namespace

Walk::Walk(const trace::Trace& trace, const Options& options, Findings& findings)
    : trace_(trace),
      findings_(findings),
      hosts_(trace),
      needs_(trace, hosts_, options.sends),
      meetings_(trace, options.sends),
      memory_(trace),
      engine_([this](order::Finding&& finding) { conflict(finding); }),
      lanes_(trace.lanes().size()),
      graphs_(trace.graphs().size()),
      by_line_(is_in_order_of_calls(trace)) {}

void Walk::run() {
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) engine_.add_stream();
  find_sources();
  find_moving_events();
  set_out();
  while (!ready_.empty() || !ready_by_line_.empty()) advance(take_ready());
  tell_between_threads();
  for (const auto& [op, read] : unwritten_) tell_unwritten(op, read.range);
  tell_deadlock();
  tell_unsynchronized();
  for (const OpIndex op : needs_.never_written()) {
    order::PlacedFinding* const made =
        findings_.add({order::Rule::no_producer, order::Level::warning, op});
    if (made) made->text = "no write in the trace satisfies {it}";
  }
}

// ---- before ----

Walk::Source& Walk::new_source(OpIndex op) {
  source_of_[op] = static_cast<std::uint32_t>(sources_.size());
  return sources_.emplace_back();
}

void Walk::find_sources() {
  source_of_.assign(trace_.size(), kNone);
  // What one of several threads knew is asked for at the end.
  hosts_.each_call([&](OpIndex call, std::uint32_t rank) {
    if (hosts_.several(rank)) new_source(call).uses = 1;
  });
  for (const trace::Lane& lane : trace_.lanes()) {
    for (OpIndex op = lane.begin; op < lane.end; ++op) {
      keep_ = keep_ || trace_[op].kind == OpKind::launch;
      for (const Need& need : needs_.of(op, lane)) {
        Source* const known = source(need.from);
        ++(known ? *known : new_source(need.from)).uses;
      }
    }
  }
}

void Walk::find_moving_events() {
  std::vector<LaneIndex> first(trace_.objects().size(), kNone);
  const auto each = [&](OpKind kind, auto&& what) {
    for (LaneIndex l = 0; l < trace_.lanes().size(); ++l) {
      for (OpIndex op = trace_.lanes()[l].begin; op < trace_.lanes()[l].end; ++op) {
        if (trace_[op].kind != kind || trace_[op].use == kNone) continue;
        if (trace_.sync(op).object != kNone) what(l, op, trace_.sync(op));
      }
    }
  };
  each(OpKind::record, [&](LaneIndex l, OpIndex, const trace::SyncUse& use) {
    if (first[use.object] == kNone) first[use.object] = l;
    if (first[use.object] != l) moving_[use.object];
  });
  if (moving_.empty()) return;
  const auto note = [&](auto&& list) {
    return [&, list](LaneIndex, OpIndex op, const trace::SyncUse& use) {
      const auto at = moving_.find(use.object);
      if (at != moving_.end()) (at->second.*list).push_back({use.generation, op});
    };
  };
  each(OpKind::record, note(&MovingEvent::records));
  each(OpKind::wait, note(&MovingEvent::waits));
  for (auto& [object, event] : moving_) {
    std::sort(event.records.begin(), event.records.end());
    std::sort(event.waits.begin(), event.waits.end());
  }
}

/// Graphs run when they are launched; one that never is runs by itself, once.
void Walk::set_out() {
  for (OpIndex op = 0; op < trace_.size() && !graphs_.empty(); ++op) {
    if (trace_[op].kind != OpKind::launch || trace_[op].use == kNone) continue;
    graphs_[trace_.launch(op).graph].launched = true;
  }
  const auto ranges = trace_.ranges();
  for (LaneIndex l = 0; l < lanes_.size(); ++l) {
    const trace::Lane& lane = trace_.lanes()[l];
    const auto first =
        std::lower_bound(ranges.begin(), ranges.end(), lane.begin,
                         [](const trace::Range& range, OpIndex op) { return range.op < op; });
    lanes_[l].range = static_cast<std::uint32_t>(first - ranges.begin());
    if (lane.graph != kNone && graphs_[lane.graph].launched) continue;
    lanes_[l].next = lane.begin;
    lanes_[l].end = lane.end;
    make_ready(l);
  }
}

// ---- the way ----

std::uint32_t Walk::line_of(LaneIndex lane) const {
  const Lane& at = lanes_[lane];
  return at.next < at.end ? trace_.line(at.next) : 0;
}

void Walk::make_ready(LaneIndex lane) {
  if (by_line_) return ready_by_line_.push({line_of(lane), lane});
  ready_.push_back(lane);
}

LaneIndex Walk::take_ready() {
  LaneIndex lane = kNone;
  if (by_line_) {
    lane = ready_by_line_.top().second;
    ready_by_line_.pop();
  } else {
    lane = ready_.front();
    ready_.pop_front();
  }
  return lane;
}

/// In the order of the calls where the file has that, as the check of a running program takes them
/// in. Else by turns, so that lanes stay side by side and little has to be remembered.
void Walk::advance(LaneIndex lane) {
  constexpr int kTurn = 64;
  for (int i = 0; by_line_ || i < kTurn; ++i) {
    if (lanes_[lane].next == lanes_[lane].end) return lane_ended(lane);
    if (!ready_by_line_.empty() && ready_by_line_.top().first < line_of(lane)) break;
    if (!step(lane)) return;
  }
  make_ready(lane);
}

/// False: the lane is blocked, or somebody else sets it going.
bool Walk::step(LaneIndex lane) {
  const OpIndex op = lanes_[lane].next;
  const auto needs = needs_.of(op, trace_.lanes()[lane]);
  if (!needs.empty()) {
    if (must_wait(lane, needs)) return false;
    join(lane, needs);
  }
  const trace::Op& it = trace_[op];
  if (it.use != kNone) {
    if (it.kind == OpKind::launch) return launch(lane);
    if (Meeting* const meeting = meetings_.of(op)) return arrive(lane, *meeting);
  }
  perform(lane, op);
  finish(lane);
  return true;
}

bool Walk::must_wait(LaneIndex lane, std::span<const Need> needs) {
  Lane& at = lanes_[lane];
  at.on = kNone;
  for (const Need& need : needs) {
    Source& from = *source(need.from);
    if (from.done) continue;
    at.on = need.from;
    at.why = need.why;
    at.guessed = at.guessed || need.guess;
    at.next_waiter = std::exchange(from.waiters, lane);
    return true;
  }
  return false;
}

void Walk::join(LaneIndex lane, std::span<const Need> needs) {
  const Need* told = nullptr;  // a wait or a synchronise
  bool advanced = false;
  for (const Need& need : needs) {
    const bool something = take_in(lane, need);
    lanes_[lane].guessed = lanes_[lane].guessed || need.guess;
    if (need.why != Why::event && need.why != Why::sync) continue;
    told = &need;
    advanced = advanced || something;
  }
  if (told && !advanced) redundant(lanes_[lane].next, *told);
}

/// Whoever knows the last moment before an op's end knows all that the op knew.
bool Walk::take_in(LaneIndex lane, const Need& need) {
  Source& from = *source(need.from);
  const bool known = engine_.covers(lane, {from.lane, from.count});
  if (!known) engine_.run_wait(lane, *from.node);
  give_back(from);
  return !known;
}

void Walk::give_back(Source& source) {
  if (keep_ || --source.uses != 0) return;
  unused_.push_back(std::exchange(source.node, nullptr));
}

order::Node* Walk::new_node() {
  if (unused_.empty()) return &nodes_.emplace_back();
  order::Node* const node = unused_.back();
  unused_.pop_back();
  return node;
}

void Walk::finish(LaneIndex lane) {
  const OpIndex op = lanes_[lane].next++;
  Source* const own = source(op);
  if (!own) return;
  if (!own->node) own->node = new_node();
  engine_.run_record(lane, order::OpInfo{}, *own->node);
  own->lane = lane;
  own->count = engine_.now(lane).count;
  own->done = true;
  for (LaneIndex waiter = std::exchange(own->waiters, kNone); waiter != kNone;) {
    make_ready(waiter);
    waiter = std::exchange(lanes_[waiter].next_waiter, kNone);
  }
}

// ---- meetings and graphs ----

/// The last who comes sets all going; each is ordered after all others.
bool Walk::arrive(LaneIndex lane, Meeting& meeting) {
  lanes_[lane].arrived = true;
  if (++meeting.arrived < meeting.members.size()) return false;
  order::Node all, one;
  all.resolved = true;
  for (const OpIndex member : meeting.members) {
    engine_.run_record(trace_.lane_of(member), order::OpInfo{}, one);
    all.clock.join(one.clock);
  }
  for (const OpIndex member : meeting.members) {
    const LaneIndex other = trace_.lane_of(member);
    engine_.run_wait(other, all);
    lanes_[other].arrived = false;
    perform(other, member);
    finish(other);
    if (other != lane) make_ready(other);
  }
  return true;
}

bool Walk::launch(LaneIndex lane) {
  const std::uint32_t graph = trace_.launch(lanes_[lane].next).graph;
  if (graphs_[graph].launcher != kNone) {
    graphs_[graph].queue.push_back(lane);
    return false;
  }
  start_graph(graph, lane);
  return false;
}

void Walk::start_graph(std::uint32_t graph, LaneIndex launcher) {
  Graph& it = graphs_[graph];
  order::Node begin;
  engine_.run_record(launcher, order::OpInfo{}, begin);
  it.launcher = launcher;
  it.ends.resolved = true;
  it.ends.clock = begin.clock;
  const std::vector<LaneIndex>& lanes = trace_.graphs()[graph].lanes;
  it.running = static_cast<std::uint32_t>(lanes.size());
  for (const LaneIndex l : lanes) {
    const trace::Lane& lane = trace_.lanes()[l];
    lanes_[l].next = lane.begin;
    lanes_[l].end = lane.end;
    for (OpIndex op = lane.begin; op < lane.end; ++op) {
      if (Source* const own = source(op)) own->done = false;
    }
    engine_.run_wait(l, begin);
    make_ready(l);
  }
  if (lanes.empty()) {
    it.running = 1;
    graph_lane_ended(graph);
  }
}

void Walk::lane_ended(LaneIndex lane) {
  const std::uint32_t graph = trace_.lanes()[lane].graph;
  if (graph == kNone || graphs_[graph].launcher == kNone) return;
  order::Node end;
  engine_.run_record(lane, order::OpInfo{}, end);
  graphs_[graph].ends.clock.join(end.clock);
  graph_lane_ended(graph);
}

void Walk::graph_lane_ended(std::uint32_t graph) {
  Graph& it = graphs_[graph];
  if (--it.running != 0) return;
  const LaneIndex launcher = std::exchange(it.launcher, kNone);
  engine_.run_wait(launcher, it.ends);
  perform(launcher, lanes_[launcher].next);
  finish(launcher);
  make_ready(launcher);
  if (it.queue.empty()) return;
  const LaneIndex next = it.queue.front();
  it.queue.pop_front();
  start_graph(graph, next);
}

}  // namespace check
