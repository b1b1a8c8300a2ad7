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

#include "runtime/order/fifo.h"
#include "runtime/order/finding.h"
#include "runtime/order/note_map.h"
#include "runtime/order/shadow.h"
#include "runtime/order/variable.h"
#include "runtime/order/vector_clock.h"

namespace order {

/// What an event's record leaves behind: all that has happened before it. A stream may wait for it
/// before the record's own stream has come there.
struct Node {
  bool resolved = false;
  VectorClock clock;
  Deed record;
  Actor by = 0;  // the stream that was told to record
  // The host that issued the record, what that had learnt by then (0: not known), and the moment.
  Actor host = 0;
  std::uint32_t version = 0;
  Epoch when;
  std::uint64_t serial = 0;  // of the record, among all
  std::vector<Actor> blocked;   // streams that stand at a wait for it

  /// As new, with the room that it has.
  void renew();
  /// A wait was bound to it.
  void bind(Epoch wait);
  template <class Test>
  bool any_wait(Test&& test) const {
    return (first_wait_.count != 0 && test(first_wait_)) ||
           std::any_of(more_waits_.begin(), more_waits_.end(), test);
  }

 private:
  void forget_earlier_waits();

  Epoch first_wait_;  // nearly always the only one
  std::vector<Epoch> more_waits_;  // of each stream the last one counts
};

/// Sees what is taken in, with what is known to come before it.
class Witness {
 public:
  virtual ~Witness() = default;
  virtual void accessed(Epoch when, const VectorClock& known, const Deed& deed,
                        const Access& access) = 0;
  /// A host thread came to know more.
  virtual void learnt(Epoch when, const VectorClock& known) = 0;
  /// A finding says that `earlier` does not come before `when`. True: the witness doubts that, and
  /// sees to it that the finding is told or not.
  virtual bool doubts(Epoch earlier, Epoch when, const VectorClock& known,
                      const Finding& finding) = 0;
};

/// Decides what is ordered before what, by the meaning of the calls and never by the order in which
/// things happened to run: vector clocks over streams and host threads. Items of a stream are taken
/// in as the program issues them. Where the order depends on what the machine does (callbacks,
/// notifies, values, graphs) the stream stands still in here until `happened`, and what is behind
/// it waits; so what is taken in is the same in every run that takes the same turns.
///
/// Not thread-safe: whoever owns it locks. The machine's reports about an item come before what
/// they make possible.
class Engine {
 public:
  using Report = std::function<void(Finding&&)>;
  /// `witness`, which may be null, outlives this.
  explicit Engine(Report report, Witness* witness = nullptr)
      : report_(std::move(report)), witness_(witness) {}

  // --- actors ---
  Actor add_host();
  /// The thread has ended. What it knew still counts as known to some thread.
  void end_host(Actor host);
  /// `creator` makes it: what the stream does is behind that.
  Actor add_stream(Actor creator);
  /// A stream of the machine, which knows nothing.
  Actor add_stream();
  /// The stream has ended; its number is used again.
  void end_stream(Actor stream);
  /// All that was issued to the stream is over or dropped, and the thread knows it.
  void abort(Actor host, Actor stream);

