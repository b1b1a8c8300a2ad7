// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/order/engine/completion_map.h"
#include "runtime/order/engine/fifo.h"
#include "runtime/order/engine/finding.h"
#include "runtime/order/engine/shadow.h"
#include "runtime/order/engine/variable.h"
#include "runtime/order/engine/vector_clock.h"

namespace order {

/// The clock of an event's record: all that happens before it. A stream may be made to wait for the
/// record before the engine has taken it in.
struct Node {
  bool resolved = false;
  VectorClock clock;
  OpInfo record;
  Actor by = 0;  // the stream that records
  // The host that issued the record, the version of its clock then (0: unknown), and the epoch.
  Actor host = 0;
  std::uint32_t version = 0;
  Epoch when;
  std::uint64_t serial = 0;    // of the record, among all
  std::vector<Actor> blocked;  // streams that are blocked at a wait for it

  /// Resets the node for another record; its vectors keep their capacity.
  void renew();
  /// Adds a wait that is bound to this record.
  void bind(Epoch wait);
  template <class Test>
  bool any_wait(Test&& test) const {
    return (first_wait_.count != 0 && test(first_wait_)) ||
           std::any_of(more_waits_.begin(), more_waits_.end(), test);
  }

 private:
  void forget_earlier_waits();

  Epoch first_wait_;               // nearly always the only one
  std::vector<Epoch> more_waits_;  // of each stream the last one counts
};

/// Is called for each access that the engine takes in, with the clock of what happens before it.
class EngineObserver {
 public:
  virtual ~EngineObserver() = default;
  virtual void accessed(Epoch when, const VectorClock& known, const OpInfo& op_info,
                        const Access& access) = 0;
  /// The clock of a host thread advanced.
  virtual void advanced(Epoch when, const VectorClock& known) = 0;
  /// A finding says that `earlier` does not happen before `when`. True: another process may order
  /// the two, so the engine drops the finding and the observer decides about it.
  virtual bool doubts(Epoch earlier, Epoch when, const VectorClock& known,
                      const Finding& finding) = 0;
};

/// Derives the happens-before order from the meaning of the calls, never from the order in which
/// operations happened to run: vector clocks over streams and host threads. Items of a stream are
/// taken in as the program issues them. Where the order depends on what the machine does
/// (callbacks, notifies, values, graphs), the engine keeps the stream blocked until `happened`, and
/// queues the items that follow. So two runs in which these take the same turns give the same
/// findings.
///
/// Not thread-safe: the owner locks. What the machine reports about an item comes before the items
/// that it makes possible.
class Engine {
 public:
  using Report = std::function<void(Finding&&)>;
  /// A call that a thread is in, or has left, and that was not reported yet.
  struct Begun {
    CompletionId completion_id;  // 0: the call of a graph
    Actor run;                   // of a graph: the stream of the run
  };
  using BegunCalls = std::function<std::vector<Begun>()>;
  /// `observer`, which may be null, outlives the engine.
  explicit Engine(Report report, EngineObserver* observer = nullptr)
      : report_(std::move(report)), observer_(observer) {}

  /// The owner may report calls by their end alone, and late. `calls` lists them to the engine.
  void set_begun_calls(BegunCalls calls) { begun_calls_ = std::move(calls); }

  // --- actors ---
  Actor add_host();
  /// A thread of the machine that runs functions of whatever stream has one ready. Which of them it
  /// runs one after the other is a matter of luck, so in each it knows what its stream knows, and
  /// nothing of the functions before.
  Actor add_crew();
  /// The thread has ended. Its clock remains part of `any_host`.
  void end_host(Actor host);
  /// `creator` creates the stream: its items are ordered after the creation.
  Actor add_stream(Actor creator);
  /// A stream of the machine, with an empty clock.
  Actor add_stream();
  /// The stream has ended; its number is used again. `keeps_calls`: functions of it that have not
  /// begun may still do, and stay among the unserved.
  void end_stream(Actor stream, bool keeps_calls = false);
  /// All that was issued to the stream is complete or dropped, and the thread is ordered after it.
  void abort(Actor host, Actor stream);

