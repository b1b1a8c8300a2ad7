// SPDX-License-Identifier: Apache-2.0
// Clocks and accesses of host threads, and conflicts in memory.
#include "runtime/order/engine/engine.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace order {
namespace {

constexpr const char* kUseAfterFree = "{it} uses {bytes} that {other} released before";
constexpr std::string_view kFreeLater =
    "free the memory after its last use: let {other} wait for an event that is recorded after {it}";

/// Whether one of two accesses releases the memory.
Release release_of(bool frees, const Shadow::Touch& earlier) {
  if (frees) return Release::by_it;
  return earlier.leaves == Shadow::Leaves::freed ? Release::by_other : Release::none;
}

constexpr std::string_view kAfterFunction =
    "record an event after the host function, or wait for one before it; if host threads order "
    "the two, announce it with aclsimCheckRelease and aclsimCheckAcquire";

}  // namespace

/// Around accesses of a host thread: what it accesses inside a function is checked against what
/// host threads knew when the function was launched.
class Engine::InFunction {
 public:
  InFunction(Engine& engine, Actor host) : engine_(engine) {
    if (engine.callers_.empty()) [[likely]]
      return;
    static const VectorClock nothing;
    engine.steps_outside(host);
    for (Caller& one : engine.callers_) {
      if (one.host != host) continue;
      one.accessed = true;
      engine.hosts_clock_at_issue_ = one.hosts_clock ? &one.hosts_clock->clock : &nothing;
    }
  }
  ~InFunction() { engine_.hosts_clock_at_issue_ = nullptr; }
  InFunction(const InFunction&) = delete;
  InFunction& operator=(const InFunction&) = delete;

 private:
  Engine& engine_;
};

// ---- host threads ----

bool Engine::join_clock(Actor host, const VectorClock& clock) {
  State& state = actors_[host];
  if (!state.clock.join(clock)) return false;
  clock_advanced(host);
  return true;
}

// Mostly the clock of the host covers all but the stream's last steps: it has joined the rest from
// the stream itself, or from another one that waited for the same record. A stream that covered all
// of the host does so still.
[[gnu::always_inline]] inline bool Engine::join_clock_of_stream(Actor host, State& stream,
                                                                Actor number) {
  State& by = actors_[host];
  if (by.crew) return join_clock(host, stream.clock);  // covers the stream no longer than the call
  const bool met = stream.seen_host == host && stream.seen_moment == by.moment;
  const bool known = is_covered_by(stream, host);
  bool advanced = false;
  if (known && (stream.record == 0 || stream.record == by.record)) {
    advanced = by.clock.raise({number, stream.clock.of(number)});
    if (advanced) clock_advanced(host);
  } else {
    advanced = join_clock(host, stream.clock);
    if (known) by.record = stream.record;
    stream.covered_by = host;
    stream.covered_news = stream.clock.news();
  }
  stream.record = 0;
  if (met) {
    stream.seen_version = by.version;
    stream.seen_moment = by.moment;
  }
  return advanced;
}

bool Engine::covers_clock_of(Actor host, State& stream) {
  if (is_covered_by(stream, host) && stream.record == 0) return true;
  if (!actors_[host].clock.covers(stream.clock)) return false;
  if (actors_[host].crew) return true;
  stream.covered_by = host;
  stream.covered_news = stream.clock.news();
  stream.record = 0;
  return true;
}

// There is a mark already.
std::uint32_t Engine::issued_again(State& state) {
  list_mark(state);
  std::vector<Mark>& marks = state.marks;
  if (marks.back().issued != state.issued) {
    // The oldest one may belong to a synchronise that gave up.
    if (marks.size() == kMostMarks) {
      marks.erase(marks.begin());
      find_next_mark(state);
    }
    marks.push_back({state.issued, 0, nullptr});
    if (state.next_mark == kNoMark) state.next_mark = state.issued;
  }
  ++marks.back().users;
  return state.issued;
}

void Engine::list_mark(State& state) {
  if (!state.marks.empty() || state.next_mark == kNoMark) return;
  state.marks.push_back({state.next_mark, 1, nullptr});
}

void Engine::find_next_mark(State& state) {
  const auto next = std::find_if(state.marks.begin(), state.marks.end(),
                                 [](const Mark& mark) { return !mark.passed; });
  state.next_mark = next == state.marks.end() ? kNoMark : next->issued;
}

void Engine::pass_mark(State& state) {
  list_mark(state);
  for (Mark& mark : state.marks) {
    if (mark.issued != state.next_mark) continue;
    mark.passed = new Kept(state.clock);
  }
  find_next_mark(state);
}