  // --- items of streams, in the order of issue; `host` issues ---
  void op(Actor stream, Actor host, const Deed& deed, std::span<const Access> accesses) {
    State& state = actors_[stream];
    if (state.blocked) return op_later(stream, host, deed, accesses);
    start(state, stream, host);
    if (!accesses.empty()) take_accesses(stream, deed, accesses);
  }
  /// The same for an op that touches nothing, where that is only to be counted; else false.
  bool goes_on(Actor stream, Actor host) {
    State& state = actors_[stream];
    if (state.blocked) return goes_on_later(state, host);
    start(state, stream, host);
    return true;
  }
  /// More of these were issued, by the host that issued the last one and that has learnt nothing and
  /// told nothing since, to a stream that does not stand.
  void went_on(Actor stream, std::uint32_t ops);
  /// `owner` keeps the node.
  void record(Actor stream, Actor host, const Deed& deed, Node& node,
              const std::shared_ptr<void>& owner);
  void wait(Actor stream, Actor host, const Deed& deed, Node& node,
            const std::shared_ptr<void>& owner);
  /// The same for a wait that is over at once and tells nothing; else false, and nothing is done.
  bool wait_at_once(Actor stream, Actor host, Node& node);
  /// A change of a number: counts when it has `happened`. `accesses`: where the number lies.
  NoteId change(Actor stream, Actor host, const Deed& deed, std::shared_ptr<Variable> variable,
                Variable::Update update, bool adds, std::span<const Access> accesses = {});
  /// A wait for a number: the stream stands until it has `happened`. `clears`: who passes sets it
  /// to 0.
  NoteId wait_for(Actor stream, Actor host, const Deed& deed, std::shared_ptr<Variable> variable,
                  Variable::Test test, bool clears, std::span<const Access> accesses = {});
  /// A function of the program, for a host thread to run. `blocking`: the stream stands until it is
  /// over.
  NoteId call(Actor stream, Actor host, const Deed& deed, bool blocking);
  /// The start of a graph: the stream stands until that is over. `accesses`: all that the graph
  /// touches, which is told one by one when it runs.
  NoteId launch(Actor stream, Actor host, const Deed& deed, std::span<const Access> accesses = {});
  /// The word of memory at the address, which ops may write without a change. Kept until it is freed.
  const std::shared_ptr<Variable>& word(std::uintptr_t address);
  /// The wait for a number ends by itself some day.
  void has_time_limit(NoteId note);

  // --- reports of the machine ---
  void happened(NoteId note, bool failed);
  /// A host thread runs the function of a `call`.
  void call_begins(NoteId note, Actor host);
  void call_ends(NoteId note, Actor host);
  struct Call {
    NoteId note;
    Actor host;
  };
  /// The two and `happened` at once of each: the functions did nothing that was told here.
  void called(std::span<const Call> calls);

  // --- runs of graphs: streams that belong to the machine ---
  void run_begins(NoteId launch, Actor stream);
  void run_ends(NoteId launch, Actor stream);
  void run_op(Actor stream, const Deed& deed, std::span<const Access> accesses);
  void run_record(Actor stream, const Deed& deed, Node& node);
  void run_wait(Actor stream, const Node& node);
  void run_change(Actor stream, const Deed& deed, Variable& variable,
                  const Variable::Update& update, bool adds);
  void run_wait_for(Actor stream, Variable& variable, const Variable::Test& test, bool clears);
  /// A host thread runs a function of the graph; the stream is behind it when that is blocking.
  void run_call_begins(Actor stream, Actor host) { learn(host, actors_[stream].clock); }
  void run_call_ends(Actor stream, Actor host) { release(host, actors_[stream].clock); }

  // --- host threads ---
  /// How far the stream has been issued: what a synchronize that begins now waits for. Called when
  /// it begins: what the stream knows there is kept until it is over.
  std::uint32_t issued(Actor stream) {
    State& state = actors_[stream];
    const bool first = state.next_mark == kNoMark && state.marks.empty();
    if (!first) return issued_again(state);
    state.next_mark = state.issued;
    return state.issued;
  }
  /// The synchronize is over. Tells whether the thread learnt anything.
  bool synchronized(Actor host, Actor stream, std::uint32_t issued);
  /// A synchronize that begins now will tell the thread nothing.
  bool has_learnt_all_of(Actor host, Actor stream) {
    State& state = actors_[stream];
    if (state.blocked || actors_[host].clock.of(stream) < state.issued) return false;
    return has_learnt_clock_of(host, state);
  }
  bool synchronized(Actor host, const Node& node);
  void host_access(Actor host, const Deed& deed, std::span<const Access> accesses);
  /// The range is about to go: whoever may still use it is reported, and it is forgotten.
  void free(Actor host, const Deed& deed, const Access& range);
  /// The bytes are new: whoever used them before is over.
  void renew(const Access& range) { shadow_.erase(range.begin, range.size); }
  /// One thread tells another, outside of ACL.
  void release(Actor host, VectorClock& into);
  void acquire(Actor host, const VectorClock& from);