  // --- items of streams, in the order of issue; `host` issues ---
  void op(Actor stream, Actor host, const OpInfo& op_info, std::span<const Access> accesses) {
    State& state = actors_[stream];
    if (state.blocked) return op_later(stream, host, op_info, accesses);
    start(state, stream, host);
    if (!accesses.empty()) take_accesses(stream, op_info, accesses);
  }
  /// The same for an op without accesses, where counting it is enough. False: nothing was done,
  /// call `op`.
  bool goes_on(Actor stream, Actor host) {
    State& state = actors_[stream];
    if (state.blocked) return goes_on_later(state, host);
    start(state, stream, host);
    return true;
  }
  /// `ops` more ops without accesses were issued by the host that issued the stream's last item.
  /// Requires that the host's clock has not changed since, and that the stream is not blocked.
  void went_on(Actor stream, std::uint32_t ops);
  /// `owner` keeps the node.
  void record(Actor stream, Actor host, const OpInfo& op_info, Node& node,
              const std::shared_ptr<void>& owner);
  void wait(Actor stream, Actor host, const OpInfo& op_info, Node& node,
            const std::shared_ptr<void>& owner);
  /// The same for a wait that is satisfied at once and gives no finding. False: nothing was done,
  /// call `wait`.
  bool wait_at_once(Actor stream, Actor host, Node& node);
  /// A write of a value: takes effect when it has `happened`. `accesses`: the bytes of the value.
  CompletionId change(Actor stream, Actor host, const OpInfo& op_info,
                      std::shared_ptr<Variable> variable, Variable::Update update, bool adds,
                      std::span<const Access> accesses = {});
  /// A wait on a value: the stream is blocked until it has `happened`. `clears`: a satisfied wait
  /// sets the value to 0.
  CompletionId wait_for(Actor stream, Actor host, const OpInfo& op_info,
                        std::shared_ptr<Variable> variable, Variable::Test test, bool clears,
                        std::span<const Access> accesses = {});
  /// A function of the program, for a host thread to run. `blocking`: the stream is blocked until
  /// it is complete.
  CompletionId call(Actor stream, Actor host, const OpInfo& op_info, bool blocking);
  /// The start of a graph: the stream is blocked until that is complete. `accesses`: all accesses
  /// of the graph, which are reported one by one when it runs.
  CompletionId launch(Actor stream, Actor host, const OpInfo& op_info,
                      std::span<const Access> accesses = {});
  /// A kernel that says only when it is over what it accessed: the stream is blocked until then.
  /// `accesses`: what is guessed, which counts unless it `accessed` anything.
  CompletionId kernel(Actor stream, Actor host, const OpInfo& op_info,
                      std::span<const Access> accesses = {});
  /// The memory word at the address, which ops may write without `change`. Kept until the memory is
  /// freed.
  const std::shared_ptr<Variable>& word(std::uintptr_t address);
  /// The wait on a value has a time limit, so it ends by itself.
  void has_time_limit(CompletionId completion_id);

  // --- reports of the machine ---
  void happened(CompletionId completion_id, bool failed);
  /// What the kernel accessed. Before it has `happened`.
  void accessed(CompletionId completion_id, std::span<const Access> accesses);
  /// It did not happen: a failure, an abort or the end of its stream dropped it. `expected`: a
  /// function was to be served all the same.
  void dropped(CompletionId completion_id, bool expected);
  /// A host thread runs the function of a `call`. What it accesses until `call_ends` counts as done
  /// by an operation of the stream that was issued with the call: no other thread is taken to know
  /// of it unless it is ordered after it.
  void call_begins(CompletionId completion_id, Actor host);
  void call_ends(CompletionId completion_id, Actor host);
  struct Call {
    CompletionId completion_id;
    Actor host;
  };
  /// `call_begins`, `call_ends` and `happened` of each, in one. Requires that the functions called
  /// nothing that the engine has to take in.
  void called(std::span<const Call> calls);

  // --- runs of graphs: streams that belong to the machine ---
  void run_begins(CompletionId launch, Actor stream);
  void run_ends(CompletionId launch, Actor stream);
  /// The same for a run that a task of another run starts and waits for, in the stream `outer`.
  /// `before`: the clock of that when the run began.
  void inner_run_begins(Actor outer, const VectorClock& before, Actor stream);
  void inner_run_ends(Actor outer, Actor stream);
  /// A task of the same run started the stream; `before`: the clock of the task.
  void run_activated(Actor stream, const VectorClock& before) {
    actors_[stream].clock.join(before);
  }
  void run_op(Actor stream, const OpInfo& op_info, std::span<const Access> accesses);
  void run_record(Actor stream, const OpInfo& op_info, Node& node);
  void run_wait(Actor stream, const Node& node);
  void run_change(Actor stream, const OpInfo& op_info, Variable& variable,
                  const Variable::Update& update, bool adds);
  void run_wait_for(Actor stream, Variable& variable, const Variable::Test& test, bool clears);
  /// A host thread runs a function of the graph; the stream is ordered after it when it is
  /// blocking.
  void run_call_begins(Actor stream, Actor host);
  void run_call_ends(Actor stream, Actor host, bool blocking);