// What others have issued since the call began is not known to be over.
bool Engine::synchronized(Actor host, Actor stream, std::uint32_t issued) {
  State& state = actors_[stream];
  if (state.next_mark == issued && state.marks.empty()) {
    state.next_mark = kNoMark;
    return join_clock_of_stream(host, state, stream);
  }
  const auto mark = std::find_if(state.marks.begin(), state.marks.end(),
                                 [&](const Mark& known) { return known.issued == issued; });
  if (mark == state.marks.end()) {
    VectorClock clock = state.clock;
    clock.set(stream, std::min(issued, clock.of(stream)));
    return join_clock(host, clock);
  }
  const bool advanced = mark->passed ? join_clock(host, mark->passed->clock)
                                     : join_clock_of_stream(host, state, stream);
  if (--mark->users == 0) {
    const bool was_next = state.next_mark == issued;
    state.marks.erase(mark);
    if (was_next) find_next_mark(state);
  }
  return advanced;
}

bool Engine::synchronized(Actor host, const Node& node) {
  return node.resolved && join_clock(host, node.clock);
}

void Engine::host_access(Actor host, const OpInfo& op_info, std::span<const Access> accesses) {
  step(host);
  const InFunction scope(*this, host);
  take_accesses(host, op_info, accesses);
}

// ---- host threads in functions of streams ----

// When the thread runs a function is a matter of luck, so what it does there is told to nobody:
// else the same pair of accesses would be ordered by host threads in one run and not in the next.
void Engine::enter_function(Actor host, const VectorClock& before, Actor stream,
                            Snapshot hosts_clock) {
  Epoch as;
  if (actors_[host].crew) {
    begin_anew(host, before);
    as = {stream, before.of(stream)};
  } else {
    join_clock(host, before);
  }
  if (Caller* const known = caller(host)) {
    known->inside = true;
    known->hosts_clock = std::move(hosts_clock);
  } else {
    const std::uint32_t told = actors_[host].clock.of(host);
    callers_.push_back({host, told, true, false, std::move(hosts_clock), as});
  }
}

/// What the function did happens before all that follows on its stream.
void Engine::end_function(Actor host, VectorClock& stream) {
  if (!actors_[host].crew) return release(host, stream);
  stream.join(actors_[host].clock);
}

void Engine::leave_function(Actor host) {
  const bool crew = actors_[host].crew;
  if (crew && caller(host)) {
    tell(released_clock_of(host));
    begin_anew(host, {});
  }
  std::erase_if(callers_, [host, crew](Caller& one) {
    if (one.host != host) return false;
    one.inside = false;
    one.hosts_clock = nullptr;
    return crew || !one.accessed;
  });
}

/// The thread forgets what it knew.
void Engine::begin_anew(Actor host, const VectorClock& known) {
  State& state = actors_[host];
  const std::uint32_t count = state.clock.of(host) + 1;
  state.clock = known;
  state.clock.set(host, count);
  state.record = 0;
  clock_advanced(host);
}

void Engine::tell(const VectorClock& known) {
  if (told_clock_.join(known)) hosts_snapshot_ = nullptr;
}

// A thread that goes on by itself may have told others of all that it did.
void Engine::steps_outside(Actor host) {
  std::erase_if(callers_, [host](const Caller& one) { return one.host == host && !one.inside; });
}

const Engine::Caller* Engine::caller(Actor host) const {
  const auto known = std::find_if(callers_.begin(), callers_.end(),
                                  [host](const Caller& one) { return one.host == host; });
  return known == callers_.end() ? nullptr : &*known;
}

Engine::Caller* Engine::caller(Actor host) {
  return const_cast<Caller*>(std::as_const(*this).caller(host));
}

std::uint32_t Engine::released_count(Actor host) const {
  if (const Caller* const known = caller(host)) return known->told;
  return actors_[host].crew ? 0 : actors_[host].clock.of(host);
}

/// The thread's clock without what it did in functions and may have told nobody.
VectorClock Engine::released_clock_of(Actor host) const {
  VectorClock told = actors_[host].clock;
  told.set(host, released_count(host));
  if (const Caller* const known = caller(host); known && known->as.count != 0) {
    told.set(known->as.actor, known->as.count - 1);
  }
  return told;
}

VectorClock Engine::released_by_hosts() const {
  if (callers_.empty()) return any_host();
  VectorClock known = told_clock_;
  for (const Actor host : hosts_) known.join(released_clock_of(host));
  return known;
}