  /// The thread's next moment: what it knew before does not belong to it.
  Epoch step_host(Actor host);

  // --- questions ---
  const VectorClock& clock(Actor actor) const { return actors_[actor].clock; }
  /// What came before an item that has a note, itself included; null when it is over.
  const VectorClock* clock_of(NoteId note) const;
  /// The item's moment.
  Epoch moment_of(NoteId note) const;
  /// What any host knows.
  VectorClock any_host() const;
  /// The last accesses to each piece of the range.
  void visit(const Access& range, const Shadow::Visit& visit) const {
    shadow_.visit(range.begin, range.size, visit);
  }
  /// An item that the host does not know to be over, and that was issued, writes some of the bytes.
  bool may_be_written_before(const Access& range, Actor host) const;
  /// The stream stands behind a wait for a number, which what has not been issued yet may end.
  bool may_be_released_later(Actor stream) const;
  /// The number of the stream's last item.
  std::uint32_t last(Actor stream) const { return actors_[stream].issued; }
  /// True while the stream stands at something that the machine has not reported yet.
  bool stands(Actor stream) const { return actors_[stream].blocked; }
  /// What the item was; an empty deed when it is over.
  Deed deed_of(NoteId note) const;
  /// True for a call that its stream stands at.
  bool blocks(NoteId note) const;
  bool knows(Actor host, Epoch epoch) const { return actors_[host].clock.covers(epoch); }
  /// The last moment in the life of an actor.
  Epoch now(Actor actor) const { return {actor, actors_[actor].clock.of(actor)}; }
  /// True when the thread knows that all that was issued is over.
  bool knows_all_of(Actor host, Actor stream) const;
  /// A wait that was bound to the node may not be over yet, as far as the thread knows, when its
  /// event is recorded again as `next`.
  bool may_be_waited_for(Actor host, const Node& node, const Node& next) const;
  bool written(std::uintptr_t begin, std::size_t size) const { return shadow_.written(begin, size); }
  std::size_t cells() const noexcept { return shadow_.size(); }
  /// Why a stream cannot go on: waits, each behind the next; none when it can.
  struct Stuck {
    std::vector<Deed> waits;
    // The last is behind the first, in the shortest such circle that the stream is behind; else
    // nothing that was issued ends it.
    bool cycle = true;
  };
  /// A wait that nothing ends counts only while there is a single host thread.
  Stuck stuck(Actor stream) const;
  /// The same for the stream that is to record the node.
  Stuck stuck(const Node& node) const;
  /// A stream that stands at a wait without time limit.
  struct Standing {
    Epoch at;  // the wait
    Deed deed;
    NoteId note = 0;       // of a wait for a number
    VectorClock ended_by;  // the items of streams that end it, as far as they are issued
    bool others_may_end = false;  // who is not known here
  };
  std::vector<Standing> standing() const;
  /// Those that have ended among them.
  std::size_t host_threads() const noexcept { return hosts_.size() + ended_hosts_; }
  /// Functions of the program, or graphs, that are not over.
  bool calls_pending() const;
  /// Calls that no host thread has begun, of streams that have not ended: `visit(deed, stands)`
  /// until it returns true; true if it did. `stands`: its stream does until the call is over.
  template <class Visit>
  bool any_unserved(Visit&& visit) const {
    const auto still_may_be = [&](NoteId, const Pending& call) {
      return call.unserved && visit(call.deed, call.kind == Item::Kind::blocking_call);
    };
    return pending_.any(still_may_be) ||
           std::any_of(never_served_.begin(), never_served_.end(),
                       [&](const Pending& call) { return visit(call.deed, false); });
  }
  /// The record of the node, while it is still behind something.
  std::optional<Epoch> recorder_of(const Node& node) const;

