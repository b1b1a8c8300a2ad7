// SPDX-License-Identifier: Apache-2.0
// What processes share: told to the log of this process, and to the engine where this process alone
// says what is ordered.
#include <algorithm>
#include <utility>

#include "device_sim/op.h"
#include "device_sim/word.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/stream.h"

namespace acl {
namespace {

order::SharedObject object_of_key(std::uint64_t key) {
  return {order::SharedObject::Kind::key, key, 0};
}

}  // namespace

// ---- numbers ----

void Checker::made_shared(sim::Word& word, const char* name, const Shared& shared) {
  const Lock guard(lock_);
  variable(word, name);
  static_cast<Attached*>(word.attached.get())->shared = std::make_unique<Shared>(shared);
}

const Checker::Shared* Checker::shared_of(const sim::Op& op) {
  const bool waits = op.kind == sim::OpKind::word_wait;
  if (!waits && op.kind != sim::OpKind::word_change) return nullptr;
  const sim::Word& word = waits ? *op.word_wait.word : *op.word_change.word;
  return word.attached ? static_cast<const Attached*>(word.attached.get())->shared.get() : nullptr;
}

// The n-th wait for a notify is behind its n-th record, in all processes together.
void Checker::tell_family(const sim::Op& op, const Shared& shared, order::Epoch when,
                          const order::VectorClock& known, const order::Deed& deed) {
  if (op.kind == sim::OpKind::word_wait) {
    const std::uint64_t number =
        shared.waits ? shared.waits->fetch_add(1) + 1 : op.word_wait.test.value;
    family_->wait(shared.object, number, when, deed);
  } else {
    const std::uint64_t number =
        shared.records ? shared.records->fetch_add(1) + 1 : op.word_change.value;
    family_->record(shared.object, number, when, known, deed);
  }
}

void Checker::waited(Stream& stream, sim::Word& word, std::uint64_t number) {
  const Lock guard(lock_);
  const order::Actor to = actor(stream);
  const sim::Op op(sim::OpKind::wait);
  const order::Deed what = deed(stream, op, to);
  const auto record = std::make_shared<order::Node>();
  record->resolved = true;
  const auto own = variable(word, "");
  if (const auto* const known = own->passed([&](std::uint64_t v) { return v >= number; })) {
    record->clock = *known;
    record->record = own->last;
  }
  engine_.wait(to, host(), what, record);
  const auto& shared = static_cast<Attached*>(word.attached.get())->shared;
  if (family_ && shared) family_->wait(shared->object, number, {to, engine_.last(to)}, what);
}

void Checker::synchronized(sim::Word& word, std::uint64_t number) {
  const Lock guard(lock_);
  const order::Actor by = host();
  const auto own = variable(word, "");
  const auto& shared = static_cast<Attached*>(word.attached.get())->shared;
  if (family_ && shared) {
    const order::Epoch when = engine_.step_host(by);
    family_->wait(shared->object, number, when, deed(nullptr));
    family_->learnt(when, engine_.clock(by));
  }
  if (const auto* const known = own->passed([&](std::uint64_t v) { return v >= number; })) {
    engine_.acquire(by, *known);
  }
  settle_buffers();
}

// ---- keys ----

// Who has the key has it from the process that exported it, however it came.
void Checker::exported(std::uint64_t key) {
  const Lock guard(lock_);
  if (!family_) return;
  const order::Actor by = host();
  family_->record(object_of_key(key), 1, engine_.now(by), engine_.clock(by), deed(nullptr));
}

void Checker::imported(std::uint64_t key) {
  const Lock guard(lock_);
  if (!family_) return;
  family_->wait(object_of_key(key), 1, engine_.step_host(host()), deed(nullptr));
}

void Checker::import_refused(const char* text) { tell(order::Rule::import_refused, text); }

// ---- memory ----

void Checker::shares_memory(const SharedRange& range) {
  const Lock guard(lock_);
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

void Checker::takes_back(const void* begin, std::size_t size) {
  const Lock guard(lock_);
  if (!family_) return;
  const order::Actor by = host();
  const order::Epoch when = engine_.step_host(by);
  family_->take_back(when, engine_.clock(by), deed(nullptr),
                     reinterpret_cast<std::uintptr_t>(begin), size);
}

}  // namespace acl
