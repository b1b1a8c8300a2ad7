// SPDX-License-Identifier: Apache-2.0
// The lives of notifies.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device_sim/streams/word.h"
#include "runtime/acl/check/checker.h"
#include "runtime/acl/core/notify.h"

namespace acl {

// Of each stream the last wait counts: who is ordered after that one is ordered after the others.
void Checker::keep_wait(sim::Word& word, Use use) {
  auto* const at = static_cast<Attached*>(word.attached.get());
  if (!at || !at->shared) return;
  if (at->shared->object.kind != order::SharedObject::Kind::notify) return;
  std::erase_if(at->waits, [&](const Use& one) { return one.when.actor == use.when.actor; });
  at->waits.push_back(use);
}

void Checker::notify_created(const Notify& notify) {
  const SharedPage& page = notify.page();
  made_shared(notify.word(), "NOTIFY_RECORD",
              {{order::SharedObject::Kind::notify, page.file_number(), page.offset()},
               &page.number(Notify::kRecords),
               &page.number(Notify::kWaits)});
}

void Checker::notify_destroying(const Notify& notify) {
  const Entry guard(*this);
  auto* const at = static_cast<Attached*>(notify.word().attached.get());
  if (!at) return;
  const order::Actor by = host();
  for (const Use& wait : at->waits) {
    if (engine_.covers(by, wait.when)) continue;
    order::Finding finding = without_order(order::Rule::freed_in_use, wait.when);
    finding.op_info = op_info(nullptr);
    finding.other = wait.op_info;
    finding.text = "{it} destroys the notify while {other} may still wait for it";
    if (finding.rule == order::Rule::freed_in_use) {
      finding.title = "destroyed while in use";
    } else {
      finding.text += "; only host threads can order them";
    }
    add(std::move(finding));
  }
  at->waits.clear();
}

void Checker::notify_destroyed(const Notify& notify) {
  const Entry guard(*this);
  const auto* const at = static_cast<const Attached*>(notify.word().attached.get());
  if (!at || !at->variable) return;
  const bool shared = notify.word().watched();  // of such a one this process sees a part
  std::erase_if(notifies_, [&](const auto& weak) {
    const auto one = weak.lock();
    return !one || one == at->variable;
  });
  if (!shared) tell_unpaired(*at->variable, " when the notify is destroyed");
}

void Checker::notify_reset(const Notify& notify) {
  const Entry guard(*this);
  order::Variable& number = *variable(notify.word(), "NOTIFY");
  number.counts = {};
  order::VectorClock known;
  engine_.release(host(), known);
  number.change([](std::uint64_t) { return 0; }, false, known);
}

}  // namespace acl
