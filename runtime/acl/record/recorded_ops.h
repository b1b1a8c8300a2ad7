// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "device_sim/base/clock.h"
#include "device_sim/streams/op.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/record/op_texts.h"
#include "runtime/acl/record/recorded_callbacks.h"
#include "runtime/acl/record/recorded_events.h"
#include "runtime/acl/record/recorded_graphs.h"
#include "runtime/acl/record/recorded_kernels.h"
#include "runtime/acl/record/recorded_streams.h"
#include "runtime/acl/watch/task_facts.h"
#include "runtime/trace/op_lines.h"

namespace acl {

/// Ops of streams and of graphs that run, from their enqueueing to their end. Callers hold the
/// recorder's lock.
class RecordedOps {
 public:
  RecordedOps(trace_output::OpLines& lines, RecordedStreams& streams, OpTexts& texts,
              RecordedEvents& events, RecordedKernels& kernels, RecordedGraphs& graphs,
              RecordedCallbacks& callbacks)
      : lines_(lines),
        streams_(streams),
        texts_(texts),
        events_(events),
        kernels_(kernels),
        graphs_(graphs),
        callbacks_(callbacks) {}

  void enqueueing(const sim::Stream& stream, const sim::Op& op, const TaskFacts& facts,
                  std::uint64_t site);
  void started(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds now);
  void step_ended(const sim::Stream& stream, const sim::OpStep& step);
  void finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                sim::Nanoseconds start, sim::Nanoseconds end);

 private:
  void begin_in_graph(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds now);
  void end_in_graph(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds start,
                    sim::Nanoseconds end, const std::string& failure);
  void end_external_wait(const sim::Stream& stream, const TaskFacts& facts, sim::Nanoseconds start,
                         sim::Nanoseconds end, const std::string& failure);
  std::string dependency_on_launch(const sim::Stream& stream);
  void note_begun(const sim::Op& op, std::uint64_t number);

  trace_output::OpLines& lines_;
  RecordedStreams& streams_;
  OpTexts& texts_;
  RecordedEvents& events_;
  RecordedKernels& kernels_;
  RecordedGraphs& graphs_;
  RecordedCallbacks& callbacks_;
};

}  // namespace acl
