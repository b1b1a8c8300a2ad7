// SPDX-License-Identifier: Apache-2.0
// Findings at the end of the trace: tracks that are blocked, and ops without a later wait.
#include <fmt/format.h>

#include <algorithm>

#include "tools/check/walk.h"
#include "tools/replay/engine/deadlock.h"
#include "tools/replay/engine/simulator.h"
#include "tools/replay/results/naming.h"

namespace check {

using order::Level;
using order::Rule;
using trace::kNone;
using trace::OpKind;

replay::BlockedTrack Walk::blocked_track_of(TrackIndex track) const {
  const Track& at = tracks_[track];
  replay::BlockedTrack blocked;
  blocked.track = track;
  blocked.op = at.next;
  if (at.arrived) {
    const Rendezvous& rendezvous = *const_cast<RendezvousTable&>(rendezvous_).of(at.next);
    for (const OpIndex member : rendezvous.members) {
      const TrackIndex other = trace_.track_of(member);
      if (tracks_[other].arrived && tracks_[other].next == member) continue;
      if (blocked.on == kNone) blocked.on = member;
      blocked.tracks.push_back(other);
    }
  } else if (at.on != kNone) {
    blocked.on = at.on;
    blocked.tracks = {trace_.track_of(at.on)};
  } else if (trace_[at.next].kind == OpKind::launch) {
    const std::uint32_t graph = trace_.launch(at.next).graph;
    const TrackIndex launcher = graphs_[graph].launcher;
    blocked.tracks = launcher == track ? trace_.graphs()[graph].tracks : std::vector{launcher};
  }
  return blocked;
}

std::vector<replay::BlockedTrack> Walk::blocked_tracks() const {
  std::vector<replay::BlockedTrack> found;
  std::vector<replay::BlockedTrack> not_launched;
  for (TrackIndex l = 0; l < tracks_.size(); ++l) {
    const trace::Track& track = trace_.tracks()[l];
    if (tracks_[l].next < tracks_[l].end) {
      found.push_back(blocked_track_of(l));
    } else if (track.size() != 0 && tracks_[l].end < track.end) {
      // The track belongs to a graph whose launch has not been reached.
      const OpIndex by = replay::first_launch(trace_, track.graph);
      not_launched.push_back({l, track.begin, by, {trace_.track_of(by)}, ""});
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
std::string cycle_text(const trace::Trace& trace, const replay::Execution& run,
                       const std::vector<std::size_t>& cycle) {
  constexpr std::size_t kShown = 4;
  std::string text = fmt::format("{} tracks form a cycle of waits: ", cycle.size());
  if (cycle.size() == 1) text = "a track waits for itself: ";
  for (std::size_t i = 0; i < cycle.size() && i < kShown; ++i) {
    const replay::BlockedTrack& blocked = run.blocked[cycle[i]];
    const replay::BlockedTrack& next = run.blocked[cycle[(i + 1) % cycle.size()]];
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

/// Without a cycle: the op that it waits for never comes.
void Walk::tell_blocked(const replay::BlockedTrack& blocked, std::size_t count) {
  auto* const made = findings_.add({Rule::no_producer, Level::warning, blocked.op, blocked.on});
  if (!made) return;
  made->text = fmt::format(
      "{{it}} is never satisfied; {} of {} tracks are blocked, and the "
      "operations after these points are not checked",
      count, tracks_.size());
}

/// A complete recording cannot have been blocked: then its edges are wrong, not the program.
void Walk::tell_deadlock() {
  replay::Execution run;
  run.blocked = blocked_tracks();
  if (run.blocked.empty()) return;
  const replay::Deadlock found = replay::explain(run, tracks_.size());
  if (found.cycle.empty()) return tell_blocked(run.blocked.front(), run.blocked.size());
  bool guessed = false, ran = true, collectives = true;
  for (const std::size_t s : found.cycle) {
    const replay::BlockedTrack& blocked = run.blocked[s];
    guessed = guessed || tracks_[blocked.track].guessed;
    ran = ran && did_run(trace_, blocked.op);
    collectives = collectives && RendezvousTable::collective(trace_[blocked.op].kind);
  }
  const replay::BlockedTrack& first = run.blocked[found.cycle.front()];
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
      "; {} of {} tracks are blocked, and the operations after these points "
      "are not checked",
      run.blocked.size(), tracks_.size());
}

bool Walk::known_to_host(TrackIndex track) const {
  const trace::Track& it = trace_.tracks()[track];
  const std::uint32_t index = source_of_[it.end - 1];
  if (index == kNone) return false;
  const order::Epoch last{track, sources_[index].count};
  const auto hosts = trace_.hosts();
  return std::any_of(hosts.begin(), hosts.end(), [&](TrackIndex host) {
    return trace_.tracks()[host].rank == it.rank && engine_.covers(host, last);
  });
}

/// Only if the trace has synchronise calls at all.
void Walk::tell_unsynchronized() {
  std::vector<bool> synchronizes(trace_.ranks().size());
  for (const TrackIndex host : trace_.hosts()) {
    const trace::Track& track = trace_.tracks()[host];
    for (OpIndex op = track.begin; op < track.end; ++op) {
      if (trace_[op].kind == OpKind::sync) synchronizes[track.rank] = true;
    }
  }
  for (TrackIndex l = 0; l < tracks_.size(); ++l) {
    const trace::Track& track = trace_.tracks()[l];
    const bool own = track.kind == trace::TrackKind::stream && track.graph == kNone &&
                     track.plane_of == kNone && track.size() != 0;
    if (!own || !synchronizes[track.rank] || tracks_[l].next < tracks_[l].end) continue;
    if (replay::annotates(trace_[track.end - 1].kind) || known_to_host(l)) continue;
    auto* const made = findings_.add({Rule::unsynchronized_end, Level::note, track.end - 1});
    if (made) made->text = "no host thread synchronises with the stream after {it}";
  }
}

}  // namespace check