 private:
  /// A clock as it was; items that are issued without news between them share one. Not counted
  /// atomically, since the engine has an owner who locks.
  struct Kept : boost::intrusive_ref_counter<Kept, boost::thread_unsafe_counter> {
    explicit Kept(const VectorClock& now) : clock(now) {}
    const VectorClock clock;
  };
  using Snapshot = boost::intrusive_ptr<const Kept>;
  struct Pending;
  struct alignas(64) Item {  // what a call needs is on one line of the cache
    enum class Kind : std::uint8_t {
      op, record, wait, change, wait_for, call, blocking_call, launch
    };
    Kind kind{};
    bool begun = false;
    NoteId note = 0;
    std::uint32_t ops = 0;  // behind it, that touch nothing and whose host knew no more
    Pending* pending = nullptr;  // of the note, as long as that names it
    Snapshot host_clock;   // at the issue
    std::shared_ptr<Node> node;
    std::vector<Access> accesses;
    Snapshot hosts_clock;  // what any host knew then; null: there was only this one, or nobody asks
    Deed deed;             // of a blocking call its note has it

    void renew();
  };
  /// Where a stream stood when a synchronize began.
  struct Mark {
    std::uint32_t issued;
    std::uint32_t users;
    Snapshot passed;  // what the stream knew there; null: it has not gone on since
  };
  static constexpr std::uint32_t kNoMark = ~std::uint32_t{0};
  struct alignas(64) State {  // what most items need is on two lines of the cache
    VectorClock clock;
    bool host = false;
    bool blocked = false;            // at a wait or call that is not over
    std::uint32_t issued = 0;        // the number of the last item
    std::uint32_t next_mark = kNoMark;  // that the stream comes to
    std::uint32_t version = 1;       // hosts: counts what it learnt,
    std::uint32_t moment = 1;        // and that with its own steps
    Actor seen_host = 0;             // streams: whose clock was joined last,
    std::uint32_t seen_version = 0;  // and when
    std::uint32_t seen_moment = 0;
    // Streams: what they know but their own steps is known to this host, as long as their clock has
    // no more news, and but for the record of that number (0: none).
    Actor known_to = 0;
    std::uint32_t known_news = 0;
    std::uint64_t record = 0;  // hosts: the last one that they learnt of such a stream
    Snapshot snapshot;               // hosts: of the clock; null: it has gone on
    Snapshot joined;                 // streams: the last one that was joined
    Snapshot hosts_clock;            // of a graph: what any host knew at its launch
    Fifo<Item> waiting;
    std::vector<Mark> marks;  // by what was issued; empty while there is one for one user
  };
  static constexpr std::size_t kMostMarks = 8;
  struct Pending {  // an item with a NoteId
    Actor actor = 0;
    Item::Kind kind{};
    bool has_time_limit = false;
    bool unserved = false;  // a function that has not begun
    Deed deed;
    struct Number {
      std::shared_ptr<Variable> variable;
      Variable::Update update;
      Variable::Test test;
      bool adds_or_clears;
    };
    std::unique_ptr<Number> number;  // of a change or a wait for one
    Snapshot clock;  // at the item; null: it has not come there, or its stream stands there

    void renew();
  };
  static_assert(sizeof(Pending) == 56, "with its note it fills a line of the cache");

