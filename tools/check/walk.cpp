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
                     [](const trace::Source& source) { return source.in_order; });
}

}  // namespace

Walk::Walk(const trace::Trace& trace, const Options& options, const Outside& outside,
           const Flags& flags, Findings& findings)
    : trace_(trace),
      findings_(findings),
      functions_(trace),
      hosts_(trace, functions_),
      needs_(trace, hosts_, flags, options.sends),
      rendezvous_(trace, options.sends),
      memory_(trace),
      engine_([this](order::Finding&& finding) { conflict(finding); }),
      tracks_(trace.tracks().size()),
      graphs_(trace.graphs().size()),
      by_line_(is_in_order_of_calls(trace)),
      outside_(outside) {}

void Walk::run() {
  for (std::size_t track = 0; track < tracks_.size(); ++track) engine_.add_stream();
  if (outside_.writes_anywhere()) memory_.forget_contents();
  find_sources();
  find_moving_events();
  set_out();
  while (!ready_.empty() || !ready_by_line_.empty()) advance(take_ready());
  tell_deferred();
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
  // With several host threads, some_thread_knew() asks for the clock of each of their calls.
  hosts_.each_call([&](OpIndex call, std::uint32_t rank) {
    if (hosts_.several(rank)) new_source(call).uses = 1;
  });
  functions_.each([&](OpIndex call, const Functions::Row& row) {
    called_[call];
    if (row.begin == kNone || row.end == kNone || !trace_[call].has(trace::kBlocks)) return;
    Source* const known = source(row.end);
    ++(known ? *known : new_source(row.end)).uses;
  });
  for (const trace::Track& track : trace_.tracks()) {
    for (OpIndex op = track.begin; op < track.end; ++op) {
      keep_ = keep_ || trace_[op].kind == OpKind::launch;
      for (const Need& need : needs_.of(op, track)) {
        Source* const known = source(need.from);
        ++(known ? *known : new_source(need.from)).uses;
      }
    }
  }
}