  // --- host threads ---
  /// The number of the last issued item: what a synchronise that begins now waits for. Call it when
  /// the synchronise begins: the clock of the stream at that item is kept until `synchronized`.
  std::uint32_t issued(Actor stream) {
    State& state = actors_[stream];
    const bool first = state.next_mark == kNoMark && state.marks.empty();
    if (!first) return issued_again(state);
    state.next_mark = state.issued;
    return state.issued;
  }
  /// The synchronise has ended. True when the clock of the thread advanced.
  bool synchronized(Actor host, Actor stream, std::uint32_t issued);
  /// True when a synchronise that begins now adds no order: the thread's clock covers the stream's.
  bool covers_stream(Actor host, Actor stream) {
    State& state = actors_[stream];
    if (state.blocked || actors_[host].clock.of(stream) < state.issued) return false;
    return covers_clock_of(host, state);
  }
  bool synchronized(Actor host, const Node& node);
  void host_access(Actor host, const OpInfo& op_info, std::span<const Access> accesses);
  /// The range is about to be freed: reports operations that may still use it, then forgets it.
  void free(Actor host, const OpInfo& op_info, const Access& range);
  /// The bytes are newly allocated: forgets all earlier accesses to them.
  void renew(const Access& range) { shadow_.erase(range.begin, range.size); }
  /// Synchronisation between host threads outside of ACL: `release` publishes the thread's clock,
  /// `acquire` joins it.
  void release(Actor host, VectorClock& into);
  void acquire(Actor host, const VectorClock& from);

  /// The next epoch of the thread.
  Epoch step_host(Actor host);

