// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/group_reports.h"

#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "device_sim/streams/op.h"
#include "device_sim/streams/stream.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/check/unknown_writers.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/watch/places.h"
#include "runtime/acl/watch/rendezvous.h"

namespace acl {
namespace {

order::SharedObject object_of_key(std::uint64_t key) {
  return {order::SharedObject::Kind::key, key, 0};
}

}  // namespace

void GroupReports::announce_shared(const sim::Op& op, const order::OpInfo& op_info,
                                   order::Actor actor) {
  const SharedValue* const shared = SyncObjects::shared_of(op);
  if (!shared) return;
  const bool event = shared->object.kind == order::SharedObject::Kind::event;
  if (op.kind == sim::OpKind::word_wait) {
    shared_waits_.add(op.completion_id, {shared->object, event ? op.word_wait.test.value : 0});
  } else {
    log_->asked(shared->object, event ? op.word_change.value : 0, {actor, op_info.number}, op_info);
  }
}

void GroupReports::op_ended(const sim::Stream& stream, const sim::Op& op, sim::Failure failure) {
  const SharedValue* const shared = log_ ? SyncObjects::shared_of(op) : nullptr;
  if (!shared) return;
  shared_waits_.erase(op.completion_id);
  if (failure) {
    if (failure.error == sim::Error::aborted) {
      log_->dropped(shared->object, op.kind != sim::OpKind::word_wait,
                    engine_.moment_of(op.completion_id), engine_.op_info_of(op.completion_id));
    }
    return log_->goes_on(actors_.actor(stream.id()));
  }
  if (const order::VectorClock* const known = engine_.clock_of(op.completion_id)) {
    report(op, *shared, engine_.moment_of(op.completion_id), *known,
           engine_.op_info_of(op.completion_id));
  }
}

// The n-th wait for a notify is ordered after its n-th record, in all processes together.
void GroupReports::report(const sim::Op& op, const SharedValue& shared, order::Epoch when,
                          const order::VectorClock& known, const order::OpInfo& op_info) {
  if (op.kind == sim::OpKind::word_wait) {
    const std::uint64_t number =
        shared.waits ? shared.waits->fetch_add(1) + 1 : op.word_wait.test.value;
    log_->wait(shared.object, number, when, op_info, op.word_wait.word->watched());
  } else {
    const std::uint64_t number =
        shared.records ? shared.records->fetch_add(1) + 1 : op.word_change.value;
    log_->record(shared.object, number, when, known, op_info);
  }
}

void GroupReports::ran_in_graph(const sim::Op& op, order::Actor by, const order::OpInfo& what) {
  const SharedValue* const shared = log_ ? SyncObjects::shared_of(op) : nullptr;
  if (shared) report(op, *shared, engine_.now(by), engine_.clock(by), what);
}

void GroupReports::waited(const sim::Word& word, std::uint64_t number, order::Actor to,
                          const order::OpInfo& what) {
  const SharedValue* const shared = log_ ? SyncObjects::shared_of(word) : nullptr;
  if (shared) log_->wait_elided(shared->object, number, {to, engine_.last(to)}, what);
}

void GroupReports::synchronized(const sim::Word& word, std::uint64_t number, order::Actor by) {
  const SharedValue* const shared = log_ ? SyncObjects::shared_of(word) : nullptr;
  if (!shared) return;
  const order::Epoch when = engine_.step_host(by);
  log_->wait(shared->object, number, when, op_info_of_call());
  log_->advanced(when, engine_.clock(by));
}

// ---- host threads that wait ----

bool GroupReports::announce(Stream& stream) {
  if (!log_ || log_->silent()) return false;
  {
    const CheckLock::Entry guard(lock_);
    const order::Actor to = actors_.actor(stream);
    if (!announce_item({to, engine_.last(to)})) return false;
  }
  write_places();
  return true;
}

bool GroupReports::announce(sim::Signal& signal) {
  if (!log_ || log_->silent()) return false;
  {
    const CheckLock::Entry guard(lock_);
    const auto* const node = SyncObjects::node_of(signal);
    const auto record = node ? engine_.queues().recorder_of(*node) : std::nullopt;
    if (!record || !announce_item(*record)) return false;
  }
  write_places();
  return true;
}

bool GroupReports::announce(sim::Word& word, std::uint64_t number) {
  if (!log_ || log_->silent()) return false;
  {
    const CheckLock::Entry guard(lock_);
    const SharedValue* const shared = SyncObjects::shared_of(word);
    if (!shared) return false;
    const SharedWait own{shared->object, number};
    if (!announce_item(engine_.now(actors_.host()), &own)) return false;
  }
  write_places();
  return true;
}

// A pending function of the program, or a pending graph, may do anything. Then the log shows no
// wait.
bool GroupReports::announce_item(order::Epoch item, const SharedWait* own) {
  const order::Actor by = actors_.host();
  if (engine_.queues().calls_pending() || (!own && !engine_.is_blocked(item.actor))) return false;
  report_blocked_waits();
  if (own) log_->blocked(item, &own->object, own->generation, {}, op_info_of_call());
  log_->host_waits(engine_.now(by), item, host_threads_.live().size(), op_info_of_call());
  return true;
}

void GroupReports::report_blocked_waits() {
  for (const order::Engine::BlockedWait& one : engine_.deadlocks().blocked_waits()) {
    const SharedWait* const shared =
        one.completion_id ? shared_waits_.find(one.completion_id) : nullptr;
    if (!shared && one.others_may_end) continue;
    log_->blocked(one.at, shared ? &shared->object : nullptr, shared ? shared->generation : 0,
                  one.ended_by, one.op_info);
  }
}

// The places are written at once: a process that is blocked for ever never ends.
void GroupReports::write_places() {
  std::vector<std::uint64_t> sites;
  {
    const CheckLock::Entry guard(lock_);
    sites = log_->take_unplaced();
  }
  if (sites.empty()) return;
  std::map<std::uint64_t, order::Place> places;
  Places lines;
  for (const std::uint64_t site : sites) places.emplace(site, lines.of(site));
  const CheckLock::Entry guard(lock_);
  log_->add_places(places);
}

void GroupReports::proceeds() {
  const CheckLock::Entry guard(lock_);
  log_->goes_on(actors_.host());
}

void GroupReports::proceeds(order::Actor stream) {
  if (log_) log_->goes_on(stream);
}

// ---- keys ----

// A process that has the key is ordered after the process that exported it, however the key came.
void GroupReports::key_exported(std::uint64_t key) {
  const CheckLock::Entry guard(lock_);
  if (!log_) return;
  const order::Actor by = actors_.host();
  log_->record(object_of_key(key), 1, engine_.now(by), engine_.clock(by), op_info_of_call());
}

void GroupReports::key_imported(std::uint64_t key) {
  const CheckLock::Entry guard(lock_);
  if (!log_) return;
  const order::Actor by = actors_.host();
  const order::Epoch when = engine_.step_host(by);
  report_key_taken(key, when, engine_.clock(by), op_info_of_call());
}

void GroupReports::word_changes_seen(std::uint64_t key, const watch::SharedRange& word,
                                     std::span<const watch::WordChange> changes) {
  using Ends = order::WordChange::Ends;
  const CheckLock::Entry guard(lock_);
  if (!log_) return;
  ProcessGroupLog::WordWait& wait = word_waits_[key];
  wait.word = {order::SharedObject::Kind::symmetric, word.file, word.offset};
  wait.size = word.size;
  for (const watch::WordChange& change : changes) {
    const Ends ends = !change.known ? Ends::unknown : change.ends ? Ends::yes : Ends::no;
    wait.changes.push_back({change.key, ends, change.merges});
  }
}

void GroupReports::report_key(std::uint64_t key, order::Epoch when, const order::VectorClock& known,
                              const order::OpInfo& what) {
  if (!log_ || key == 0) return;
  log_->record(object_of_key(key), 1, when, known, what);
}

void GroupReports::report_key_taken(std::uint64_t key, order::Epoch when,
                                    const order::VectorClock& known, const order::OpInfo& what) {
  if (!log_ || key == 0) return;
  const auto wait = word_waits_.find(key);
  if (wait == word_waits_.end()) return log_->wait(object_of_key(key), 1, when, what);
  log_->chosen(wait->second, when, known, what);
  word_waits_.erase(wait);
}

void GroupReports::report_departure(const Rendezvous& rendezvous, order::Epoch when,
                                    const order::OpInfo& what) {
  for (const std::uint64_t key : rendezvous.other_keys) {
    if (log_ && key != 0) log_->wait(object_of_key(key), 1, when, what);
  }
}

// ---- memory ----

void GroupReports::memory_shared(const watch::SharedRange& range) {
  const CheckLock::Entry guard(lock_);
  unknown_writers_.share(range.begin);
  if (!runtime_.memory().find(reinterpret_cast<const void*>(range.begin))) {
    peers_memory_[range.begin] = range.size;
  }
  if (!log_) return;
  log_->share(range);
  // Earlier accesses count as well. They are ordered after accesses of no other process.
  engine_.shadow().visit(range.begin, range.size,
                         [&](const order::Shadow::Touch& touch, const order::Access& bytes) {
                           order::VectorClock known;
                           known.raise(touch.when);
                           log_->accessed(touch.when, known, touch.op_info, bytes);
                         });
}

void GroupReports::memory_withdrawn(const void* begin, std::size_t size) {
  const CheckLock::Entry guard(lock_);
  peers_memory_.erase(reinterpret_cast<std::uintptr_t>(begin));
  if (!log_) return;
  const order::Actor by = actors_.host();
  const order::Epoch when = engine_.step_host(by);
  log_->take_back(when, engine_.clock(by), op_info_of_call(),
                  reinterpret_cast<std::uintptr_t>(begin), size);
}

bool GroupReports::is_peers_memory(std::uintptr_t address) const {
  const auto after = peers_memory_.upper_bound(address);
  if (after == peers_memory_.begin()) return false;
  const auto& [begin, size] = *std::prev(after);
  return address - begin < size;
}

void GroupReports::lost_order() {
  if (!log_) return;
  const order::Actor by = actors_.host();
  log_->lost_order(engine_.now(by), engine_.clock(by));
}

void GroupReports::restarts() {
  if (log_) log_->restarts(engine_.any_host());
  shared_waits_ = {};
  word_waits_.clear();
}

// Places are looked up without the lock: a thread that holds the lock of the loader may want it.
void GroupReports::finish() {
  if (!log_) return;
  std::set<std::uint64_t> sites;
  {
    const CheckLock::Entry guard(lock_);
    sites = log_->sites();
  }
  std::map<std::uint64_t, order::Place> places;
  if (!sites.empty()) {
    Places lines;
    for (const std::uint64_t site : sites) places.emplace(site, lines.of(site));
  }
  const CheckLock::Entry guard(lock_);
  log_->finish(places);
}

}  // namespace acl
