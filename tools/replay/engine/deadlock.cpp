// SPDX-License-Identifier: Apache-2.0
#include "tools/replay/engine/deadlock.h"

#include <fmt/format.h>

#include <deque>

#include "tools/replay/engine/simulator.h"
#include "tools/replay/results/naming.h"

namespace replay {

using trace::kNone;
using trace::OpKind;

// ---- which tracks are blocked, and by whom ----

OpIndex first_launch(const trace::Trace& trace, std::uint32_t graph) {
  for (OpIndex op = 0; op < trace.size(); ++op) {
    const bool launches = trace[op].kind == OpKind::launch && trace[op].use != kNone;
    if (launches && trace.launch(op).graph == graph) return op;
  }
  return kNone;
}

void Simulator::find_blocked() {
  std::vector<BlockedTrack> not_launched;
  for (TrackIndex l = 0; l < tracks_.size(); ++l) {
    if (tracks_[l].next >= tracks_[l].end) continue;
    const std::uint32_t graph = trace_.tracks()[l].graph;
    if (graph == kNone || graphs_[graph].launcher != kNone) {
      run_.blocked.push_back(blocked_track_of(l));
    } else if (const OpIndex by = first_launch(trace_, graph); by != kNone) {
      not_launched.push_back({l,
                              tracks_[l].next,
                              by,
                              {trace_.track_of(by)},
                              fmt::format("runs only when launched by {}", op_name(trace_, by))});
    }
  }
  if (run_.blocked.empty()) return;
  run_.blocked.insert(run_.blocked.end(), not_launched.begin(), not_launched.end());
}

BlockedTrack Simulator::blocked_track_of(TrackIndex track) const {
  const Track& at = tracks_[track];
  BlockedTrack blocked{track, at.next, at.on, {}, "waits for what the trace does not hold"};
  const trace::Op& it = trace_[at.next];
  if (at.on != kNone) {
    blocked.tracks = {trace_.track_of(at.on)};
    const char* const how = at.phase == Phase::issue   ? "is issued only after"
                            : at.phase == Phase::edges ? "depends on"
                                                       : "waits for";
    blocked.reason = fmt::format("{} {}", how, op_name(trace_, at.on));
    return blocked;
  }
  if (at.arrived) {
    describe_rendezvous(*const_cast<RendezvousTable&>(rendezvous_).of(at.next), blocked);
  } else if (it.kind == OpKind::launch) {
    const std::uint32_t graph = trace_.launch(at.next).graph;
    blocked.tracks = trace_.graphs()[graph].tracks;
    blocked.reason = fmt::format("waits for the end of graph {}", trace_.graphs()[graph].id);
  } else if (it.kind == OpKind::wait && it.use != kNone) {
    blocked.reason = fmt::format("waits for a record of {} that the trace does not hold",
                                 object_name(trace_, trace_.sync(at.next).object));
  } else if (it.kind == OpKind::notify_wait && it.use != kNone) {
    describe_shared_word(blocked, trace_.sync(at.next).object);
  } else if (it.kind == OpKind::value_wait && it.use != kNone) {
    describe_shared_word(blocked, trace_.value(at.next).object);
  } else if (it.kind == OpKind::recv) {
    blocked.reason = "waits for a send that the trace does not hold";
  }
  return blocked;
}

void Simulator::describe_rendezvous(const Rendezvous& rendezvous, BlockedTrack& blocked) const {
  std::string missing;
  for (const OpIndex op : rendezvous.members) {
    const TrackIndex track = trace_.track_of(op);
    if (tracks_[track].arrived && tracks_[track].next == op) continue;
    if (blocked.on == kNone) blocked.on = op;
    blocked.tracks.push_back(track);
    if (blocked.tracks.size() <= 3) {
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", op_name(trace_, op));
    }
  }
  if (blocked.tracks.size() > 3) missing += fmt::format(", and {} more", blocked.tracks.size() - 3);
  for (const std::uint32_t rank : rendezvous.absent) {
    missing += fmt::format("{}rank {}, which never comes", missing.empty() ? "" : ", ",
                           trace_.ranks()[rank].id);
  }
  if (missing.empty()) missing = "a receive that the trace does not hold";
  blocked.reason = fmt::format("waits to meet {}", missing);
}

/// The tracks that still have an op which changes the shared word.
void Simulator::describe_shared_word(BlockedTrack& blocked, std::uint32_t object) const {
  for (TrackIndex l = 0; l < tracks_.size(); ++l) {
    for (OpIndex op = tracks_[l].next; op < tracks_[l].end; ++op) {
      const trace::Op& it = trace_[op];
      if (it.use == kNone) continue;
      const bool helps = (it.kind == OpKind::notify && trace_.sync(op).object == object) ||
                         (it.kind == OpKind::value_write && trace_.value(op).object == object);
      if (!helps) continue;
      if (blocked.on == kNone) blocked.on = op;
      blocked.tracks.push_back(l);
      break;
    }
  }
  blocked.reason =
      blocked.on == kNone
          ? fmt::format("waits for {}, which nobody sets any more", object_name(trace_, object))
          : fmt::format("waits for {}, which only {} could set", object_name(trace_, object),
                        op_name(trace_, blocked.on));
}

// ---- the shortest cycle ----

namespace {

/// The index in Execution::blocked of each track; kNone: the track is not blocked.
std::vector<std::uint32_t> by_track(const Execution& run, std::size_t tracks) {
  std::vector<std::uint32_t> found(tracks, kNone);
  for (std::uint32_t s = 0; s < run.blocked.size(); ++s) found[run.blocked[s].track] = s;
  return found;
}

/// The shortest way from a blocked track back to itself, if it is shorter than `limit`.
std::vector<std::size_t> cycle_from(std::size_t first, std::size_t limit, const Execution& run,
                                    const std::vector<std::uint32_t>& index_of) {
  std::vector<std::uint32_t> before(run.blocked.size(), kNone);
  std::vector<std::uint32_t> depth(run.blocked.size(), 0);
  std::deque<std::size_t> queue{first};
  while (!queue.empty()) {
    const std::size_t from = queue.front();
    queue.pop_front();
    if (depth[from] + 1 >= limit) return {};
    for (const TrackIndex track : run.blocked[from].tracks) {
      const std::uint32_t to = index_of[track];
      if (to == kNone) continue;
      if (to == first) {
        std::vector<std::size_t> cycle{from};
        for (std::size_t at = from; at != first;) cycle.insert(cycle.begin(), at = before[at]);
        return cycle;
      }
      if (before[to] != kNone) continue;
      before[to] = static_cast<std::uint32_t>(from);
      depth[to] = depth[from] + 1;
      queue.push_back(to);
    }
  }
  return {};
}

}  // namespace

Deadlock explain(const Execution& run, std::size_t tracks) {
  Deadlock found;
  const std::vector<std::uint32_t> index_of = by_track(run, tracks);
  std::size_t limit = SIZE_MAX;
  for (std::size_t s = 0; s < run.blocked.size() && limit > 2; ++s) {
    std::vector<std::size_t> cycle = cycle_from(s, limit, run, index_of);
    if (cycle.empty()) continue;
    limit = cycle.size();
    found.cycle = std::move(cycle);
    if (limit == 1) break;
  }
  for (std::size_t s = 0; s < run.blocked.size(); ++s) {
    bool helped = false;
    for (const TrackIndex track : run.blocked[s].tracks)
      helped = helped || index_of[track] != kNone;
    if (!helped) found.orphans.push_back(s);
  }
  return found;
}

std::string to_text(const Deadlock& deadlock, const Execution& run, const trace::Trace& trace) {
  const auto line = [&](std::size_t s) {
    const BlockedTrack& blocked = run.blocked[s];
    return fmt::format("  {} {}\n", op_name(trace, blocked.op), blocked.reason);
  };
  std::string text = fmt::format("deadlock: {} of {} tracks are blocked\n", run.blocked.size(),
                                 trace.tracks().size());
  if (!deadlock.cycle.empty()) {
    text += fmt::format("the shortest cycle has {}:\n", deadlock.cycle.size());
    for (const std::size_t s : deadlock.cycle) text += line(s);
  }
  constexpr std::size_t kShown = 8;
  if (!deadlock.orphans.empty()) {
    text += "operations that no track will perform:\n";
    for (std::size_t i = 0; i < deadlock.orphans.size() && i < kShown; ++i) {
      text += line(deadlock.orphans[i]);
    }
    if (deadlock.orphans.size() > kShown) {
      text += fmt::format("  and {} more\n", deadlock.orphans.size() - kShown);
    }
  }
  return text;
}

}  // namespace replay
