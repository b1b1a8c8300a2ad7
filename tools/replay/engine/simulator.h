// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tools/replay/engine/cost.h"
#include "tools/replay/engine/execution.h"
#include "tools/replay/engine/fabric.h"
#include "tools/replay/engine/host_times.h"
#include "tools/replay/engine/options.h"
#include "tools/replay/engine/rendezvous.h"
#include "tools/trace/trace.h"

namespace replay {

/// Runs a trace in virtual time.
///
/// Each track is a cursor. It runs ahead of the others as long as its ops depend only on known ends
/// (kernels, records, waits: their order is bound at issue, so the order in which tracks are
/// visited does not matter). An op that depends on the order of arrival (a link, a counter, a word
/// of memory, a graph) waits for its turn in one heap, ordered by (time, device, stream). A track
/// has at most one entry there, so the heap never exceeds the number of tracks.
class Simulator {
 public:
  Simulator(const trace::Trace& trace, const Topology& topology, const Options& options);
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  Execution run();

 private:
  enum class Phase : std::uint8_t { issue, edges, ready };
  struct alignas(64) Track {
    Nanoseconds reach = 0;  // when the next op can begin, as far as is known
    OpIndex next = 0;
    OpIndex end = 0;
    OpIndex cause = trace::kNone;           // of `reach`
    TrackIndex next_waiter = trace::kNone;  // the next track that waits for the same
    OpIndex on = trace::kNone;              // the op that it waits for
    std::uint32_t edge = 0;                 // the next of several to look at
    Phase phase = Phase::issue;
    bool turn = false;      // its turn has come
    bool arrived = false;   // at its rendezvous
    Nanoseconds until = 0;  // sync, join: the last end seen so far
    OpIndex until_cause = trace::kNone;
  };
  struct Entry {  // of the heap
    Nanoseconds time;
    std::uint32_t order;  // of the track by (rank, device, stream)
    TrackIndex track;
    bool operator>(const Entry& other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };
  /// A counting notify, or a word of memory.
  struct SharedWord {
    std::uint64_t value = 0;
    OpIndex last = trace::kNone;
    std::deque<TrackIndex> waiters;
  };
  struct GraphState {
    std::uint32_t running = 0;  // tracks that have not ended
    Nanoseconds latest = 0;
    OpIndex last = trace::kNone;
    TrackIndex launcher = trace::kNone;
    std::deque<TrackIndex> queue;
  };

  // ---- the loop ----
  void order_tracks();
  void find_shared_words();
  void loop();
  bool stop_asked(Nanoseconds now);
  void advance(TrackIndex track);
  bool arrive(TrackIndex track, Track& at);
  bool pass_issue(TrackIndex track, Track& at);
  bool pass_edges(TrackIndex track, Track& at);
  Nanoseconds gap(TrackIndex track, OpIndex op) const;
  /// `depth`, `steps`: the limits of the search behind untimed ops.
  Nanoseconds recorded_end(TrackIndex track, OpIndex op, int depth, int& steps) const;
  bool perform(TrackIndex track, Track& at);
  void finish(TrackIndex track, Nanoseconds start, Nanoseconds end, OpIndex cause);
  void release(Nanoseconds waiters);
  bool block(TrackIndex track, Track& at, OpIndex on);
  bool own_turn(TrackIndex track, Track& at, Nanoseconds time);

  // ---- what ops do; false: the track is blocked ----
  bool occupy(TrackIndex track, Track& at);
  bool wait_for(TrackIndex track, Track& at, OpIndex partner);
  bool join(TrackIndex track, Track& at);
  bool wait_outside(TrackIndex track, Track& at);
  bool event_wait(TrackIndex track, Track& at);
  bool notify(TrackIndex track, Track& at);
  bool notify_wait(TrackIndex track, Track& at);
  bool value_write(TrackIndex track, Track& at);
  bool value_wait(TrackIndex track, Track& at);
  bool satisfied(SharedWord& shared, OpIndex op) const;
  bool shared_word_wait(TrackIndex track, Track& at, std::uint32_t object);
  void serve(SharedWord& shared, Nanoseconds now, OpIndex cause);
  bool transfer(TrackIndex track, Track& at, Nanoseconds from, OpIndex cause);
  void complete(TrackIndex track, OpIndex op, Nanoseconds start, Nanoseconds end, OpIndex cause);
  void end_flows();
  struct OnHops {  // of a group and a kind of collective
    std::vector<Load> loads;
    Nanoseconds lat = 0;
    std::vector<Fabric::Link*> links{};
  };
  const OnHops& on_hops(OpIndex op);
  bool exchange(TrackIndex track, Track& at, Rendezvous& rendezvous, const OnHops& hops);
  Rendezvous* rendezvous_of(OpIndex op);
  bool send(TrackIndex track, Track& at);
  bool receive(TrackIndex track, Track& at);
  bool meet(TrackIndex track, Track& at, Rendezvous& rendezvous);
  bool sync(TrackIndex track, Track& at);
  Nanoseconds sync_overhead(OpIndex op, OpIndex target) const;
  bool launch(TrackIndex track, Track& at);
  void start_graph(std::uint32_t graph, TrackIndex launcher);
  void graph_track_ended(TrackIndex track);

  // ---- after it ----
  void close();
  void find_blocked();
  BlockedTrack blocked_track_of(TrackIndex track) const;
  void describe_rendezvous(const Rendezvous& rendezvous, BlockedTrack& blocked) const;
  void describe_shared_word(BlockedTrack& blocked, std::uint32_t object) const;

  const trace::Trace& trace_;
  const Options& options_;
  Cost cost_;
  Nanoseconds origin_ = 0;
  HostTimes hosts_;
  RendezvousTable rendezvous_;
  Fabric fabric_;
  bool gaps_;
  bool launches_;  // by the model
  bool contended_;

  Execution run_;
  std::vector<Track> tracks_;
  std::vector<std::uint32_t> order_;
  std::vector<TrackIndex> ready_;
  std::vector<Entry> heap_;
  std::vector<GraphState> graphs_;
  std::map<std::pair<std::uint32_t, trace::Collective>, OnHops> on_hops_;
  std::unordered_map<std::uint32_t, SharedWord> shared_words_;  // by object
};

/// Runs it once.
Execution run_virtual(const trace::Trace& trace, const Topology& topology, const Options& options);

/// Marks and ranges: they annotate work.
constexpr bool annotates(trace::OpKind kind) {
  return kind == trace::OpKind::mark || kind == trace::OpKind::range_begin ||
         kind == trace::OpKind::range_end;
}

/// The earliest recorded issue or start of work on a stream; 0: none was recorded.
Nanoseconds recorded_origin(const trace::Trace& trace);

}  // namespace replay
