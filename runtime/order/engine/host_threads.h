// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "runtime/order/engine/clocks.h"
#include "runtime/order/engine/engine_observer.h"
#include "runtime/order/engine/item_queues.h"
#include "runtime/order/engine/snapshot.h"

namespace order {

/// A call that a thread is in, or has left, and that was not reported yet.
struct BegunCall {
  CompletionId completion_id;  // 0: the call of a graph
  Actor run;                   // of a graph: the stream of the run
};

/// The steps of host threads: the clock of each, and the part of it that the thread may have
/// published to other threads by synchronisation that the engine does not see.
///
/// When a thread runs a function of a stream depends on the scheduler. So the accesses in such a
/// function count as not published: else host threads would order the same pair of accesses in one
/// run of the program and not in the next.
class HostThreads {
 public:
  using BegunCalls = std::function<std::vector<BegunCall>()>;

  HostThreads(Clocks& clocks, const ItemQueues& queues, EngineObserver* observer)
      : clocks_(clocks), queues_(queues), observer_(observer) {}
  /// The owner may report calls by their end alone, and late. `calls` lists them.
  void set_begun_calls(BegunCalls calls) { begun_calls_ = std::move(calls); }

  BegunCalls take_begun_calls() { return std::exchange(begun_calls_, nullptr); }

  Actor add();
  Actor add_crew();
  void end(Actor host);
  /// The number of host threads, ended threads included.
  std::size_t count() const noexcept { return count_; }

  // --- steps ---
  void step(Actor host) {
    ActorClock& state = clocks_[host];
    state.clock.advance(host);
    ++state.moment;
    state.snapshot = nullptr;
    snapshot_ = nullptr;
  }
  /// A step outside of functions of streams: the thread may have published all that it did.
  Epoch step_outside(Actor host);
  /// False when the host's clock covered the other.
  bool join(Actor host, const VectorClock& clock) {
    if (!clocks_[host].clock.join(clock)) return false;
    clock_advanced(host);
    return true;
  }
  /// Joins the clocks of the host and the stream both ways.
  void share(Actor host, VectorClock& stream) {
    if (clocks_[host].clock.share(stream)) clock_advanced(host);
    step(host);
  }
  /// A synchronise with the stream, up to its item `issued`, has ended. True when the clock of the
  /// thread advanced.
  bool synchronize(Actor host, Actor stream, std::uint32_t issued);
  /// The host's clock covers the clock of the stream.
  bool covers_clock_of(Actor host, ActorClock& stream);
  /// Publishes the thread's clock into the other.
  void release(Actor host, VectorClock& into);

  // --- functions of streams ---
  /// `before`: the clock of the function. `hosts_clock`: the joined clocks of all hosts when the
  /// function was launched; null: one host.
  /// `blocks`: the stream waits for the function.
  void enter_function(Actor host, const VectorClock& before, Actor stream, Snapshot hosts_clock,
                      const OpInfo& launch, bool blocks);
  /// All that the function did happens before the rest of the stream.
  void end_function(Actor host, VectorClock& stream);
  void leave_function(Actor host);
  /// A thread of the crew may have published this clock.
  void publish(const VectorClock& known) {
    if (published_.join(known)) snapshot_ = nullptr;
  }

  // --- accesses ---
  /// The thread is about to access memory. Returns the clock of all hosts when the function that
  /// the thread is in was launched; null: it is in none.
  const VectorClock* begin_access(Actor host);
  /// The launch of the function that the thread is in, or was in last.
  OpInfo launch(Actor host) const {
    const Caller* const known = caller(host);
    return known ? known->launch : OpInfo{};
  }
  /// The epoch of an access that the actor does now.
  Epoch access_epoch(Actor actor) const;
  bool is_in_function(Actor actor) const;
  /// The host runs a function now; and one that its stream waits for.
  bool is_inside_function(Actor host) const;
  bool blocks_stream(Actor host) const;
  /// The actor is a host, and did the operation with this number in a function.
  bool was_in_function(Epoch when) const;

  // --- what is ordered ---
  /// The clocks of all host threads, joined.
  VectorClock all() const;
  /// A copy of the clocks of all hosts, without the steps that they did in functions.
  Snapshot snapshot();
  /// Some host thread is ordered after the epoch, and may have published that.
  bool any_covers(Epoch epoch) const;
  /// The thread is ordered after the epoch; for a thread of the crew: one of its functions has
  /// been.
  bool has_covered(Actor host, Epoch epoch) const {
    return clocks_.covers(host, epoch) || (clocks_[host].crew && published_.covers(epoch));
  }
  /// A function or graph that has begun, and is not reported yet, is ordered after the epoch.
  bool begun_call_covers(Epoch epoch) const;

 private:
  /// A host thread in a function of a stream, or one whose accesses in a function are not
  /// published yet.
  struct Caller {
    Actor host;
    std::uint32_t published;  // how many of its own steps it may have published
    bool inside;              // a function
    bool accessed;            // memory, in this or an earlier function
    bool blocks;              // inside: its stream waits for the function
    Snapshot hosts_clock;     // inside: of all hosts when the function was launched; null: one host
    Epoch as;  // of the crew: accesses count as done by this item; count 0: by the thread itself
    OpInfo launch;  // of the function, or of the graph that holds it
  };

  [[gnu::always_inline]] void clock_advanced(Actor host) {
    ActorClock& state = clocks_[host];
    ++state.version;
    ++state.moment;
    state.snapshot = nullptr;
    snapshot_ = nullptr;
    if (observer_) [[unlikely]]
      observer_->advanced(clocks_.now(host), state.clock);
  }
  bool join_stream(Actor host, ActorClock& stream, Actor number);
  void begin_anew(Actor host, const VectorClock& known);
  void leave_functions_behind(Actor host);
  Caller* caller(Actor host);
  const Caller* caller(Actor host) const;
  std::uint32_t published_count(Actor host) const;
  VectorClock published_clock_of(Actor host) const;
  VectorClock published_by_all() const;
  bool may_have_published(Actor host, Epoch epoch) const;

  Clocks& clocks_;
  const ItemQueues& queues_;
  EngineObserver* observer_;
  BegunCalls begun_calls_;
  std::vector<Actor> hosts_;  // that have not ended
  std::size_t count_ = 0;
  std::vector<Caller> callers_;
  // The clocks of threads that have ended, and of functions of the crew that are complete.
  VectorClock published_;
  Snapshot snapshot_;  // of the clocks of all hosts; null: one of them has advanced
};

}  // namespace order