/// When what the actor accesses now counts as done.
Epoch Engine::access_epoch(Actor actor) const {
  const Caller* const known = caller(actor);
  return known && known->as.count != 0 ? known->as : now(actor);
}

bool Engine::is_in_function(Actor actor) const {
  const Caller* const known = caller(actor);
  return known && (known->as.count != 0 || now(actor).count > known->told);
}

bool Engine::accessed_in_function(const Shadow::Touch& earlier) const {
  const auto [actor, count] = earlier.when;
  if (!actors_[actor].host) return earlier.op_info.stream == OpInfo::kNoStream;
  const Caller* const known = caller(actor);
  return known && count > known->told;
}

Engine::Snapshot Engine::hosts_clock_of(const Pending& call, CompletionId completion_id) {
  if (call.clock) return call.clock->hosts_clock;
  const Item* const item = item_of(call, completion_id);
  return item ? item->hosts_clock : nullptr;
}

void Engine::release(Actor host, VectorClock& into) {
  steps_outside(host);
  into.join(actors_[host].clock);
  Caller* const known = actors_[host].crew ? caller(host) : nullptr;
  if (known) {
    known->as = {};
    known->told = actors_[host].clock.of(host);
  }
  step(host);  // what it does from here on is not released
}

Epoch Engine::step_host(Actor host) {
  steps_outside(host);
  step(host);
  return now(host);
}

void Engine::acquire(Actor host, const VectorClock& from) { join_clock(host, from); }

void Engine::free(Actor host, const OpInfo& op_info, const Access& range) {
  step(host);
  const InFunction scope(*this, host);
  conflicts_.clear();
  Access all = range;
  all.write = all.frees = true;
  if (observer_) observer_->accessed(access_epoch(host), actors_[host].clock, op_info, all);
  shadow_.look(all, actors_[host].clock, conflicts_);
  for (const Shadow::Conflict& conflict : conflicts_) {
    tell_conflict(host, op_info, all, conflict, true);
  }
  free_waiting(op_info, all, !conflicts_.empty());
  shadow_.erase(range.begin, range.size);
  words_.erase(words_.lower_bound(range.begin), words_.lower_bound(range.begin + range.size));
}

// Items that have not been taken in are surely not over; later they must not meet whatever takes
// the place of what is freed.
void Engine::free_waiting(const OpInfo& op_info, const Access& range, bool reported) {
  const auto touches = [&](const Access& access) {
    return access.begin < range.begin + range.size && range.begin < access.begin + access.size;
  };
  for (State& state : actors_) {
    for (std::size_t i = 0; i < state.waiting.size(); ++i) {
      Item& item = state.waiting[i];
      const auto found = std::find_if(item.accesses.begin(), item.accesses.end(), touches);
      if (found == item.accesses.end()) continue;
      Shadow::Conflict conflict{{}, *found};
      conflict.earlier.op_info = item.op_info;
      // Of a graph that runs, some ops have been reported by themselves.
      const bool reported_already = reported && item.kind == Item::Kind::launch;
      if (!reported_already) tell_conflict(0, op_info, range, conflict, true);
      std::erase_if(item.accesses, touches);
    }
  }
}

bool Engine::covers_all_of(Actor host, Actor stream) const {
  return actors_[host].clock.of(stream) >= actors_[stream].issued;
}

// In a chain the next record is queued after the wait for the one before.
bool Engine::may_be_waited_for(const Node& node, const Node& next) const {
  return node.any_wait([&](Epoch wait) {
    return wait.actor != next.by && !next.clock.covers(wait) && !any_host_covers(wait);
  });
}

// ---- memory ----

void Engine::take_accesses(Actor actor, const OpInfo& op_info, std::span<const Access> accesses) {
  const State& state = actors_[actor];
  const Epoch when = state.crew ? access_epoch(actor) : now(actor);
  for (const Access& access : accesses) {
    if (observer_) observer_->accessed(when, state.clock, op_info, access);
    if (!words_.empty()) [[unlikely]]
      overwrite_words(access);
    if (shadow_.touch_again(access, when, state.clock, op_info)) [[likely]]
      continue;
    conflicts_.clear();
    shadow_.touch(access, when, state.clock, op_info, conflicts_);
    for (const Shadow::Conflict& conflict : conflicts_) {
      tell_conflict(actor, op_info, access, conflict, access.frees);
    }
  }
}

void Engine::take_item_accesses(Actor stream, const Item& item) {
  if (item.accesses.empty()) return;
  // Threads that came later say nothing of when it was issued.
  const Snapshot& known = item.hosts_clock ? item.hosts_clock : item.host_clock;
  hosts_clock_at_issue_ = known ? &known->clock : nullptr;
  take_accesses(stream, item.op_info, item.accesses);
  hosts_clock_at_issue_ = nullptr;
}