void Walk::find_moving_events() {
  std::vector<TrackIndex> first(trace_.objects().size(), kNone);
  const auto each = [&](OpKind kind, auto&& what) {
    for (TrackIndex l = 0; l < trace_.tracks().size(); ++l) {
      for (OpIndex op = trace_.tracks()[l].begin; op < trace_.tracks()[l].end; ++op) {
        if (trace_[op].kind != kind || trace_[op].use == kNone) continue;
        if (trace_.sync(op).object != kNone) what(l, op, trace_.sync(op));
      }
    }
  };
  each(OpKind::record, [&](TrackIndex l, OpIndex, const trace::SyncUse& use) {
    if (first[use.object] == kNone) first[use.object] = l;
    if (first[use.object] != l) moving_[use.object];
  });
  if (moving_.empty()) return;
  const auto note = [&](auto&& list) {
    return [&, list](TrackIndex, OpIndex op, const trace::SyncUse& use) {
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

/// Graphs run when they are launched; a graph without a launch runs once by itself.
void Walk::set_out() {
  for (OpIndex op = 0; op < trace_.size() && !graphs_.empty(); ++op) {
    if (trace_[op].kind != OpKind::launch || trace_[op].use == kNone) continue;
    graphs_[trace_.launch(op).graph].launched = true;
  }
  const auto ranges = trace_.ranges();
  for (TrackIndex l = 0; l < tracks_.size(); ++l) {
    const trace::Track& track = trace_.tracks()[l];
    const auto first =
        std::lower_bound(ranges.begin(), ranges.end(), track.begin,
                         [](const trace::Range& range, OpIndex op) { return range.op < op; });
    tracks_[l].range = static_cast<std::uint32_t>(first - ranges.begin());
    if (track.graph != kNone && graphs_[track.graph].launched) continue;
    tracks_[l].next = track.begin;
    tracks_[l].end = track.end;
    make_ready(l);
  }
}

// ---- the walk ----

std::uint32_t Walk::line_of(TrackIndex track) const {
  const Track& at = tracks_[track];
  return at.next < at.end ? trace_.line(at.next) : 0;
}

void Walk::make_ready(TrackIndex track) {
  if (by_line_) return ready_by_line_.push({line_of(track), track});
  ready_.push_back(track);
}

TrackIndex Walk::take_ready() {
  TrackIndex track = kNone;
  if (by_line_) {
    track = ready_by_line_.top().second;
    ready_by_line_.pop();
  } else {
    track = ready_.front();
    ready_.pop_front();
  }
  return track;
}

/// Takes the ops in the order of their calls if the file has it, as the check of a running program
/// does. Otherwise the tracks take turns, so that they advance evenly and little state is kept.
void Walk::advance(TrackIndex track) {
  constexpr int kTurn = 64;
  for (int i = 0; by_line_ || i < kTurn; ++i) {
    if (tracks_[track].next == tracks_[track].end) return track_ended(track);
    if (!ready_by_line_.empty() && ready_by_line_.top().first < line_of(track)) break;
    if (!step(track)) return;
  }
  make_ready(track);
}

/// False: the track is blocked, or another track resumes it.
bool Walk::step(TrackIndex track) {
  const OpIndex op = tracks_[track].next;
  const auto needs = needs_.of(op, trace_.tracks()[track]);
  if (!needs.empty() && !tracks_[track].in_function) {
    if (must_wait(track, needs)) return false;
    join(track, needs);
  }
  if (!functions_.empty()) {
    if (const auto* const row = functions_.of(op); row && !call(track, op, *row)) return false;
    const OpIndex begun = functions_.begun_by(op);
    if (begun != kNone && !enter(track, begun)) return false;
  }
  const trace::Op& it = trace_[op];
  if (it.use != kNone) {
    if (it.kind == OpKind::launch) return launch(track);
    if (Rendezvous* const rendezvous = rendezvous_.of(op)) return arrive(track, *rendezvous);
  }
  perform(track, op);
  finish(track);
  return true;
}

bool Walk::must_wait(TrackIndex track, std::span<const Need> needs) {
  Track& at = tracks_[track];
  at.on = kNone;
  for (const Need& need : needs) {
    Source& from = *source(need.from);
    if (from.done) continue;
    at.on = need.from;
    at.why = need.why;
    at.guessed = at.guessed || need.guess;
    at.next_waiter = std::exchange(from.waiters, track);
    return true;
  }
  return false;
}

void Walk::join(TrackIndex track, std::span<const Need> needs) {
  const Need* told = nullptr;  // a wait or a synchronise
  bool advanced = false;
  for (const Need& need : needs) {
    const bool something = take_in(track, need);
    tracks_[track].guessed = tracks_[track].guessed || need.guess;
    if (need.why != Why::event && need.why != Why::sync) continue;
    told = &need;
    advanced = advanced || something;
  }
  const OpIndex op = tracks_[track].next;
  if (advanced && trace_.name(op) == "aclrtDestroyStreamForce") {
    if (ended_before(told->from, op)) return;
    return destroyed_in_use(op, told->from);
  }
  if (told && !advanced) redundant(tracks_[track].next, *told);
}

/// An actor that is ordered after the last moment before an op's end is ordered after everything
/// that the op is ordered after.
bool Walk::take_in(TrackIndex track, const Need& need) {
  Source& from = *source(need.from);
  const bool known = engine_.covers(track, {from.track, from.count});
  if (!known) engine_.graph_runs().wait(track, *from.node);
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

void Walk::finish(TrackIndex track) {
  const OpIndex op = tracks_[track].next++;
  if (outside_.records(op)) record_outside(track);
  Source* const own = source(op);
  if (!own) return;
  if (!own->node) own->node = new_node();
  engine_.graph_runs().record(track, order::OpInfo{}, *own->node);
  own->track = track;
  own->count = engine_.now(track).count;
  own->done = true;
  for (TrackIndex waiter = std::exchange(own->waiters, kNone); waiter != kNone;) {
    make_ready(waiter);
    waiter = std::exchange(tracks_[waiter].next_waiter, kNone);
  }
}

// ---- rendezvous and graphs ----

/// The last member that arrives resumes all; each is ordered after all others.
bool Walk::arrive(TrackIndex track, Rendezvous& rendezvous) {
  tracks_[track].arrived = true;
  if (++rendezvous.arrived < rendezvous.members.size()) return false;
  order::Node all, one;
  all.resolved = true;
  for (const OpIndex member : rendezvous.members) {
    engine_.graph_runs().record(trace_.track_of(member), order::OpInfo{}, one);
    all.clock.join(one.clock);
  }
  for (const OpIndex member : rendezvous.members) {
    const TrackIndex other = trace_.track_of(member);
    engine_.graph_runs().wait(other, all);
    tracks_[other].arrived = false;
    perform(other, member);
    finish(other);
    if (other != track) make_ready(other);
  }
  return true;
}

bool Walk::launch(TrackIndex track) {
  const std::uint32_t graph = trace_.launch(tracks_[track].next).graph;
  if (graphs_[graph].launcher != kNone) {
    graphs_[graph].queue.push_back(track);
    return false;
  }
  start_graph(graph, track);
  return false;
}

void Walk::start_graph(std::uint32_t graph, TrackIndex launcher) {
  Graph& it = graphs_[graph];
  order::Node begin;
  engine_.graph_runs().record(launcher, order::OpInfo{}, begin);
  it.launcher = launcher;
  it.ends.resolved = true;
  it.ends.clock = begin.clock;
  const std::vector<TrackIndex>& tracks = trace_.graphs()[graph].tracks;
  it.running = static_cast<std::uint32_t>(tracks.size());
  for (const TrackIndex l : tracks) {
    const trace::Track& track = trace_.tracks()[l];
    tracks_[l].next = track.begin;
    tracks_[l].end = track.end;
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (Source* const own = source(op)) own->done = false;
    }
    engine_.graph_runs().wait(l, begin);
    make_ready(l);
  }
  if (tracks.empty()) {
    it.running = 1;
    graph_track_ended(graph);
  }
}

void Walk::track_ended(TrackIndex track) {
  const std::uint32_t graph = trace_.tracks()[track].graph;
  if (graph == kNone || graphs_[graph].launcher == kNone) return;
  order::Node end;
  engine_.graph_runs().record(track, order::OpInfo{}, end);
  graphs_[graph].ends.clock.join(end.clock);
  graph_track_ended(graph);
}

void Walk::graph_track_ended(std::uint32_t graph) {
  Graph& it = graphs_[graph];
  if (--it.running != 0) return;
  const TrackIndex launcher = std::exchange(it.launcher, kNone);
  engine_.graph_runs().wait(launcher, it.ends);
  perform(launcher, tracks_[launcher].next);
  finish(launcher);
  make_ready(launcher);
  if (it.queue.empty()) return;
  const TrackIndex next = it.queue.front();
  it.queue.pop_front();
  start_graph(graph, next);
}

}  // namespace check