  // --- questions ---
  const VectorClock& clock(Actor actor) const { return actors_[actor].clock; }
  /// The clock of an item that has a completion id, the item included; null when it is complete.
  const VectorClock* clock_of(CompletionId completion_id) const;
  /// The epoch of the item.
  Epoch moment_of(CompletionId completion_id) const;
  /// The clocks of all host threads, joined.
  VectorClock any_host() const;
  /// The last accesses to each piece of the range.
  void visit(const Access& range, const Shadow::Visit& visit) const {
    shadow_.visit(range.begin, range.size, visit);
  }
  /// True when an issued item writes some of the bytes, and the host is not ordered after it.
  bool may_be_written_before(const Access& range, Actor host) const;
  /// True when the stream is blocked, directly or through others, at a wait on a value that an item
  /// not issued yet may satisfy.
  bool may_be_released_later(Actor stream) const;
  /// The number of the stream's last item.
  std::uint32_t last(Actor stream) const { return actors_[stream].issued; }
  /// True while the stream is blocked at an item whose end the machine has not reported yet.
  bool is_blocked(Actor stream) const { return actors_[stream].blocked; }
  /// The operation of the item; an empty one when the item is complete.
  OpInfo op_info_of(CompletionId completion_id) const;
  /// True for a call that blocks its stream.
  bool blocks(CompletionId completion_id) const;
  bool covers(Actor host, Epoch epoch) const { return actors_[host].clock.covers(epoch); }
  /// True when the thread is ordered after the epoch; of the crew: when one of it has been.
  bool has_covered(Actor host, Epoch epoch) const {
    return covers(host, epoch) || (actors_[host].crew && told_clock_.covers(epoch));
  }
  /// True when some host thread is ordered after the epoch, and may have told others.
  bool any_host_covers(Epoch epoch) const;
  /// The actor's current epoch.
  Epoch now(Actor actor) const { return {actor, actors_[actor].clock.of(actor)}; }
  /// True when the thread is ordered after all that was issued.
  bool covers_all_of(Actor host, Actor stream) const;
  /// True when a wait bound to the node may still be pending while its event is recorded again as
  /// `next`: the wait happens before neither that record nor anything that a host thread does next.
  bool may_be_waited_for(const Node& node, const Node& next) const;
  bool written(std::uintptr_t begin, std::size_t size) const {
    return shadow_.written(begin, size);
  }
  std::size_t cells() const noexcept { return shadow_.size(); }
  /// Why a stream cannot proceed, if nothing more is issued: waits, each blocked by the next; empty
  /// when it can.
  struct Stuck {
    std::vector<OpInfo> waits;
    // True: the first wait blocks the last one, and no shorter cycle blocks the stream. False:
    // nothing that was issued satisfies the last wait.
    bool cycle = true;
    std::uintptr_t address = 0;  // of the memory word that the last wait tests; 0: of no such wait
    std::uint64_t value = 0;     // that it holds
  };
  /// A host thread that goes on may still issue what ends the waits: the caller knows whether there
  /// is one.
  Stuck stuck(Actor stream) const;
  /// The same for the stream that is to record the node.
  Stuck stuck(const Node& node) const;
  /// A stream that is blocked at a wait without time limit.
  struct BlockedWait {
    Epoch at;  // the wait
    OpInfo op_info;
    CompletionId completion_id = 0;  // of a wait on a value
    VectorClock ended_by;            // the issued items that end it
    bool others_may_end = false;     // another process may end it too
  };
  std::vector<BlockedWait> blocked_waits() const;
  /// All host threads, those that have ended included.
  std::size_t host_threads() const noexcept { return hosts_.size() + ended_hosts_; }
  /// True while functions of the program, or graphs, are not complete.
  bool calls_pending() const;
  /// Calls `visit(op_info, is_blocked)` for each call that no host thread has begun, unless its
  /// stream ended and took it along, until it returns true; true if it did. `is_blocked`: the call
  /// blocks its stream.
  template <class Visit>
  bool any_unserved(Visit&& visit) const {
    const auto still_may_be = [&](CompletionId, const Pending& call) {
      return call.unserved && visit(call.op_info, call.kind == Item::Kind::blocking_call);
    };
    return pending_.any(still_may_be) || any_never_served(visit);
  }
  /// The same for those that no host thread will begin any more.
  template <class Visit>
  bool any_never_served(Visit&& visit) const {
    return std::any_of(never_served_.begin(), never_served_.end(),
                       [&](const Pending& call) { return visit(call.op_info, false); });
  }
  /// The epoch of the node's record, while that is queued on a blocked stream.
  std::optional<Epoch> recorder_of(const Node& node) const;

 private:
  /// A copy of a clock. Items share one when the clock has not changed between them. The count is
  /// not atomic, since the engine's owner locks.
  struct Kept : boost::intrusive_ref_counter<Kept, boost::thread_unsafe_counter> {
    explicit Kept(const VectorClock& now, boost::intrusive_ptr<const Kept> known = {})
        : clock(now), hosts_clock(std::move(known)) {}
    const VectorClock clock;
    const boost::intrusive_ptr<const Kept> hosts_clock;  // of a call: what the item has; else null
  };
  using Snapshot = boost::intrusive_ptr<const Kept>;
  struct Pending;
  struct alignas(64) Item {  // what a call needs is on one line of the cache
    enum class Kind : std::uint8_t {
      op,
      record,
      wait,
      change,
      wait_for,
      call,
      blocking_call,
      launch,
      kernel
    };
    Kind kind{};
    bool begun = false;
    CompletionId completion_id = 0;
    std::uint32_t ops = 0;       // queued after it, without accesses, under the same host clock
    Pending* pending = nullptr;  // of the completion id, until that is erased
    Snapshot host_clock;         // at the issue
    std::shared_ptr<Node> node;
    std::vector<Access> accesses;
    Snapshot hosts_clock;  // the joined clocks of all hosts then; null: one host, or not needed
    OpInfo op_info;        // a blocking call has it in `pending`

