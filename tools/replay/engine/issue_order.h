// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "tools/replay/engine/execution.h"
#include "tools/replay/engine/rendezvous.h"

namespace replay {

/// Receives the ops of a trace in an order in which one host thread can issue them.
class IssueSink {
 public:
  virtual ~IssueSink() = default;
  virtual void issue(OpIndex op) = 0;
  /// A member has reached its rendezvous; its track issues nothing more before meet().
  virtual void arrive(OpIndex op) = 0;
  virtual void meet(std::span<const OpIndex> members) = 0;
  /// Called before and after the ops of a graph that `op` launches.
  virtual void begin_graph(OpIndex op) = 0;
  virtual void end_graph(OpIndex op) = 0;
  virtual bool stopped() = 0;
};

/// Goes through a trace in the order of the ends of a complete virtual run. So a wait is issued
/// after the op that it waits for, and a synchronisation of the host after all ops that it needs.
class IssueOrder {
 public:
  IssueOrder(const trace::Trace& trace, const Execution& run, RendezvousTable& rendezvous_table);
  void go(IssueSink& sink);

 private:
  struct Entry {
    Nanoseconds time;
    TrackIndex track;
    bool operator>(const Entry& other) const {
      return time != other.time ? time > other.time : track > other.track;
    }
  };
  void go(IssueSink& sink, std::vector<TrackIndex> tracks);
  OpIndex missing(OpIndex op) const;
  void push(TrackIndex track);
  void pass(TrackIndex track);
  void arrive(IssueSink& sink, TrackIndex track, Rendezvous& rendezvous);

  const trace::Trace& trace_;
  const Execution& run_;
  RendezvousTable& rendezvous_;
  std::vector<OpIndex> next_;  // by track
  std::vector<Entry> heap_;
  int depth_ = 0;  // of graphs
  std::unordered_map<OpIndex, std::vector<TrackIndex>> parked_;
  std::unordered_map<const Rendezvous*, std::vector<TrackIndex>> met_;
};

}  // namespace replay
