// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "runtime/order/engine/accesses.h"
#include "runtime/order/engine/clocks.h"
#include "runtime/order/engine/conflict_reporter.h"
#include "runtime/order/engine/deadlock_search.h"
#include "runtime/order/engine/engine_observer.h"
#include "runtime/order/engine/finding.h"
#include "runtime/order/engine/graph_runs.h"
#include "runtime/order/engine/host_threads.h"
#include "runtime/order/engine/item_queues.h"
#include "runtime/order/engine/node.h"
#include "runtime/order/engine/shadow.h"
#include "runtime/order/engine/stream_items.h"
#include "runtime/order/engine/variable.h"
#include "runtime/order/engine/vector_clock.h"

namespace order {

/// Derives the happens-before order from the meaning of the calls, never from the order in which
/// operations happened to run: vector clocks over streams and host threads. Items of a stream are
/// taken in as the program issues them. If the order depends on the run (callbacks, notifies,
/// values, graphs), the engine keeps the stream blocked until `happened`, and
/// queues the items that follow. So two runs of a program in which these happen in the same order
/// give the same findings.
///
/// The class is a facade. Its parts, each of which has its own state:
///   Clocks            the clock of each actor, and the steps of streams
///   HostThreads       the steps of host threads, and the clocks that they may have published
///   ItemQueues        items that are not taken in, and items that are not complete
///   StreamItems       takes the items of streams in
///   GraphRuns         the tasks of graphs that run
///   Accesses          accesses to memory, and memory words
///   ConflictReporter  findings
///   DeadlockSearch    streams that can never proceed
///
/// Not thread-safe: the owner locks. The machine's report about an item comes before the items
/// that it makes possible.
class Engine {
 public:
  using Report = ConflictReporter::Report;
  using Begun = BegunCall;
  using BegunCalls = HostThreads::BegunCalls;
  using Call = EndedCall;
  using Stuck = DeadlockSearch::Stuck;
  using BlockedWait = DeadlockSearch::BlockedWait;

  /// `observer`, which may be null, outlives the engine.
  explicit Engine(Report report, EngineObserver* observer = nullptr)
      : observer_(observer), reporter_(std::move(report), observer, clocks_, hosts_, queues_) {}
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// The owner may report calls by their end alone, and late. `calls` lists them to the engine.
  void set_begun_calls(BegunCalls calls) { hosts_.set_begun_calls(std::move(calls)); }

  /// Forgets all actors, items and accesses. The report, the observer and the list of calls stay.
  void restart();

  // --- actors ---
  Actor add_host() { return with_room(hosts_.add()); }
  /// A thread of the machine that runs functions of any stream that has one ready. The scheduler
  /// decides which functions it runs one after the other. So in each function it has the clock of
  /// the stream, and is not ordered after earlier functions.
  Actor add_crew() { return with_room(hosts_.add_crew()); }
  /// The thread has ended. Its clock remains part of `any_host`.
  void end_host(Actor host) { hosts_.end(host); }
  /// `creator` creates the stream: its items are ordered after the creation.
  Actor add_stream(Actor creator) { return with_room(clocks_.add_stream(creator)); }
  /// A stream of the machine, with an empty clock.
  Actor add_stream() { return with_room(clocks_.add_stream()); }
  /// The stream has ended; its number is used again. `keeps_calls`: functions of it that have not
  /// begun may still do, and stay among the unserved.
  void end_stream(Actor stream, bool keeps_calls = false) {
    runs_.end_stream(stream);
    items_.end_stream(stream, keeps_calls);
  }
  /// All that was issued to the stream is complete or dropped, and the thread is ordered after it.
  void abort(Actor host, Actor stream) { items_.abort(host, stream); }

