// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/order/engine/engine.h"
#include "tools/check/check.h"
#include "tools/check/findings.h"
#include "tools/check/functions.h"
#include "tools/check/host_order.h"
#include "tools/check/memory.h"
#include "tools/check/needs.h"
#include "tools/check/outside.h"
#include "tools/check/rendezvous.h"
#include "tools/replay/engine/execution.h"
#include "tools/trace/trace.h"

namespace check {

/// Takes the ops of a trace into the order engine, each ordered after all that it waits for. Each
/// track is a cursor; a track that waits for an op is in the list of that op. A track that is still
/// blocked at the end can never go on.
class Walk {
 public:
  /// `outside` and `flags` outlive the walk.
  Walk(const trace::Trace& trace, const Options& options, const Outside& outside,
       const Flags& flags, Findings& findings);
  void run();
  /// Pairs of accesses that another process may order, which are not findings.
  std::size_t withheld() const { return withheld_; }

 private:
  struct Track {
    OpIndex next = 0;
    OpIndex end = 0;
    std::uint32_t range = 0;                // the first of `next`, or one before it
    TrackIndex next_waiter = trace::kNone;  // the next track that waits for the same op
    OpIndex on = trace::kNone;              // the op that it waits for
    Need::Why why = Need::Why::edge;
    bool arrived = false;      // at its rendezvous
    bool in_function = false;  // waits for the end of the function that its op called
    bool guessed = false;      // has passed a wait whose record is inferred
  };
  /// An op that others wait for.
  struct Source {
    order::Node* node = nullptr;  // the clock at its end, while a later op needs it
    TrackIndex track = trace::kNone;
    std::uint32_t count = 0;  // of the track, at its end
    std::uint32_t uses = 0;   // still to come
    TrackIndex waiters = trace::kNone;
    bool done = false;
  };
  struct Graph {
    TrackIndex launcher = trace::kNone;
    std::uint32_t running = 0;
    order::Node ends;
    std::deque<TrackIndex> queue;
    bool launched = false;  // somewhere in the trace
  };
  /// An event that several tracks record; sorted by generation.
  struct MovingEvent {
    struct Use {
      std::uint32_t generation;
      OpIndex op;
      bool operator<(const Use& other) const { return generation < other.generation; }
    };
    std::vector<Use> records, waits;
  };

  /// A function that a host thread runs.
  struct Called {
    bool begun = false;
    order::Node before;                // what the function is ordered after
    TrackIndex waiter = trace::kNone;  // the thread that comes to its beginning too early
  };

  // ---- before ----
  void find_sources();
  void set_out();
  void find_moving_events();
  Source& new_source(OpIndex op);
  Source* source(OpIndex op) {
    return source_of_[op] == trace::kNone ? nullptr : &sources_[source_of_[op]];
  }

  // ---- the walk ----
  std::uint32_t line_of(TrackIndex track) const;
  void make_ready(TrackIndex track);
  TrackIndex take_ready();
  void advance(TrackIndex track);
  bool step(TrackIndex track);
  bool must_wait(TrackIndex track, std::span<const Need> needs);
  void join(TrackIndex track, std::span<const Need> needs);
  bool take_in(TrackIndex track, const Need& need);
  void perform(TrackIndex track, OpIndex op);
  void finish(TrackIndex track);
  void give_back(Source& source);
  order::Node* new_node();
  bool arrive(TrackIndex track, Rendezvous& rendezvous);
  bool launch(TrackIndex track);
  // walk_functions.cpp
  bool call(TrackIndex track, OpIndex op, const Functions::Row& row);
  bool enter(TrackIndex track, OpIndex call);
  void start_graph(std::uint32_t graph, TrackIndex launcher);
  void track_ended(TrackIndex track);
  void graph_track_ended(std::uint32_t graph);

  // ---- what the ops do ----
  void touch(TrackIndex track, OpIndex op);
  void look_at(TrackIndex track, OpIndex op, const trace::Range& range,
               const order::Access& access);
  bool reads_content(OpIndex op, const trace::Range& range) const;
  /// A read of bytes that no op has written so far.
  struct Unwritten {
    trace::Range range;
    order::Access access;
  };
  void unwritten(OpIndex op, const Unwritten& read);
  void drop_explained(OpIndex op, const order::Access& race);
  void tell_unwritten(OpIndex op, const trace::Range& range);
  void freed_while_enqueued(OpIndex op, OpIndex free, std::uint32_t buffer);
  void use_after_free(TrackIndex track, OpIndex op, std::uint32_t buffer);
  void memory_op(TrackIndex track, OpIndex op);
  void event_op(TrackIndex track, OpIndex op);
  void record_again(TrackIndex track, OpIndex op, const MovingEvent& event);
  /// Two accesses without order between them, as the engine found them.
  struct Conflict {
    Findings::About about;
    order::Epoch when, other_when;
    std::string text;
    order::Access where;
    // The later one, or the earlier one, comes after an op that other processes let pass.
    bool after_outside = false, other_after_outside = false;
  };
  void conflict(const order::Finding& finding);
  void tell(const Conflict& conflict);
  void tell_deferred();
  void record_outside(TrackIndex track);
  bool is_after_outside(TrackIndex track) const;
  bool was_after_outside(order::Epoch when) const;
  bool outside_may_order(const Conflict& found) const;
  bool some_thread_knew(OpIndex op, order::Epoch earlier);
  void redundant(OpIndex op, const Need& need);
  bool ended_before(OpIndex op, OpIndex call) const;
  void destroyed_in_use(OpIndex op, OpIndex last);
  order::OpInfo op_info(TrackIndex track, OpIndex op) const;
  std::vector<replay::BlockedTrack> blocked_tracks() const;
  replay::BlockedTrack blocked_track_of(TrackIndex track) const;
  void tell_deadlock();
  void tell_blocked(const replay::BlockedTrack& blocked, std::size_t count);
  void tell_unsynchronized();
  bool known_to_host(TrackIndex track) const;

  const trace::Trace& trace_;
  Findings& findings_;
  const Functions functions_;
  std::unordered_map<OpIndex, Called> called_;  // by the op that calls
  HostOrder hosts_;
  Needs needs_;
  RendezvousTable rendezvous_;
  Memory memory_;
  order::Engine engine_;
  std::vector<Track> tracks_;
  std::vector<std::uint32_t> source_of_;  // by op
  std::vector<Source> sources_;
  std::deque<order::Node> nodes_;
  std::vector<order::Node*> unused_;
  std::vector<Graph> graphs_;
  bool keep_ = false;  // graphs run again: who waits for an op cannot be counted ahead
  std::unordered_map<std::uint32_t, MovingEvent> moving_;  // by object
  std::unordered_map<OpIndex, order::Epoch> moved_waits_;  // when they were over
  const bool by_line_;
  std::deque<TrackIndex> ready_;
  using LineOfTrack = std::pair<std::uint32_t, TrackIndex>;
  std::priority_queue<LineOfTrack, std::vector<LineOfTrack>, std::greater<>> ready_by_line_;
  std::vector<Conflict> deferred_;
  const Outside& outside_;
  std::size_t withheld_ = 0;
  std::unordered_map<TrackIndex, order::Epoch> first_outside_waits_;
  std::unordered_map<TrackIndex, order::Node> last_outside_records_;
  std::multimap<OpIndex, Unwritten> unwritten_;  // by the op that reads
  std::vector<order::Access> accesses_;          // of one op; kept for its room
};

}  // namespace check
