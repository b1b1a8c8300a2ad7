// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>

#include "device_sim/base/clock.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/record/recorded_hosts.h"
#include "runtime/trace/op_lines.h"

namespace acl {

class Runtime;

/// Streams: their definitions, and the numbers of their ops. Callers hold the recorder's lock.
class RecordedStreams {
 public:
  struct Track {               // of a stream, by its id
    std::uint64_t last = 0;    // op that was called for; 0: none
    std::uint64_t after = 0;   // the op that the next one depends on besides; 0: none
    std::uint64_t branch = 0;  // the last op when its branch began
    sim::Nanoseconds end = 0;
  };
  struct Queue {  // ops of a stream of the machine that have not left it
    std::deque<std::uint64_t> pending;
    std::uint64_t in_graph = 0;  // the op of a graph that runs, or the join of an inner one
    bool begun = false;          // the first of `pending` has begun
    std::string steps{};         // of the first of `pending`, as JSON
  };

  RecordedStreams(const Runtime& runtime, trace_output::OpLines& lines, RecordedHosts& hosts)
      : runtime_(runtime), lines_(lines), hosts_(hosts) {}

  /// The track of a stream, which is defined at its first use.
  Track& track(const sim::Stream& stream, bool is_default = false);
  /// Whether the stream has a track.
  bool known(const sim::Stream& stream) const { return tracks_.contains(stream.id()); }
  /// Adds an op that the calling thread enqueues, and returns its number. `over`: nothing more will
  /// become known.
  std::uint64_t add(const sim::Stream& stream, std::string_view op, std::string_view members,
                    bool over = false);

  Queue& queue(const sim::Stream& stream) { return queues_[&stream]; }
  /// Null if the stream has no ops in it.
  Queue* find_queue(const sim::Stream& stream);
  void erase_queue(const sim::Stream& stream) { queues_.erase(&stream); }

 private:
  const Runtime& runtime_;
  trace_output::OpLines& lines_;
  RecordedHosts& hosts_;
  std::unordered_map<std::uint32_t, Track> tracks_;
  std::unordered_map<const sim::Stream*, Queue> queues_;
};

}  // namespace acl