  Actor new_stream();
  Item& line_up(Actor stream, Item::Kind kind);
  Item& line_up(Actor stream, Item::Kind kind, const Deed& deed);
  static const Deed& deed_of(const Item& item);
  void issue(Actor stream, Actor host, Item& item);
  NoteId issue(Actor host, Pending& pending, const Deed& deed,
               std::span<const Access> accesses = {});
  void meet_host(State& stream, Actor host);
  void meet_host_again(State& stream, const State& by, Actor host);
  Snapshot snapshot_of(Actor host);
  Snapshot snapshot_of_hosts();
  /// The stream goes on to its next item.
  static void begin(State& stream, Actor number) {
    if (stream.clock.of(number) == stream.next_mark) [[unlikely]] pass_mark(stream);
    stream.clock.advance(number);
  }
  static void pass_mark(State& state);
  static std::uint32_t issued_again(State& state);
  static void list_mark(State& state);
  static void find_next_mark(State& state);
  void drop(Actor stream, Item& item);
  void drop_waiting(Actor stream);
  void uncount(NoteId note);
  void forget_unserved(Actor stream);
  void drain(Actor stream);
  static void pass_over(State& stream, Actor number, std::uint32_t ops);
  static void leave(State& stream, Actor number);
  bool take(Actor stream, Item& item);
  /// The next item of a stream that does not stand.
  void start(State& stream, Actor number, Actor host) {
    ++stream.issued;
    begin(stream, number);
    if (stream.seen_host == host && stream.seen_moment == actors_[host].moment) return;
    meet_host(stream, host);
  }
  bool take_wait(Actor stream, const Deed& deed, Node& node);
  bool goes_on_later(State& stream, Actor host);
  void op_later(Actor stream, Actor host, const Deed& deed, std::span<const Access> accesses);
  void take_accesses(Actor actor, const Deed& deed, std::span<const Access> accesses);
  void resolve(Node& node, const VectorClock& clock);
  void pass(Actor stream, Variable& variable, const Variable::Test& test, bool clears);
  void join_writer(VectorClock& clock, std::uintptr_t address) const;
  void overwrite_words(const Access& range);
  void unblock(Actor stream);
  const VectorClock& clock_at(const Pending& pending) const;
  std::size_t end_row(Actor stream, std::span<const Call> calls);
  static std::size_t row_of(State& state, Actor stream, std::span<const Call> calls);
  Pending& pend(Item::Kind kind, Actor stream, const Deed& deed);
  bool learn(Actor host, const VectorClock& clock);
  bool learn_all_of(Actor host, State& stream, Actor number);
  bool has_learnt_clock_of(Actor host, State& stream);
  static bool is_known_to(const State& stream, Actor host) {
    return stream.known_to == host && stream.known_news == stream.clock.news();
  }
  [[gnu::always_inline]] void has_learnt(Actor host) {
    State& state = actors_[host];
    ++state.version;
    ++state.moment;
    state.snapshot = nullptr;
    hosts_snapshot_ = nullptr;
    if (witness_) [[unlikely]] witness_->learnt(now(host), state.clock);
  }
  void step(Actor actor);
  void tell_conflict(Actor actor, const Deed& deed, const Access& access,
                     const Shadow::Conflict& conflict, bool frees);
  bool any_host_knows(Epoch epoch) const;
  bool some_host_knows(Epoch epoch) const;
  void take_item_accesses(Actor stream, const Item& item);
  void free_waiting(const Deed& deed, const Access& range, bool told);
  bool cannot_go_on(Actor stream, std::vector<Actor>& path, Stuck& found) const;
  bool nobody_ends(const Item& wait, std::vector<Actor>& path, Stuck& found) const;
  std::size_t waits_in(const State& state, const Pending::Number& number) const;
  static bool enough(const std::vector<const Pending*>& coming, const Pending::Number& wait,
                     std::size_t wanted);
  bool may_be_written(const Variable& word) const;
  bool writes_waiting(std::uintptr_t begin, std::size_t size) const;
  bool may_be_released_later(Actor stream, std::vector<Actor>& seen) const;
  std::vector<Epoch> waits_for(Actor stream) const;
  bool stands_before(NoteId note, const State& state) const;

  Report report_;
  Witness* witness_;
  std::vector<State> actors_;
  std::vector<Actor> unused_;
  std::vector<Actor> hosts_;    // that have not ended
  std::size_t ended_hosts_ = 0;
  VectorClock ended_knew_;      // what any of those knew
  Snapshot hosts_snapshot_;  // of what any host knows; null: one of them has gone on
  NoteMap<Pending> pending_;
  std::vector<Pending> never_served_;  // calls that failed before a thread had begun them
  NoteId last_note_ = 0;
  std::uint64_t last_record_ = 0;
  std::map<std::uintptr_t, std::shared_ptr<Variable>> words_;  // of memory, that somebody waited for
  Shadow shadow_;
  const VectorClock* hosts_knew_ = nullptr;  // when the item was issued; null: it is issued now
  std::vector<Shadow::Conflict> conflicts_;  // of one call; kept for its room
  std::vector<Actor> ready_;                 // streams that may go on
  bool draining_ = false;
};

}  // namespace order
