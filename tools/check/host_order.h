// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tools/check/functions.h"
#include "tools/trace/trace.h"

namespace check {

using trace::OpIndex;

/// The order that host threads impose: an op that a thread calls for is ordered after the ops that
/// earlier calls of this thread waited for. Calls of one thread are sorted by their times if the
/// thread has any, else by their numbers.
class HostOrder {
 public:
  HostOrder(const trace::Trace& trace, const Functions& functions);

  /// The last call of the op's thread before it that waited for other ops or did work itself;
  /// kNone: no call did.
  OpIndex before(OpIndex op) const;
  /// The same of every other thread of the process, the threads of the runtime included. An op of a
  /// graph was called for with its launch.
  std::vector<OpIndex> before_on_others(OpIndex op) const;
  /// The op itself, or the launch of its graph: the first op of the graph's branch depends on that.
  OpIndex caller(OpIndex op) const;
  /// Whether several threads of the process made calls or ran functions.
  bool several(std::uint32_t rank) const { return threads_[rank] > 1; }
  bool any() const { return any_; }
  /// Calls f(op, rank) for each call that waits for other ops or does work itself.
  template <class F>
  void each_call(F&& f) const {
    for (const Host& host : hosts_) {
      for (const Call& call : host.calls) f(call.op, host.rank);
    }
  }

 private:
  using Moment = std::pair<trace::Nanoseconds, std::uint32_t>;
  struct Call {
    Moment at;
    OpIndex op;
  };
  struct Host {
    std::uint32_t rank = 0;
    bool timed = false;
    std::vector<Call> calls;  // the calls after which later ones are ordered
  };

  void add_functions(const trace::Track& track);
  bool moment(const Host& host, OpIndex op, Moment& at) const;
  OpIndex last_before(const Host& host, const Moment& at) const;

  const trace::Trace& trace_;
  const Functions& functions_;
  std::vector<Host> hosts_;  // the threads of the trace, then one for the functions of each stream
  std::vector<std::uint32_t> threads_;  // by rank
  bool any_ = false;
};

}  // namespace check
