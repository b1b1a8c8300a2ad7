// SPDX-License-Identifier: Apache-2.0
// What is blocked when nothing moves any more, and what nobody has waited for.
#include <fmt/format.h>

#include <algorithm>

#include "tools/check/walk.h"
#include "tools/replay/engine/deadlock.h"
#include "tools/replay/engine/engine.h"
#include "tools/replay/results/naming.h"

namespace check {

using order::Level;
using order::Rule;
using trace::kNone;
using trace::OpKind;

replay::BlockedLane Walk::blocked_lane_of(LaneIndex lane) const {
  const Lane& at = lanes_[lane];
  replay::BlockedLane blocked;
  blocked.lane = lane;
  blocked.op = at.next;
  if (at.arrived) {
    const Meeting& meeting = *const_cast<Meetings&>(meetings_).of(at.next);
    for (const OpIndex member : meeting.members) {
      const LaneIndex other = trace_.lane_of(member);
      if (lanes_[other].arrived && lanes_[other].next == member) continue;
      if (blocked.on == kNone) blocked.on = member;
      blocked.lanes.push_back(other);
    }
  } else if (at.on != kNone) {
    blocked.on = at.on;
    blocked.lanes = {trace_.lane_of(at.on)};
  } else if (trace_[at.next].kind == OpKind::launch) {
    const std::uint32_t graph = trace_.launch(at.next).graph;
    const LaneIndex launcher = graphs_[graph].launcher;
    blocked.lanes = launcher == lane ? trace_.graphs()[graph].lanes : std::vector{launcher};
  }
  return blocked;
}

std::vector<replay::BlockedLane> Walk::blocked_lanes() const {
  std::vector<replay::BlockedLane> found;
  std::vector<replay::BlockedLane> not_launched;
  for (LaneIndex l = 0; l < lanes_.size(); ++l) {
    const trace::Lane& lane = trace_.lanes()[l];
    if (lanes_[l].next < lanes_[l].end) {
      found.push_back(blocked_lane_of(l));
    } else if (lane.size() != 0 && lanes_[l].end < lane.end) {
      // Of a graph whose launch has not been reached.
      const OpIndex by = replay::first_launch(trace_, lane.graph);
      not_launched.push_back({l, lane.begin, by, {trace_.lane_of(by)}, ""});
    }
  }
  if (!found.empty()) found.insert(found.end(), not_launched.begin(), not_launched.end());
  return found;
}

namespace {

bool did_run(const trace::Trace& trace, OpIndex op) {
  return trace.start(op) != trace::kNoTime && trace[op].has(trace::kHasDuration);
}

/// "op 3 (...) waits for op 7 (...), which comes after op 6; op 6 (...) waits for ..."
std::string cycle_text(const trace::Trace& trace, const replay::Run& run,
                       const std::vector<std::size_t>& cycle) {
  constexpr std::size_t kShown = 4;
  std::string text = fmt::format("{} lanes form a cycle of waits: ", cycle.size());
  if (cycle.size() == 1) text = "a lane waits for itself: ";
  for (std::size_t i = 0; i < cycle.size() && i < kShown; ++i) {
    const replay::BlockedLane& blocked = run.blocked[cycle[i]];
    const replay::BlockedLane& next = run.blocked[cycle[(i + 1) % cycle.size()]];
    const std::string on = blocked.on == kNone
                               ? std::string("operations that come")
                               : fmt::format("{}, which comes", replay::op_name(trace, blocked.on));
    text += fmt::format("{}{} waits for {} after op {}", i == 0 ? "" : "; ",
                        replay::op_name(trace, blocked.op), on, trace.id(next.op));
  }
  if (cycle.size() > kShown) text += fmt::format("; and {} more", cycle.size() - kShown);
  return text;
}

}  // namespace

/// Nothing goes round: what it waits for never comes.
void Walk::tell_blocked(const replay::BlockedLane& blocked, std::size_t count) {
  auto* const made = findings_.add({Rule::no_producer, Level::warning, blocked.op, blocked.on});
  if (!made) return;
  made->text = fmt::format(
      "{{it}} is never satisfied; {} of {} lanes are blocked, and the "
      "operations after these points are not checked",
      count, lanes_.size());
}

/// A recording that ran through cannot have stood: then its edges are wrong, not the program.
void Walk::tell_deadlock() {
  replay::Run run;
  run.blocked = blocked_lanes();
  if (run.blocked.empty()) return;
  const replay::Deadlock found = replay::explain(run, lanes_.size());
  if (found.cycle.empty()) return tell_blocked(run.blocked.front(), run.blocked.size());
  bool guessed = false, ran = true, collectives = true;
  for (const std::size_t s : found.cycle) {
    const replay::BlockedLane& blocked = run.blocked[s];
    guessed = guessed || lanes_[blocked.lane].guessed;
    ran = ran && did_run(trace_, blocked.op);
    collectives = collectives && Meetings::collective(trace_[blocked.op].kind);
  }
  const replay::BlockedLane& first = run.blocked[found.cycle.front()];
  const Rule rule = ran           ? Rule::import_fault
                    : collectives ? Rule::collective_order
                                  : Rule::deadlock;
  const Level level = guessed ? Level::warning : order::info(rule).level;
  auto* const made = findings_.add({rule, level, first.op, first.on});
  if (!made) return;
  made->text = cycle_text(trace_, run, found.cycle);
  if (rule == Rule::deadlock && first.on != kNone) {
    made->repair = "break the cycle: enqueue {it} later, or {other} earlier";
  }
  if (ran) made->text += "; all of them did run, so one of these dependencies is wrong";
  if (guessed) made->text += "; a dependency of the cycle is inferred";
  made->text += fmt::format(
      "; {} of {} lanes are blocked, and the operations after these points "
      "are not checked",
      run.blocked.size(), lanes_.size());
}

bool Walk::known_to_host(LaneIndex lane) const {
  const trace::Lane& it = trace_.lanes()[lane];
  const std::uint32_t index = source_of_[it.end - 1];
  if (index == kNone) return false;
  const order::Epoch last{lane, sources_[index].count};
  const auto hosts = trace_.hosts();
  return std::any_of(hosts.begin(), hosts.end(), [&](LaneIndex host) {
    return trace_.lanes()[host].rank == it.rank && engine_.covers(host, last);
  });
}

/// Only where the trace has synchronises at all.
void Walk::tell_unsynchronized() {
  std::vector<bool> synchronizes(trace_.ranks().size());
  for (const LaneIndex host : trace_.hosts()) {
    const trace::Lane& lane = trace_.lanes()[host];
    for (OpIndex op = lane.begin; op < lane.end; ++op) {
      if (trace_[op].kind == OpKind::sync) synchronizes[lane.rank] = true;
    }
  }
  for (LaneIndex l = 0; l < lanes_.size(); ++l) {
    const trace::Lane& lane = trace_.lanes()[l];
    const bool own = lane.kind == trace::LaneKind::stream && lane.graph == kNone &&
                     lane.plane_of == kNone && lane.size() != 0;
    if (!own || !synchronizes[lane.rank] || lanes_[l].next < lanes_[l].end) continue;
    if (replay::annotates(trace_[lane.end - 1].kind) || known_to_host(l)) continue;
    auto* const made = findings_.add({Rule::unsynchronized_end, Level::note, lane.end - 1});
    if (made) made->text = "no host thread synchronises with the stream after {it}";
  }
}

}  // namespace check
