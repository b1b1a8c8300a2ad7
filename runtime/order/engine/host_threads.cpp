// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/host_threads.h"

#include <algorithm>
#include <utility>

namespace order {

Actor HostThreads::add() {
  const Actor actor = clocks_.add_host();
  hosts_.push_back(actor);
  ++count_;
  snapshot_ = nullptr;
  return actor;
}

Actor HostThreads::add_crew() {
  const Actor actor = add();
  clocks_[actor].crew = true;
  return actor;
}

// Its number is not used again: the operations of the next thread would count as ordered after the
// operations of this one.
void HostThreads::end(Actor host) {
  ActorClock& state = clocks_[host];
  published_.join(state.clock);
  state.clock = {};
  state.snapshot = snapshot_ = nullptr;
  std::erase(hosts_, host);
  std::erase_if(callers_, [host](const Caller& one) { return one.host == host; });
}

// ---- steps ----

Epoch HostThreads::step_outside(Actor host) {
  leave_functions_behind(host);
  step(host);
  return clocks_.now(host);
}

// Mostly the clock of the host covers all but the stream's last steps: it has joined the rest from
// the stream itself, or from another one that waited for the same record. A stream that covered all
// of the host does so still.
[[gnu::always_inline]] inline bool HostThreads::join_stream(Actor host, ActorClock& stream,
                                                            Actor number) {
  ActorClock& by = clocks_[host];
  if (by.crew) return join(host, stream.clock);  // covers the stream no longer than the call
  const bool met = stream.seen_host == host && stream.seen_moment == by.moment;
  const bool known = stream.is_covered_by(host);
  bool advanced = false;
  if (known && (stream.record == 0 || stream.record == by.record)) {
    advanced = by.clock.raise({number, stream.clock.of(number)});
    if (advanced) clock_advanced(host);
  } else {
    advanced = join(host, stream.clock);
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

// Items that other threads have issued since the synchronise began may not be complete.
bool HostThreads::synchronize(Actor host, Actor stream, std::uint32_t issued) {
  ActorClock& state = clocks_[stream];
  if (state.marks.end_only(issued)) return join_stream(host, state, stream);
  SyncMarks::Mark* const mark = state.marks.find(issued);
  if (!mark) {
    VectorClock clock = state.clock;
    clock.set(stream, std::min(issued, clock.of(stream)));
    return join(host, clock);
  }
  const bool advanced =
      mark->passed ? join(host, mark->passed->clock) : join_stream(host, state, stream);
  state.marks.end_one(*mark);
  return advanced;
}

bool HostThreads::covers_clock_of(Actor host, ActorClock& stream) {
  if (stream.is_covered_by(host) && stream.record == 0) return true;
  if (!clocks_[host].clock.covers(stream.clock)) return false;
  if (clocks_[host].crew) return true;
  stream.covered_by = host;
  stream.covered_news = stream.clock.news();
  stream.record = 0;
  return true;
}

void HostThreads::release(Actor host, VectorClock& into) {
  leave_functions_behind(host);
  into.join(clocks_[host].clock);
  Caller* const known = clocks_[host].crew ? caller(host) : nullptr;
  if (known) {
    known->as = {};
    known->published = clocks_[host].clock.of(host);
  }
  step(host);  // its later operations are not released
}

// ---- functions of streams ----

void HostThreads::enter_function(Actor host, const VectorClock& before, Actor stream,
                                 Snapshot hosts_clock, const OpInfo& launch, bool blocks) {
  Epoch as;
  if (clocks_[host].crew) {
    begin_anew(host, before);
    as = {stream, before.of(stream)};
  } else {
    join(host, before);
  }
  if (Caller* const known = caller(host)) {
    known->inside = true;
    known->blocks = blocks;
    known->hosts_clock = std::move(hosts_clock);
    known->launch = launch;
  } else {
    const std::uint32_t published = clocks_[host].clock.of(host);
    callers_.push_back({host, published, true, false, blocks, std::move(hosts_clock), as, launch});
  }
}

void HostThreads::end_function(Actor host, VectorClock& stream) {
  if (!clocks_[host].crew) return release(host, stream);
  stream.join(clocks_[host].clock);
}

void HostThreads::leave_function(Actor host) {
  const bool crew = clocks_[host].crew;
  if (crew && caller(host)) {
    publish(published_clock_of(host));
    begin_anew(host, {});
  }
  std::erase_if(callers_, [host, crew](Caller& one) {
    if (one.host != host) return false;
    one.inside = false;
    one.hosts_clock = nullptr;
    return crew || !one.accessed;
  });
}

/// The thread is ordered after `known` and nothing else.
void HostThreads::begin_anew(Actor host, const VectorClock& known) {
  ActorClock& state = clocks_[host];
  const std::uint32_t count = state.clock.of(host) + 1;
  state.clock = known;
  state.clock.set(host, count);
  state.record = 0;
  clock_advanced(host);
}

// A thread that proceeds by itself may have published all that it did.
void HostThreads::leave_functions_behind(Actor host) {
  std::erase_if(callers_, [host](const Caller& one) { return one.host == host && !one.inside; });
}

const HostThreads::Caller* HostThreads::caller(Actor host) const {
  const auto known = std::find_if(callers_.begin(), callers_.end(),
                                  [host](const Caller& one) { return one.host == host; });
  return known == callers_.end() ? nullptr : &*known;
}

HostThreads::Caller* HostThreads::caller(Actor host) {
  return const_cast<Caller*>(std::as_const(*this).caller(host));
}

// ---- accesses ----

const VectorClock* HostThreads::begin_access(Actor host) {
  if (callers_.empty()) [[likely]]
    return nullptr;
  static const VectorClock nothing;
  leave_functions_behind(host);
  Caller* const known = caller(host);
  if (!known) return nullptr;
  known->accessed = true;
  return known->hosts_clock ? &known->hosts_clock->clock : &nothing;
}

Epoch HostThreads::access_epoch(Actor actor) const {
  const Caller* const known = caller(actor);
  return known && known->as.count != 0 ? known->as : clocks_.now(actor);
}

bool HostThreads::is_in_function(Actor actor) const {
  const Caller* const known = caller(actor);
  return known && (known->as.count != 0 || clocks_.now(actor).count > known->published);
}

bool HostThreads::is_inside_function(Actor host) const {
  const Caller* const known = caller(host);
  return known && known->inside;
}

bool HostThreads::blocks_stream(Actor host) const {
  const Caller* const known = caller(host);
  return known && known->inside && known->blocks;
}

bool HostThreads::was_in_function(Epoch when) const {
  const Caller* const known = caller(when.actor);
  return known && when.count > known->published;
}

// ---- what is ordered ----

VectorClock HostThreads::all() const {
  VectorClock known = published_;
  for (const Actor host : hosts_) known.join(clocks_[host].clock);
  return known;
}

Snapshot HostThreads::snapshot() {
  if (!snapshot_) snapshot_ = new ClockCopy(published_by_all());
  return snapshot_;
}

std::uint32_t HostThreads::published_count(Actor host) const {
  if (const Caller* const known = caller(host)) return known->published;
  return clocks_[host].crew ? 0 : clocks_[host].clock.of(host);
}

/// The thread's clock without its steps in functions, which it may not have published.
VectorClock HostThreads::published_clock_of(Actor host) const {
  VectorClock published = clocks_[host].clock;
  published.set(host, published_count(host));
  if (const Caller* const known = caller(host); known && known->as.count != 0) {
    published.set(known->as.actor, known->as.count - 1);
  }
  return published;
}

VectorClock HostThreads::published_by_all() const {
  if (callers_.empty()) return all();
  VectorClock known = published_;
  for (const Actor host : hosts_) known.join(published_clock_of(host));
  return known;
}

/// The thread is ordered after the epoch, and may have published that.
bool HostThreads::may_have_published(Actor host, Epoch epoch) const {
  if (host == epoch.actor) return published_count(host) >= epoch.count;
  if (!clocks_.covers(host, epoch)) return false;
  const Caller* const known = clocks_[host].crew ? caller(host) : nullptr;
  return !known || known->as.actor != epoch.actor || known->as.count != epoch.count;
}

bool HostThreads::any_covers(Epoch epoch) const {
  return published_.covers(epoch) ||
         std::any_of(hosts_.begin(), hosts_.end(),
                     [&](Actor host) { return may_have_published(host, epoch); }) ||
         begun_call_covers(epoch);
}

bool HostThreads::begun_call_covers(Epoch epoch) const {
  if (!begun_calls_) return false;
  const std::vector<BegunCall> calls = begun_calls_();
  return std::any_of(calls.begin(), calls.end(), [&](const BegunCall& call) {
    if (call.completion_id == 0) return clocks_[call.run].clock.covers(epoch);
    const PendingItem* const at = queues_.find(call.completion_id);
    return at && queues_.clock_at(*at).covers(epoch);
  });
}

}  // namespace order