  // --- items of streams, in the order of issue; `host` issues ---
  void op(Actor stream, Actor host, const OpInfo& op_info, std::span<const Access> accesses) {
    ActorClock& state = clocks_[stream];
    if (state.blocked) return items_.op_later(stream, host, op_info, accesses);
    clocks_.start(state, stream, host);
    if (!accesses.empty()) accesses_.take(stream, op_info, accesses, nullptr);
  }
  /// The same for an op without accesses, if it only has to be counted. False: nothing was done,
  /// call `op`.
  bool goes_on(Actor stream, Actor host) {
    ActorClock& state = clocks_[stream];
    if (state.blocked) return items_.goes_on_later(stream, host);
    clocks_.start(state, stream, host);
    return true;
  }
  /// `ops` more ops without accesses were issued by the host that issued the stream's last item.
  /// Requires that the host's clock has not changed since, and that the stream is not blocked.
  void went_on(Actor stream, std::uint32_t ops) {
    ActorClock& state = clocks_[stream];
    state.issued += ops;
    Clocks::pass(state, stream, ops);
  }
  /// `owner` keeps the node.
  void record(Actor stream, Actor host, const OpInfo& op_info, Node& node,
              const std::shared_ptr<void>& owner) {
    items_.record(stream, host, op_info, node, owner);
  }
  void wait(Actor stream, Actor host, const OpInfo& op_info, Node& node,
            const std::shared_ptr<void>& owner) {
    items_.wait(stream, host, op_info, node, owner);
  }
  /// The same for a wait that is satisfied at once and gives no finding. False: nothing was done,
  /// call `wait`.
  bool wait_at_once(Actor stream, Actor host, Node& node) {
    return clocks_.wait_at_once(stream, host, node);
  }
  /// A write of a value: takes effect when it has `happened`. `accesses`: the bytes of the value.
  CompletionId change(Actor stream, Actor host, const OpInfo& op_info,
                      std::shared_ptr<Variable> variable, Variable::Update update, bool adds,
                      std::span<const Access> accesses = {}) {
    return items_.change(stream, host, op_info, std::move(variable), std::move(update), adds,
                         accesses);
  }
  /// A wait on a value: the stream is blocked until it has `happened`. `clears`: a satisfied wait
  /// sets the value to 0.
  CompletionId wait_for(Actor stream, Actor host, const OpInfo& op_info,
                        std::shared_ptr<Variable> variable, Variable::Test test, bool clears,
                        std::span<const Access> accesses = {}) {
    return items_.wait_for(stream, host, op_info, std::move(variable), std::move(test), clears,
                           accesses);
  }
  /// A function of the program, for a host thread to run. `blocking`: the stream is blocked until
  /// it is complete.
  CompletionId call(Actor stream, Actor host, const OpInfo& op_info, bool blocking) {
    return items_.call(stream, host, op_info, blocking);
  }
  /// The start of a graph: the stream is blocked until the graph is complete. `accesses`: all
  /// accesses of the graph, which are reported one by one when it runs.
  CompletionId launch(Actor stream, Actor host, const OpInfo& op_info,
                      std::span<const Access> accesses = {}) {
    return items_.launch(stream, host, op_info, accesses);
  }
  /// A kernel whose accesses are known only when it is complete: the stream is blocked until then.
  /// `accesses`: a guess, which counts unless the kernel `accessed` anything.
  CompletionId kernel(Actor stream, Actor host, const OpInfo& op_info,
                      std::span<const Access> accesses = {}) {
    return items_.kernel(stream, host, op_info, accesses);
  }
  /// The memory word at the address, which ops may write without `change`. Kept until the memory is
  /// freed.
  const std::shared_ptr<Variable>& word(std::uintptr_t address) { return accesses_.word(address); }
  /// The wait on a value has a time limit, so it ends by itself.
  void has_time_limit(CompletionId completion_id);

  // --- reports of the machine ---
  void happened(CompletionId completion_id, bool failed) { items_.happened(completion_id, failed); }
  /// The kernel's accesses. Before it has `happened`.
  void accessed(CompletionId completion_id, std::span<const Access> accesses) {
    items_.accessed(completion_id, accesses);
  }
  /// The item did not happen: a failure, an abort or the end of its stream dropped it. `expected`:
  /// the program expects its function to run.
  void dropped(CompletionId completion_id, bool expected) {
    items_.dropped(completion_id, expected);
  }
  /// A host thread runs the function of a `call`. Its accesses until `call_ends` count as done by
  /// an operation of the stream that was issued with the call: another thread is ordered after them
  /// only if something orders it after that operation.
  void call_begins(CompletionId completion_id, Actor host) {
    items_.call_begins(completion_id, host);
  }
  void call_ends(CompletionId completion_id, Actor host) { items_.call_ends(completion_id, host); }
  /// `call_begins`, `call_ends` and `happened` of each, in one. Requires that the functions called
  /// nothing that the engine has to take in.
  void called(std::span<const Call> calls) { items_.called(calls); }
  /// Runs of graphs, in streams that belong to the machine.
  GraphRuns& graph_runs() noexcept { return runs_; }