/// True when the thread is ordered after the epoch, and may have told others.
bool Engine::may_have_released(Actor host, Epoch epoch) const {
  if (host == epoch.actor) return released_count(host) >= epoch.count;
  if (!covers(host, epoch)) return false;
  const Caller* const known = actors_[host].crew ? caller(host) : nullptr;
  return !known || known->as.actor != epoch.actor || known->as.count != epoch.count;
}

bool Engine::any_host_covers(Epoch epoch) const {
  return told_clock_.covers(epoch) ||
         std::any_of(hosts_.begin(), hosts_.end(),
                     [&](Actor host) { return may_have_released(host, epoch); }) ||
         begun_call_covers(epoch);
}

bool Engine::begun_call_covers(Epoch epoch) const {
  if (!begun_calls_) return false;
  const std::vector<Begun> calls = begun_calls_();
  return std::any_of(calls.begin(), calls.end(), [&](const Begun& call) {
    if (call.completion_id == 0) return actors_[call.run].clock.covers(epoch);
    const Pending* const at = pending_.find(call.completion_id);
    return at && clock_at(*at).covers(epoch);
  });
}

// Of several, so that one may have synchronised with another.
bool Engine::some_host_covers(Epoch epoch) const {
  if (epoch.count == 0) return false;
  if (hosts_clock_at_issue_) return hosts_clock_at_issue_->covers(epoch);
  return host_threads() > 1 ? any_host_covers(epoch) : begun_call_covers(epoch);
}

namespace {

// Somebody has written what two guesses touch. If that may come at the same time as the later one,
// the two may not both be reads.
Guess guess_of(const OpInfo& op_info, const Shadow::Touch& earlier, const VectorClock& known) {
  const Guess guess = guess_between(op_info, earlier.op_info);
  if (guess != Guess::may_read) return guess;
  if (earlier.content.count == 0 || known.covers(earlier.content)) return guess;
  const bool itself =
      earlier.content.actor == earlier.when.actor && earlier.content.count == earlier.when.count;
  return itself ? Guess::only_they : Guess::must_write;
}

/// What a graph accesses is reported when it runs, of a kernel that is observed when it is over.
/// What a thread did before it launched them is ordered before that; so what is not came after the
/// launch.
bool launched_first(const OpInfo& it, const OpInfo& earlier) {
  return (it.in_graph || it.observed) && earlier.stream == OpInfo::kNoStream &&
         earlier.thread == it.thread;
}

}  // namespace

void Engine::tell_conflict(Actor actor, const OpInfo& op_info, const Access& access,
                           const Shadow::Conflict& conflict, bool frees) {
  const OpInfo& earlier = conflict.earlier.op_info;
  const bool by_host = earlier.stream == OpInfo::kNoStream || op_info.stream == OpInfo::kNoStream;
  const Release release = release_of(frees, conflict.earlier);
  Rule rule = release != Release::none ? Rule::freed_in_use : Rule::race;
  if (by_host && access.host) rule = Rule::host_buffer;
  if (conflict.ordered) rule = Rule::dead_handle;
  Finding finding(rule);
  set_guess(finding, guess_of(op_info, conflict.earlier, actors_[actor].clock));
  const bool others = conflict.earlier.when.actor != actor && !conflict.ordered;
  if (others && some_host_covers(conflict.earlier.when)) {
    finding = Finding(Rule::host_threads_only);
  } else if (accessed_in_function(conflict.earlier) || is_in_function(actor)) {
    finding.repair = kAfterFunction;
  }
  const Access first = conflict.earlier.access(0, 0);
  const bool swapped = release == Release::none && launched_first(op_info, earlier);
  finding.op_info = swapped ? earlier : op_info;
  finding.other = swapped ? op_info : earlier;
  finding.where = conflict.bytes;
  finding.where.write = swapped ? first.write : access.write;
  finding.text =
      conflict.ordered ? kUseAfterFree : conflict_text(finding, release, swapped ? access : first);
  if (conflict.ordered) {
    finding.title = "use after free";
    finding.repair = "move {other} after the last use of the memory";
  }
  if (release == Release::by_other) finding.repair = kFreeLater;
  const Epoch before = conflict.earlier.when;
  const bool sure = conflict.ordered || before.count == 0;
  const VectorClock& known = actors_[actor].clock;
  if (observer_ && !sure && observer_->doubts(before, access_epoch(actor), known, finding)) return;
  report_(std::move(finding));
}

}  // namespace order
