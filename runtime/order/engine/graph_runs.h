// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/order/engine/accesses.h"
#include "runtime/order/engine/clocks.h"
#include "runtime/order/engine/graph_op.h"
#include "runtime/order/engine/host_threads.h"
#include "runtime/order/engine/item_queues.h"
#include "runtime/order/engine/stream_items.h"

namespace order {

/// Runs of graphs. The machine executes the tasks of a run in streams of its own, and reports each
/// task when it happens.
class GraphRuns {
 public:
  GraphRuns(Clocks& clocks, ItemQueues& queues, HostThreads& hosts, Accesses& accesses,
            StreamItems& items, Launches& launches)
      : clocks_(clocks),
        queues_(queues),
        hosts_(hosts),
        accesses_(accesses),
        items_(items),
        last_launches_(launches) {}

  void begins(CompletionId launch, Actor stream);
  void ends(CompletionId launch, Actor stream);
  /// The same for a run that a task of another run starts and waits for, in the stream `outer`.
  /// `before`: the clock of that stream when the inner run began.
  void inner_begins(Actor outer, const VectorClock& before, Actor stream);
  void inner_ends(Actor outer, Actor stream);
  /// A task of the same run started the stream; `before`: the clock of the task.
  void activated(Actor stream, const VectorClock& before) { clocks_[stream].clock.join(before); }
  void op(Actor stream, OpInfo op_info, std::span<const Access> accesses);
  /// The same for ops that follow each other.
  void ops(Actor stream, std::span<GraphOp> ops);
  void record(Actor stream, const OpInfo& op_info, Node& node);
  void wait(Actor stream, const Node& node);
  void change(Actor stream, const OpInfo& op_info, Variable& variable,
              const Variable::Update& update, bool adds);
  void wait_for(Actor stream, Variable& variable, const Variable::Test& test, bool clears);
  /// A host thread runs a function of the graph; the stream is ordered after it when it is
  /// blocking.
  void call_begins(Actor stream, Actor host, bool blocking);
  void call_ends(Actor stream, Actor host, bool blocking);

  /// Makes room for the first `actors` actors.
  void reach(std::size_t actors) {
    if (launches_.size() < actors) launches_.resize(actors);
  }
  void end_stream(Actor stream) { launches_[stream] = {}; }

 private:
  Clocks& clocks_;
  ItemQueues& queues_;
  HostThreads& hosts_;
  Accesses& accesses_;
  StreamItems& items_;
  struct Launch {
    Snapshot hosts;  // the clocks of all hosts
    OpInfo by;       // `called` is 0: not known
    Actor launcher = 0;
  };
  Launches& last_launches_;
  std::vector<Launch> launches_;  // by stream of a run
};

}  // namespace order