    void renew();
  };
  /// How far a stream was issued when a synchronise began.
  struct Mark {
    std::uint32_t issued;
    std::uint32_t users;
    Snapshot passed;  // the clock of the stream there; null: it has not advanced since
  };
  static constexpr std::uint32_t kNoMark = ~std::uint32_t{0};
  struct alignas(64) State {  // what most items need is on two lines of the cache
    VectorClock clock;
    bool host = false;
    bool crew = false;                  // a host that runs functions of any stream
    bool blocked = false;               // at a wait or call that is not over
    std::uint32_t issued = 0;           // the number of the last item
    std::uint32_t next_mark = kNoMark;  // the first mark that the stream has not reached
    std::uint32_t version = 1;          // hosts: counts the joins of other clocks
    std::uint32_t moment = 1;           // hosts: counts these joins and the host's own steps
    Actor seen_host = 0;                // streams: the host whose clock was joined last
    std::uint32_t seen_version = 0;     // streams: its `version` and `moment` then
    std::uint32_t seen_moment = 0;
    // Streams: while the clock's news() is `covered_news`, the clock of this host covers it, but
    // for the stream's own steps and for the record with the number `record` (0: none).
    Actor covered_by = 0;
    std::uint32_t covered_news = 0;
    std::uint64_t record = 0;  // hosts: the last such record that was joined
    Snapshot snapshot;         // hosts: of the clock; null: it has advanced since
    Snapshot joined;           // streams: the last snapshot that was joined
    Snapshot hosts_clock;      // of a graph: the clocks of all hosts at its launch
    Fifo<Item> waiting;
    std::vector<Mark> marks;  // by `issued`; empty while next_mark is the only one, with one user
  };
  static constexpr std::size_t kMostMarks = 8;
  struct Pending {  // an item with a CompletionId
    Actor actor = 0;
    Item::Kind kind{};
    bool has_time_limit = false;
    bool unserved = false;  // a function that has not begun
    OpInfo op_info;
    struct Number {
      std::shared_ptr<Variable> variable;
      Variable::Update update;
      Variable::Test test;
      bool adds_or_clears;
    };
    std::unique_ptr<Number> number;  // of `change` and `wait_for`
    Snapshot clock;  // at the item; null: not taken in yet, or its stream is blocked there

    void renew();
  };
  static_assert(sizeof(Pending) == 56, "with its completion id it fills a line of the cache");
  /// A host thread in a function of a stream, or whose accesses in one are not told to others yet.
  struct Caller {
    Actor host;
    std::uint32_t told;    // how many of its own steps others may have been told of
    bool inside;           // a function
    bool accessed;         // memory, in this or an earlier function
    Snapshot hosts_clock;  // inside: of all hosts when the function was launched; null: one host
    Epoch as;  // of the crew: accesses count as done by this item; count 0: by the thread itself
  };

