// SPDX-License-Identifier: Apache-2.0
// Clocks and accesses of host threads, and conflicts in memory.
#include "runtime/order/engine.h"

#include <algorithm>
#include <utility>

namespace order {

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
  take_accesses(host, op_info, accesses);
}

void Engine::release(Actor host, VectorClock& into) {
  into.join(actors_[host].clock);
  step(host);  // what it does from here on is not released
}

Epoch Engine::step_host(Actor host) {
  step(host);
  return now(host);
}

void Engine::acquire(Actor host, const VectorClock& from) { join_clock(host, from); }

void Engine::free(Actor host, const OpInfo& op_info, const Access& range) {
  step(host);
  conflicts_.clear();
  Access all = range;
  all.write = all.frees = true;
  if (observer_) observer_->accessed(now(host), actors_[host].clock, op_info, all);
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
      const Shadow::Conflict conflict{{{}, item.op_info}, found->write, *found};
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
bool Engine::may_be_waited_for(Actor host, const Node& node, const Node& next) const {
  return node.any_wait([&](Epoch wait) {
    return !covers(host, wait) && wait.actor != next.by && !next.clock.covers(wait);
  });
}

// ---- memory ----

void Engine::take_accesses(Actor actor, const OpInfo& op_info, std::span<const Access> accesses) {
  const State& state = actors_[actor];
  const Epoch when = now(actor);
  for (const Access& access : accesses) {
    if (observer_ && access.kind == AccessKind::plain) {
      observer_->accessed(when, state.clock, op_info, access);
    }
    if (!words_.empty()) [[unlikely]] overwrite_words(access);
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
  if (!item.host_clock) return take_accesses(stream, item.op_info, item.accesses);
  // Threads that came later say nothing of when it was issued.
  hosts_clock_at_issue_ = item.hosts_clock ? &item.hosts_clock->clock : &item.host_clock->clock;
  take_accesses(stream, item.op_info, item.accesses);
  hosts_clock_at_issue_ = nullptr;
}

bool Engine::any_host_covers(Epoch epoch) const {
  return ended_hosts_clock_.covers(epoch) ||
         std::any_of(hosts_.begin(), hosts_.end(), [&](Actor host) { return covers(host, epoch); });
}

// Of several, so that one may have synchronised with another.
bool Engine::some_host_covers(Epoch epoch) const {
  if (epoch.count == 0) return false;
  if (hosts_clock_at_issue_) return hosts_clock_at_issue_->covers(epoch);
  return host_threads() > 1 && any_host_covers(epoch);
}

void Engine::tell_conflict(Actor actor, const OpInfo& op_info, const Access& access,
                           const Shadow::Conflict& conflict, bool frees) {
  const OpInfo& earlier = conflict.earlier.op_info;
  const bool by_host = earlier.stream == OpInfo::kNoStream || op_info.stream == OpInfo::kNoStream;
  Rule rule = frees ? Rule::freed_in_use : Rule::race;
  if (by_host && access.host) rule = Rule::host_buffer;
  Finding finding(rule);
  finding.level = level_between(op_info, earlier, finding.level);
  if (some_host_covers(conflict.earlier.when) && conflict.earlier.when.actor != actor) {
    finding = Finding(Rule::host_threads_only);
  }
  finding.op_info = op_info;
  finding.other = earlier;
  finding.where = conflict.bytes;
  finding.where.write = access.write;
  finding.text = conflict_text(finding, frees ? Release::by_it : Release::none,
                               conflict.earlier_wrote);
  const Epoch before = conflict.earlier.when;
  if (observer_ && before.count != 0 &&
      observer_->doubts(before, now(actor), actors_[actor].clock, finding)) {
    return;
  }
  report_(std::move(finding));
}

}  // namespace order
