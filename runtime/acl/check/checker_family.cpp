// SPDX-License-Identifier: Apache-2.0
// What processes share: told to the log of this process, and to the engine where this process alone
// says what is ordered.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "device_sim/streams/op.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/check/checker.h"
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

void Checker::tell_family_of_end(const sim::Stream& stream, const sim::Op& op,
                                 sim::Failure failure) {
  const Shared* const shared = shared_of(op);
  if (!shared) return;
  shared_waits_.erase(op.note);
  if (failure) return family_->goes_on(actor(stream.id()));
  if (const order::VectorClock* const known = engine_.clock_of(op.note)) {
    tell_family(op, *shared, engine_.moment_of(op.note), *known, engine_.deed_of(op.note));
  }
}

// The n-th wait for a notify is behind its n-th record, in all processes together.
void Checker::tell_family(const sim::Op& op, const Shared& shared, order::Epoch when,
                          const order::VectorClock& known, const order::Deed& deed) {
  if (op.kind == sim::OpKind::word_wait) {
    const std::uint64_t number =
        shared.waits ? shared.waits->fetch_add(1) + 1 : op.word_wait.test.value;
    family_->wait(shared.object, number, when, deed, op.word_wait.word->watched());
  } else {
    const std::uint64_t number =
        shared.records ? shared.records->fetch_add(1) + 1 : op.word_change.value;
    family_->record(shared.object, number, when, known, deed);
  }
}

// What is issued and may stand for long: a record that others wait for, or a wait for others.
void Checker::ask_family(const sim::Op& op, const order::Deed& deed, order::Actor actor) {
  const Shared* const shared = shared_of(op);
  if (!shared) return;
  const bool event = shared->object.kind == order::SharedObject::Kind::event;
  if (op.kind == sim::OpKind::word_wait) {
    shared_waits_.add(op.note, {shared->object, event ? op.word_wait.test.value : 0});
  } else {
    family_->asked(shared->object, event ? op.word_change.value : 0, {actor, deed.number}, deed);
  }
}

void Checker::waited(Stream& stream, sim::Word& word, std::uint64_t number) {
  const Entry guard(*this);
  const order::Actor to = actor(stream);
  const sim::Op op(sim::OpKind::wait);
  const order::Deed what = deed(stream, op, to);
  const auto record = std::make_shared<order::Node>();
  record->resolved = true;
  const auto own = variable(word, "");
  if (const auto known = own->passed([&](std::uint64_t v) { return v >= number; })) {
    record->clock = *known;
    record->record = own->last;
  }
  engine_.wait(to, host(), what, *record, record);
  const auto& shared = static_cast<Attached*>(word.attached.get())->shared;
  if (family_ && shared) family_->wait(shared->object, number, {to, engine_.last(to)}, what);
}

void Checker::synchronized(sim::Word& word, std::uint64_t number) {
  const Entry guard(*this);
  const order::Actor by = host();
  const auto own = variable(word, "");
  const auto& shared = static_cast<Attached*>(word.attached.get())->shared;
  if (family_ && shared) {
    const order::Epoch when = engine_.step_host(by);
    family_->wait(shared->object, number, when, deed(nullptr));
    family_->learnt(when, engine_.clock(by));
  }
  if (const auto known = own->passed([&](std::uint64_t v) { return v >= number; })) {
    engine_.acquire(by, *known);
  }
  settle_buffers();
}

// ---- who stands ----

bool Checker::announce(Stream& stream) {
  if (!family_ || family_->silent()) return false;
  {
    const Entry guard(*this);
    const order::Actor to = actor(stream);
    if (!announce_item({to, engine_.last(to)})) return false;
  }
  tell_places();
  return true;
}

bool Checker::announce(sim::Signal& signal) {
  if (!family_ || family_->silent()) return false;
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
  if (!family_ || family_->silent()) return false;
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
  if (engine_.calls_pending() || (!own && !engine_.stands(item.actor))) return false;
  tell_standing();
  if (own) family_->stands(item, &own->object, own->generation, {}, deed(nullptr));
  family_->host_waits(engine_.now(by), item, engine_.host_threads(), deed(nullptr));
  return true;
}

void Checker::tell_standing() {
  for (const order::Engine::Standing& one : engine_.standing()) {
    const SharedWait* const shared = one.note ? shared_waits_.find(one.note) : nullptr;
    if (!shared && one.others_may_end) continue;
    family_->stands(one.at, shared ? &shared->object : nullptr, shared ? shared->generation : 0,
                    one.ended_by, one.deed);
  }
}

// At once, since who stands for ever does not come to its end.
void Checker::tell_places() {
  std::vector<std::uint64_t> sites;
  {
    const Entry guard(*this);
    sites = family_->take_unplaced();
  }
  if (sites.empty()) return;
  std::map<std::uint64_t, order::Place> places;
  Places lines;
  for (const std::uint64_t site : sites) places.emplace(site, lines.of(site));
  const Entry guard(*this);
  family_->add_places(places);
}

void Checker::goes_on() {
  const Entry guard(*this);
  family_->goes_on(host());
}

// ---- keys ----

// Who has the key has it from the process that exported it, however it came.
void Checker::key_exported(std::uint64_t key) {
  const Entry guard(*this);
  if (!family_) return;
  const order::Actor by = host();
  family_->record(object_of_key(key), 1, engine_.now(by), engine_.clock(by), deed(nullptr));
}

void Checker::key_imported(std::uint64_t key) {
  const Entry guard(*this);
  if (!family_) return;
  family_->wait(object_of_key(key), 1, engine_.step_host(host()), deed(nullptr));
}

void Checker::import_refused(const char* text) { tell(order::Rule::import_refused, text); }

// ---- memory ----

void Checker::memory_shared(const watch::SharedRange& range) {
  const Entry guard(*this);
  shared_.insert(range.begin);
  if (!family_) return;
  family_->share(range);
  // What was done with it before counts as well: who did it knows of nobody else.
  engine_.visit({range.begin, range.size}, [&](const order::Shadow::Touch& touch,
                                               const order::Access& bytes) {
    order::VectorClock known;
    known.raise(touch.when);
    family_->accessed(touch.when, known, touch.deed, bytes);
  });
}

void Checker::memory_withdrawn(const void* begin, std::size_t size) {
  const Entry guard(*this);
  if (!family_) return;
  const order::Actor by = host();
  const order::Epoch when = engine_.step_host(by);
  family_->take_back(when, engine_.clock(by), deed(nullptr),
                     reinterpret_cast<std::uintptr_t>(begin), size);
}

}  // namespace acl