  // --- host threads ---
  /// The number of the last issued item: a synchronise that begins now waits for it. Call it when
  /// the synchronise begins: the clock of the stream at that item is kept until `synchronized`.
  std::uint32_t issued(Actor stream) {
    ActorClock& state = clocks_[stream];
    state.marks.add(state.issued);
    return state.issued;
  }
  /// The synchronise has ended. True when the clock of the thread advanced.
  bool synchronized(Actor host, Actor stream, std::uint32_t issued) {
    return hosts_.synchronize(host, stream, issued);
  }
  bool synchronized(Actor host, const Node& node) {
    return node.resolved && hosts_.join(host, node.clock);
  }
  /// True when a synchronise that begins now adds no order: the thread's clock covers the stream's.
  bool covers_stream(Actor host, Actor stream) {
    ActorClock& state = clocks_[stream];
    if (state.blocked || clocks_[host].clock.of(stream) < state.issued) return false;
    return hosts_.covers_clock_of(host, state);
  }
  void host_access(Actor host, const OpInfo& op_info, std::span<const Access> accesses) {
    hosts_.step(host);
    const VectorClock* const at_launch = hosts_.begin_access(host);
    if (!at_launch) [[likely]]
      return accesses_.take(host, op_info, accesses, nullptr);
    const OpInfo launch = hosts_.launch(host);
    reporter_.launches().add(launch);
    OpInfo in_function = op_info;
    in_function.called = launch.called;
    accesses_.take(host, in_function, accesses, at_launch);
  }
  /// Host code of the thread accesses the byte outside of calls: the protection of a page has shown
  /// it. The access is compared with operations of streams, not with accesses of other threads.
  /// True: a finding was reported.
  bool host_touch(Actor host, const OpInfo& op_info, const Access& byte);
  /// The range is about to be freed: reports operations that may still use it, then forgets it.
  void free(Actor host, const OpInfo& op_info, const Access& range);
  /// The bytes are newly allocated: forgets all earlier accesses to them.
  void renew(const Access& range) { accesses_.erase(range); }
  /// Synchronisation between host threads outside of ACL: `release` publishes the thread's clock,
  /// `acquire` joins it.
  void release(Actor host, VectorClock& into) { hosts_.release(host, into); }
  void acquire(Actor host, const VectorClock& from) { hosts_.join(host, from); }
  /// The next epoch of the thread.
  Epoch step_host(Actor host) { return hosts_.step_outside(host); }

  // --- questions ---
  const VectorClock& clock(Actor actor) const { return clocks_[actor].clock; }
  /// The clock of an item that has a completion id, the item included; null when it is complete.
  const VectorClock* clock_of(CompletionId completion_id) const;
  /// The epoch of the item.
  Epoch moment_of(CompletionId completion_id) const;
  /// The operation of the item; an empty one when the item is complete.
  OpInfo op_info_of(CompletionId completion_id) const;
  /// The number of the stream's last item.
  std::uint32_t last(Actor stream) const { return clocks_[stream].issued; }
  /// True while the stream is blocked at an item whose end the machine has not reported yet.
  bool is_blocked(Actor stream) const { return clocks_[stream].blocked; }
  bool covers(Actor host, Epoch epoch) const { return clocks_.covers(host, epoch); }
  /// True when the thread is ordered after all that was issued.
  bool covers_all_of(Actor host, Actor stream) const { return clocks_.covers_all_of(host, stream); }
  /// The actor's current epoch.
  Epoch now(Actor actor) const { return clocks_.now(actor); }
  /// The number of host threads, ended threads included.
  std::size_t host_threads() const noexcept { return hosts_.count(); }
  /// The clocks of all host threads, joined.
  VectorClock any_host() const { return hosts_.all(); }
  /// True when the thread is ordered after the epoch; for a thread of the crew: if one of its
  /// functions has been.
  bool has_covered(Actor host, Epoch epoch) const { return hosts_.has_covered(host, epoch); }
  /// True when some host thread is ordered after the epoch, and may have published that.
  bool any_host_covers(Epoch epoch) const { return hosts_.any_covers(epoch); }
  /// True when a wait bound to the node may still be pending while its event is recorded again as
  /// `next`: the wait happens before neither that record nor anything that a host thread does next.
  bool may_be_waited_for(const Node& node, const Node& next) const;
  /// True when an issued item writes some of the bytes, and the host is not ordered after it.
  bool may_be_written_before(const Access& range, Actor host) const;
  const Shadow& shadow() const noexcept { return accesses_.shadow(); }
  const ItemQueues& queues() const noexcept { return queues_; }
  const DeadlockSearch& deadlocks() const noexcept { return deadlocks_; }

 private:
  Actor with_room(Actor actor) {
    queues_.reach(clocks_.size());
    runs_.reach(clocks_.size());
    return actor;
  }

  EngineObserver* observer_;
  Clocks clocks_;
  ItemQueues queues_{clocks_};
  HostThreads hosts_{clocks_, queues_, observer_};
  ConflictReporter reporter_;
  Accesses accesses_{clocks_, hosts_, reporter_, observer_};
  Actor touch_counter_ = 0;  // a host whose steps count the touches; 0: none yet
  StreamItems items_{clocks_, queues_, hosts_, accesses_, reporter_};
  GraphRuns runs_{clocks_, queues_, hosts_, accesses_, items_, reporter_.launches()};
  DeadlockSearch deadlocks_{clocks_, queues_, accesses_};
};

}  // namespace order
