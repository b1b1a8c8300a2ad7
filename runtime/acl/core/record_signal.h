// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "device_sim/base/recycled.h"
#include "device_sim/streams/signal.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/core/stream_order.h"

namespace acl {

/// One record of an event: the signal that its task completes, and the position of the task. The
/// event keeps its latest record; a wait or a query keeps the record to which it refers. For an
/// event that is a flag, or shared between processes, it only stores the position of the latest
/// record.
///
/// Members that are not const are written before the event shows the record to other threads.
class RecordSignal final : public sim::Signal, public sim::Recycled<RecordSignal> {
 public:
  RecordSignal(sim::Stream& stream, std::uint64_t id) noexcept
      : Signal(&stream, id, Producer::kept), stream_(&stream) {}
  /// A record whose stream is not known yet: of a model's run, or the one that follows a reset.
  explicit RecordSignal(std::uint64_t id) noexcept : Signal(nullptr, id, Producer::kept) {}

  /// A record for which streams waited before it was called.
  void place_in(sim::Stream& stream) noexcept {
    set_producer(stream);
    stream_ = &stream;
  }
  void bind(sim::Stream& stream, std::uint64_t number_in_stream) noexcept {
    place_in(stream);
    sequence = number_in_stream;
    external = true;
  }
  sim::Stream& stream() const noexcept { return *stream_; }
  /// The task has left its stream, or was given up with it.
  bool over() const noexcept { return stream_->retired() >= sequence || stream_->abandoned(); }

  std::uint64_t sequence = 0;    // of the record task in that stream
  std::uint64_t number = 0;      // of an IPC event: its number among the records of all processes
  std::uint64_t generation = 0;  // its number among the records of this event, from 1
  bool external = false;         // by a model: over when the signal is done
  std::shared_ptr<StreamOrder::Past> past;  // the tasks before it; null: not kept

 private:
  sim::Stream* stream_ = nullptr;  // kept as the producer
};

}  // namespace acl
