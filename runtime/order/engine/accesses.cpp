// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/accesses.h"

namespace order {

void Accesses::take(Actor actor, const OpInfo& op_info, std::span<const Access> accesses,
                    const VectorClock* hosts_at_issue) {
  const ActorClock& state = clocks_[actor];
  const Epoch when = state.crew ? hosts_.access_epoch(actor) : clocks_.now(actor);
  for (const Access& access : accesses) {
    if (observer_) observer_->accessed(when, state.clock, op_info, access);
    if (attends_) [[unlikely]]
      attend(actor, op_info, access, hosts_at_issue);
    if (shadow_.touch_again(access, when, state.clock, op_info)) [[likely]]
      continue;
    conflicts_.clear();
    shadow_.touch(access, when, state.clock, op_info, conflicts_);
    for (const Shadow::Conflict& conflict : conflicts_) {
      reporter_.report({actor, op_info, access, hosts_at_issue}, conflict);
    }
  }
}

// Most programs have neither words nor touches.
void Accesses::attend(Actor actor, const OpInfo& op_info, const Access& access,
                      const VectorClock* hosts_at_issue) {
  if (!words_.empty()) overwrite_words(access);
  if (touches_) touches_->compare(actor, op_info, access, hosts_at_issue);
}

bool Accesses::touched(Actor host, const OpInfo& op_info, const Access& byte, Actor counter) {
  if (!touches_) touches_ = std::make_unique<HostTouches>(clocks_, hosts_, reporter_, counter);
  attends_ = true;
  return touches_->touch(host, op_info, byte, shadow_);
}

bool Accesses::report_users(Actor host, const OpInfo& op_info, const Access& range,
                            const VectorClock* hosts_at_issue) {
  const VectorClock& clock = clocks_[host].clock;
  conflicts_.clear();
  if (observer_) observer_->accessed(hosts_.access_epoch(host), clock, op_info, range);
  shadow_.look(range, clock, conflicts_);
  for (const Shadow::Conflict& conflict : conflicts_) {
    reporter_.report({host, op_info, range, hosts_at_issue}, conflict);
  }
  return !conflicts_.empty();
}

void Accesses::erase_words(const Access& range) {
  words_.erase(words_.lower_bound(range.begin), words_.lower_bound(range.begin + range.size));
}

const std::shared_ptr<Variable>& Accesses::word(std::uintptr_t address) {
  attends_ = true;
  std::shared_ptr<Variable>& found = words_[address];
  if (found) return found;
  found = std::make_shared<Variable>();
  found->address = address;
  found->first.reset();
  return found;
}

void Accesses::overwrite_words(const Access& range) {
  if (!range.write || range.kind == AccessKind::atomic) return;
  for (auto at = words_.lower_bound(range.begin);
       at != words_.end() && at->first < range.begin + range.size; ++at) {
    at->second->overwritten();
  }
}

// An op or a host thread wrote the word as data: the writers are all reductions since the last
// plain write, or else that write. An operation that sets the word as a value is a change of its
// own, and did not satisfy the wait. The current clock of the writer covers its clock at the write.
void Accesses::join_writer(VectorClock& clock, std::uintptr_t address) const {
  VectorClock plain, reductions;
  shadow_.visit(address, 1, [&](const Shadow::Touch& write, const Access&) {
    const Actor by = write.when.actor;
    if (!write.write || write.kind == AccessKind::atomic) return;
    VectorClock known = clocks_[by].clock;
    known.set(by, write.when.count);
    (write.kind == AccessKind::plain ? plain : reductions).join(known);
  });
  clock.join(reductions.empty() ? plain : reductions);
}

// An operation that has set the word as a value since is known.
bool Accesses::may_be_written(const Variable& word) const {
  bool written = false;
  shadow_.visit(word.address, 1, [&](const Shadow::Touch& touch, const Access&) {
    if (!touch.write) return;
    written = touch.kind != AccessKind::atomic && (written || !hosts_.any_covers(touch.when));
  });
  return written;
}

}  // namespace order
