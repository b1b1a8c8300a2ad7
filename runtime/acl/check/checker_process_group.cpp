// SPDX-License-Identifier: Apache-2.0
// What processes share: written to the log of this process, and reported to the engine where this
// process alone decides what is ordered.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "device_sim/streams/op.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/core/stream.h"
#include "runtime/acl/watch/places.h"

namespace acl {
namespace {

order::SharedObject object_of_key(std::uint64_t key) {
  return {order::SharedObject::Kind::key, key, 0};
}

}  // namespace

// ---- numbers ----

void Checker::made_shared(sim::Word& word, const char* name, const Shared& shared) {
  const Entry guard(*this);
  variable(word, name);
  static_cast<Attached*>(word.attached.get())->shared = std::make_unique<Shared>(shared);
}

const Checker::Shared* Checker::shared_of(const sim::Op& op) {
  const bool waits = op.kind == sim::OpKind::word_wait;
  if (!waits && op.kind != sim::OpKind::word_change) return nullptr;
  const sim::Word& word = waits ? *op.word_wait.word : *op.word_change.word;
  return word.attached ? static_cast<const Attached*>(word.attached.get())->shared.get() : nullptr;
}

void Checker::report_end_to_group(const sim::Stream& stream, const sim::Op& op,
                                  sim::Failure failure) {
  const Shared* const shared = shared_of(op);
  if (!shared) return;
  shared_waits_.erase(op.completion_id);
  if (failure) {
    if (failure.error == sim::Error::aborted) {
      group_log_->dropped(shared->object, op.kind != sim::OpKind::word_wait,
                          engine_.moment_of(op.completion_id),
                          engine_.op_info_of(op.completion_id));
    }
    return group_log_->goes_on(actor(stream.id()));
  }
  if (const order::VectorClock* const known = engine_.clock_of(op.completion_id)) {
    report_to_group(op, *shared, engine_.moment_of(op.completion_id), *known,
                    engine_.op_info_of(op.completion_id));
  }
}

// The n-th wait for a notify is ordered after its n-th record, in all processes together.
void Checker::report_to_group(const sim::Op& op, const Shared& shared, order::Epoch when,
                              const order::VectorClock& known, const order::OpInfo& op_info) {
  if (op.kind == sim::OpKind::word_wait) {
    const std::uint64_t number =
        shared.waits ? shared.waits->fetch_add(1) + 1 : op.word_wait.test.value;
    group_log_->wait(shared.object, number, when, op_info, op.word_wait.word->watched());
  } else {
    const std::uint64_t number =
        shared.records ? shared.records->fetch_add(1) + 1 : op.word_change.value;
    group_log_->record(shared.object, number, when, known, op_info);
  }
}

// What is issued and may block for long: a record that others wait for, or a wait for others.
void Checker::announce_to_group(const sim::Op& op, const order::OpInfo& op_info,
                                order::Actor actor) {
  const Shared* const shared = shared_of(op);
  if (!shared) return;
  const bool event = shared->object.kind == order::SharedObject::Kind::event;
  if (op.kind == sim::OpKind::word_wait) {
    shared_waits_.add(op.completion_id, {shared->object, event ? op.word_wait.test.value : 0});
  } else {
    group_log_->asked(shared->object, event ? op.word_change.value : 0, {actor, op_info.number},
                      op_info);
  }
}

void Checker::waited(Stream& stream, sim::Word& word, std::uint64_t number) {
  const Entry guard(*this);
  const order::Actor to = actor(stream);
  const sim::Op op(sim::OpKind::wait);
  const order::OpInfo what = op_info(stream, op, to);
  const auto record = std::make_shared<order::Node>();
  record->resolved = true;
  const auto own = variable(word, "");
  if (const auto known = own->passed([&](std::uint64_t v) { return v >= number; })) {
    record->clock = *known;
    record->record = own->last;
  }
  engine_.wait(to, host(), what, *record, record);
  const auto& shared = static_cast<Attached*>(word.attached.get())->shared;
  if (group_log_ && shared) group_log_->wait(shared->object, number, {to, engine_.last(to)}, what);
}

void Checker::synchronized(sim::Word& word, std::uint64_t number) {
  const Entry guard(*this);
  const order::Actor by = host();
  const auto own = variable(word, "");
  const auto& shared = static_cast<Attached*>(word.attached.get())->shared;
  if (group_log_ && shared) {
    const order::Epoch when = engine_.step_host(by);
    group_log_->wait(shared->object, number, when, op_info(nullptr));
    group_log_->advanced(when, engine_.clock(by));
  }
  if (const auto known = own->passed([&](std::uint64_t v) { return v >= number; })) {
    engine_.acquire(by, *known);
  }
  settle_buffers();
}

// ---- blocked waits ----

bool Checker::announce(Stream& stream) {
  if (!group_log_ || group_log_->silent()) return false;
  {
    const Entry guard(*this);
    const order::Actor to = actor(stream);
    if (!announce_item({to, engine_.last(to)})) return false;
  }
  tell_places();
  return true;
}

bool Checker::announce(sim::Signal& signal) {
  if (!group_log_ || group_log_->silent()) return false;
  {
    const Entry guard(*this);
    const auto* const node = node_of(signal);
    const auto record = node ? engine_.recorder_of(*node) : std::nullopt;
    if (!record || !announce_item(*record)) return false;
  }
  tell_places();
  return true;
}

bool Checker::announce(sim::Word& word, std::uint64_t number) {
  if (!group_log_ || group_log_->silent()) return false;
  {
    const Entry guard(*this);
    const auto* const at = static_cast<const Attached*>(word.attached.get());
    const Shared* const shared = at ? at->shared.get() : nullptr;
    if (!shared) return false;
    const SharedWait own{shared->object, number};
    if (!announce_item(engine_.now(host()), &own)) return false;
  }
  tell_places();
  return true;
}

// A function of the program, or a graph, may do anything: who has one is not said to wait.
bool Checker::announce_item(order::Epoch item, const SharedWait* own) {
  const order::Actor by = host();
  if (engine_.calls_pending() || (!own && !engine_.is_blocked(item.actor))) return false;
  tell_blocked_waits();
  if (own) group_log_->blocked(item, &own->object, own->generation, {}, op_info(nullptr));
  group_log_->host_waits(engine_.now(by), item, host_threads_.live().size(), op_info(nullptr));
  return true;
}

void Checker::tell_blocked_waits() {
  for (const order::Engine::BlockedWait& one : engine_.blocked_waits()) {
    const SharedWait* const shared =
        one.completion_id ? shared_waits_.find(one.completion_id) : nullptr;
    if (!shared && one.others_may_end) continue;
    group_log_->blocked(one.at, shared ? &shared->object : nullptr, shared ? shared->generation : 0,
                        one.ended_by, one.op_info);
  }
}

// At once, since who is blocked for ever never ends.
void Checker::tell_places() {
  std::vector<std::uint64_t> sites;
  {
    const Entry guard(*this);
    sites = group_log_->take_unplaced();
  }
  if (sites.empty()) return;
  std::map<std::uint64_t, order::Place> places;
  Places lines;
  for (const std::uint64_t site : sites) places.emplace(site, lines.of(site));
  const Entry guard(*this);
  group_log_->add_places(places);
}

void Checker::goes_on() {
  const Entry guard(*this);
  group_log_->goes_on(host());
}

// ---- keys ----

// Who has the key has it from the process that exported it, however it came.
void Checker::key_exported(std::uint64_t key) {
  const Entry guard(*this);
  if (!group_log_) return;
  const order::Actor by = host();
  group_log_->record(object_of_key(key), 1, engine_.now(by), engine_.clock(by), op_info(nullptr));
}

void Checker::key_imported(std::uint64_t key) {
  const Entry guard(*this);
  if (!group_log_) return;
  group_log_->wait(object_of_key(key), 1, engine_.step_host(host()), op_info(nullptr));
}

// ---- operations that meet ----

// It is before what follows `tell_taken` in the others. 0: no other process takes it.
void Checker::tell_key(std::uint64_t key, order::Epoch when, const order::VectorClock& known,
                       const order::OpInfo& what) {
  if (!group_log_ || key == 0) return;
  group_log_->record(object_of_key(key), 1, when, known, what);
}

void Checker::tell_taken(std::uint64_t key, order::Epoch when, const order::OpInfo& what) {
  if (!group_log_ || key == 0) return;
  group_log_->wait(object_of_key(key), 1, when, what);
}

void Checker::tell_departure(const Meeting& meeting, order::Epoch when, const order::OpInfo& what) {
  for (const std::uint64_t key : meeting.other_keys) tell_taken(key, when, what);
}

void Checker::import_refused(const char* text) { tell(order::Rule::import_refused, text); }

// ---- memory ----

void Checker::memory_shared(const watch::SharedRange& range) {
  const Entry guard(*this);
  shared_.insert(range.begin);
  if (!runtime_.memory().find(reinterpret_cast<const void*>(range.begin))) {
    peers_memory_[range.begin] = range.size;
  }
  if (!group_log_) return;
  group_log_->share(range);
  // Earlier accesses count as well: they are ordered after nobody else's.
  engine_.visit({range.begin, range.size},
                [&](const order::Shadow::Touch& touch, const order::Access& bytes) {
                  order::VectorClock known;
                  known.raise(touch.when);
                  group_log_->accessed(touch.when, known, touch.op_info, bytes);
                });
}

void Checker::memory_withdrawn(const void* begin, std::size_t size) {
  const Entry guard(*this);
  peers_memory_.erase(reinterpret_cast<std::uintptr_t>(begin));
  if (!group_log_) return;
  const order::Actor by = host();
  const order::Epoch when = engine_.step_host(by);
  group_log_->take_back(when, engine_.clock(by), op_info(nullptr),
                        reinterpret_cast<std::uintptr_t>(begin), size);
}

}  // namespace acl