  Actor new_stream();
  Item& line_up(Actor stream, Item::Kind kind);
  Item& line_up(Actor stream, Item::Kind kind, const OpInfo& op_info);
  static const OpInfo& op_info_of(const Item& item);
  void issue(Actor stream, Actor host, Item& item);
  Item* item_of(const Pending& pending, CompletionId completion_id);
  CompletionId issue(Actor host, Pending& pending, const OpInfo& op_info,
                     std::span<const Access> accesses = {});
  void join_host_clock(State& stream, Actor host);
  void refresh_host_clock(State& stream, const State& by, Actor host);
  Snapshot snapshot_of(Actor host);
  Snapshot snapshot_of_hosts();
  /// The stream begins its next item.
  static void begin(State& stream, Actor number) {
    if (stream.clock.of(number) == stream.next_mark) [[unlikely]]
      pass_mark(stream);
    stream.clock.advance(number);
  }
  static void pass_mark(State& state);
  static std::uint32_t issued_again(State& state);
  static void list_mark(State& state);
  static void find_next_mark(State& state);
  void drop(Actor stream, Item& item);
  void drop_waiting(Actor stream);
  void do_not_count(CompletionId completion_id);
  static constexpr Actor kEnded = ~Actor{0};  // of a call that has outlived its stream
  void forget_unserved(Actor stream, bool keeps_calls);
  void drain(Actor stream);
  static void pass_over(State& stream, Actor number, std::uint32_t ops);
  static void leave(State& stream, Actor number);
  bool take(Actor stream, Item& item);
  /// The next item of a stream that is not blocked.
  void start(State& stream, Actor number, Actor host) {
    ++stream.issued;
    begin(stream, number);
    if (stream.seen_host == host && stream.seen_moment == actors_[host].moment) return;
    join_host_clock(stream, host);
  }
  bool take_wait(Actor stream, const OpInfo& op_info, Node& node);
  bool goes_on_later(State& stream, Actor host);
  void op_later(Actor stream, Actor host, const OpInfo& op_info, std::span<const Access> accesses);
  void take_accesses(Actor actor, const OpInfo& op_info, std::span<const Access> accesses);
  void resolve(Node& node, const VectorClock& clock);
  void pass(Actor stream, Variable& variable, const Variable::Test& test, bool clears);
  void join_writer(VectorClock& clock, std::uintptr_t address) const;
  void overwrite_words(const Access& range);
  void unblock(Actor stream);
  const VectorClock& clock_at(const Pending& pending) const;
  std::size_t end_row(Actor stream, std::span<const Call> calls);
  static std::size_t row_of(State& state, Actor stream, std::span<const Call> calls);
  Pending& pend(Item::Kind kind, Actor stream, const OpInfo& op_info);
  bool join_clock(Actor host, const VectorClock& clock);
  bool join_clock_of_stream(Actor host, State& stream, Actor number);
  bool covers_clock_of(Actor host, State& stream);
  static bool is_covered_by(const State& stream, Actor host) {
    return stream.covered_by == host && stream.covered_news == stream.clock.news();
  }
  [[gnu::always_inline]] void clock_advanced(Actor host) {
    State& state = actors_[host];
    ++state.version;
    ++state.moment;
    state.snapshot = nullptr;
    hosts_snapshot_ = nullptr;
    if (observer_) [[unlikely]]
      observer_->advanced(now(host), state.clock);
  }
  void step(Actor actor);
  class InFunction;
  void enter_function(Actor host, const VectorClock& before, Actor stream, Snapshot hosts_clock);
  void end_function(Actor host, VectorClock& stream);
  void leave_function(Actor host);
  void begin_anew(Actor host, const VectorClock& known);
  void tell(const VectorClock& known);
  Caller* caller(Actor host);
  const Caller* caller(Actor host) const;
  VectorClock released_clock_of(Actor host) const;
  Epoch access_epoch(Actor actor) const;
  std::uint32_t released_count(Actor host) const;
  VectorClock released_by_hosts() const;
  Snapshot hosts_clock_of(const Pending& call, CompletionId completion_id);
  bool is_in_function(Actor actor) const;
  bool accessed_in_function(const Shadow::Touch& earlier) const;
  bool may_have_released(Actor host, Epoch epoch) const;
  void steps_outside(Actor host);
  void tell_conflict(Actor actor, const OpInfo& op_info, const Access& access,
                     const Shadow::Conflict& conflict, bool frees);
  bool some_host_covers(Epoch epoch) const;
  bool begun_call_covers(Epoch epoch) const;
  void take_item_accesses(Actor stream, const Item& item);
  void free_waiting(const OpInfo& op_info, const Access& range, bool reported);
  bool cannot_go_on(Actor stream, std::vector<Actor>& path, Stuck& found) const;
  bool nobody_ends(const Item& wait, std::vector<Actor>& path, Stuck& found) const;
  std::size_t waits_in(const State& state, const Pending::Number& number) const;
  static bool enough(const std::vector<const Pending*>& coming, const Pending::Number& wait,
                     std::size_t wanted);
  bool may_be_written(const Variable& word) const;
  bool writes_waiting(std::uintptr_t begin, std::size_t size) const;
  bool may_be_released_later(Actor stream, std::vector<Actor>& seen) const;
  std::vector<Epoch> waits_for(Actor stream) const;
  bool is_blocked_before(CompletionId completion_id, const State& state) const;

  Report report_;
  EngineObserver* observer_;
  BegunCalls begun_calls_;
  std::vector<State> actors_;
  std::vector<Actor> unused_;
  std::vector<Actor> hosts_;  // that have not ended
  std::vector<Caller> callers_;
  std::size_t ended_hosts_ = 0;
  // What threads may have told others: those that have ended, and the crew in functions that are
  // over.
  VectorClock told_clock_;
  Snapshot hosts_snapshot_;  // of the clocks of all hosts; null: one of them has advanced
  CompletionMap<Pending> pending_;
  std::vector<Pending> never_served_;  // calls that failed before a thread had begun them
  CompletionId last_completion_id_ = 0;
  std::uint64_t last_record_ = 0;
  std::map<std::uintptr_t, std::shared_ptr<Variable>> words_;  // with waits, by address
  Shadow shadow_;
  // Of the item, or of the function that a host is in; null: it is issued now.
  const VectorClock* hosts_clock_at_issue_ = nullptr;
  std::vector<Shadow::Conflict> conflicts_;  // of one call; kept for its capacity
  std::vector<Actor> ready_;                 // streams that may proceed
  bool draining_ = false;
};

}  // namespace order
