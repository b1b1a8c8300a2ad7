// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/sync_objects.h"

#include <fmt/format.h>
#include <algorithm>
#include <string_view>
#include <utility>

#include "device_sim/memory/memory.h"
#include "device_sim/streams/op.h"
#include "device_sim/streams/signal.h"
#include "device_sim/streams/word.h"
#include "runtime/acl/check/reporter.h"
#include "runtime/acl/check/unknown_writers.h"
#include "runtime/acl/core/notify.h"
#include "runtime/acl/memory/value_word.h"

namespace acl {

// A wait for an earlier record keeps the node of that record. A node that nothing keeps is used
// again: a program makes many records, and few at a time.
order::Node& SyncObjects::new_node(sim::Signal& signal) {
  const std::uint32_t index = next_recent_++ % recent_.size();
  std::shared_ptr<Attached>& made = recent_[index];
  if (made && made.use_count() == 1) {
    made->node.renew();
    made->reported = false;
  } else {
    made = std::make_shared<Attached>();
    made->recorded = true;
    made->index = index;
  }
  signal.attached = made;
  return made->node;
}

std::optional<order::VectorClock> SyncObjects::passed_flag(const sim::Signal& signal) {
  const auto* const at = static_cast<const Attached*>(signal.attached.get());
  if (!at || !at->variable) return std::nullopt;
  return at->variable->passed([](std::uint64_t value) { return value != 0; });
}

void SyncObjects::make_flag(sim::Signal& signal) {
  const CheckLock::Entry guard(lock_);
  auto& variable = attached(signal).variable = std::make_shared<order::Variable>();
  variable->closed = true;
}

void SyncObjects::make_flag_once(sim::Signal& signal) {
  const CheckLock::Entry guard(lock_);
  Attached& at = attached(signal);
  if (at.recorded || at.variable) return;
  at.once = true;
  at.variable = std::make_shared<order::Variable>();
  at.variable->closed = true;
}

// ---- words ----

// Each wait for a word of device memory has a Word of its own, so the address names the variable.
std::shared_ptr<order::Variable> SyncObjects::value_at(std::uintptr_t address) {
  const std::shared_ptr<order::Variable>& found = engine_.word(address);
  if (!found->read) {
    found->read = [&memory = memory_, address] {
      auto* const at = reinterpret_cast<void*>(address);
      if (!memory.find(at)) return std::uint64_t{0};
      return std::atomic_ref(*static_cast<std::uint64_t*>(memory.engine(at))).load();
    };
    const bool settled =
        !engine_.may_be_written_before(word_access(address, false), actors_.host());
    found->first = settled ? std::optional(found->read()) : std::nullopt;
  }
  const auto in = memory_.find(reinterpret_cast<const void*>(address));
  found->closed = in && unknown_writers_.none_to(*in);
  return found;
}

std::shared_ptr<order::Variable> SyncObjects::variable(sim::Word& word, const char* name) {
  if (std::string_view(name) == kValueWait) return value_at(word.id());
  if (!word.attached) {
    auto made = std::make_shared<Attached>();
    made->variable = std::make_shared<order::Variable>();
    if (std::string_view(name).starts_with("NOTIFY")) notifies_.push_back(made->variable);
    word.attached = std::move(made);
  }
  auto& found = static_cast<Attached*>(word.attached.get())->variable;
  found->closed = !word.watched();
  return found;
}

void SyncObjects::make_shared(sim::Word& word, const char* name, const SharedValue& shared) {
  const CheckLock::Entry guard(lock_);
  variable(word, name);
  static_cast<Attached*>(word.attached.get())->shared = std::make_unique<SharedValue>(shared);
}

const SharedValue* SyncObjects::shared_of(const sim::Word& word) {
  const auto* const at = static_cast<const Attached*>(word.attached.get());
  return at ? at->shared.get() : nullptr;
}

const SharedValue* SyncObjects::shared_of(const sim::Op& op) {
  const bool waits = op.kind == sim::OpKind::word_wait;
  if (!waits && op.kind != sim::OpKind::word_change) return nullptr;
  return shared_of(waits ? *op.word_wait.word : *op.word_change.word);
}

// ---- notifies ----

void SyncObjects::keep_wait(sim::Word& word, Use use) {
  auto* const at = static_cast<Attached*>(word.attached.get());
  if (!at || !at->shared) return;
  if (at->shared->object.kind != order::SharedObject::Kind::notify) return;
  std::erase_if(at->waits, [&](const Use& one) { return one.when.actor == use.when.actor; });
  at->waits.push_back(use);
}

void SyncObjects::notify_created(const Notify& notify) {
  const SharedPage& page = notify.page();
  make_shared(notify.word(), "NOTIFY_RECORD",
              {{order::SharedObject::Kind::notify, page.file_number(), page.offset()},
               &page.number(Notify::kRecords),
               &page.number(Notify::kWaits)});
}

void SyncObjects::notify_destroying(const Notify& notify) {
  const CheckLock::Entry guard(lock_);
  auto* const at = static_cast<Attached*>(notify.word().attached.get());
  if (!at) return;
  const order::Actor by = actors_.host();
  for (const Use& wait : at->waits) {
    if (engine_.covers(by, wait.when)) continue;
    order::Finding finding = actors_.without_order(order::Rule::freed_in_use, wait.when);
    finding.op_info = op_info_of_call();
    finding.other = wait.op_info;
    finding.text = "{it} destroys the notify while {other} may still wait for it";
    if (finding.rule == order::Rule::freed_in_use) {
      finding.title = "destroyed while in use";
    } else {
      finding.text += "; only host threads can order them";
    }
    reporter_.add(std::move(finding));
  }
  at->waits.clear();
}

void SyncObjects::notify_destroyed(const Notify& notify) {
  const CheckLock::Entry guard(lock_);
  const auto* const at = static_cast<const Attached*>(notify.word().attached.get());
  if (!at || !at->variable) return;
  const bool shared = notify.word().watched();  // then this process sees a part only
  std::erase_if(notifies_, [&](const auto& weak) {
    const auto one = weak.lock();
    return !one || one == at->variable;
  });
  if (!shared) report_unpaired(*at->variable, " when the notify is destroyed");
}

void SyncObjects::notify_reset(const Notify& notify) {
  const CheckLock::Entry guard(lock_);
  order::Variable& number = *variable(notify.word(), "NOTIFY");
  number.counts = {};
  order::VectorClock known;
  engine_.release(actors_.host(), known);
  number.change([](std::uint64_t) { return 0; }, false, known);
}

void SyncObjects::report_unpaired_notifies() {
  for (const auto& weak : notifies_) {
    const auto notify = weak.lock();
    // This process sees only a part of the records and waits of a shared notify.
    if (notify && notify->closed) report_unpaired(*notify, "");
  }
}

// An imbalance is reported once: the counts are zero afterwards.
void SyncObjects::report_unpaired(order::Variable& notify, const char* when) {
  const order::NotifyCounts counts = std::exchange(notify.counts, {});
  if (counts.balanced()) return;
  order::Finding finding(order::Rule::notify_unpaired);
  finding.level = order::Level::warning;
  finding.op_info = counts.records != 0 ? notify.last : notify.last_wait;
  const bool waited = counts.waits != 0 || counts.dropped_waits != 0;
  if (counts.records != 0 && waited) finding.other = notify.last_wait;
  finding.text = fmt::format("{} records, {} waits{}", counts.records, counts.waits, when);
  reporter_.add(std::move(finding));
}

}  // namespace acl
