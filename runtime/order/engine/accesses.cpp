// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/accesses.h"

#include <algorithm>

namespace order {

/// The repair of `one` orders the touch of `other` too, and the finding about `one` is no weaker.
/// This holds for the last touch that was called before `now`, and for the first one after it.
bool Accesses::covers(const Shadow::Conflict& one, const Shadow::Conflict& other,
                      const OpInfo& now) const {
  const Shadow::Touch &a = one.earlier, &b = other.earlier;
  if (one.ordered || other.ordered || a.when.actor != b.when.actor) return false;
  const bool after = is_called_before(now, b.op_info);
  if (after != is_called_before(now, a.op_info)) return false;
  const bool closer = after ? a.when.count < b.when.count : a.when.count > b.when.count;
  if (!closer || (!a.op_info.declared && b.op_info.declared)) return false;
  if (after && hosts_.count() > 1 && hosts_.any_covers(a.when) != hosts_.any_covers(b.when)) {
    return false;
  }
  const bool host = clocks_[a.when.actor].host;
  return !host || hosts_.was_in_function(a.when) == hosts_.was_in_function(b.when);
}

void Accesses::keep_closest_of_each_actor(const OpInfo& now) {
  if (conflicts_.size() < 2) return;
  std::erase_if(conflicts_, [&, all = conflicts_](const Shadow::Conflict& one) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Shadow::Conflict& other) { return covers(other, one, now); });
  });
}

void Accesses::take(Actor actor, const OpInfo& op_info, std::span<const Access> accesses,
                    const VectorClock* hosts_at_issue) {
  const ActorClock& state = clocks_[actor];
  const Epoch when = state.crew ? hosts_.access_epoch(actor) : clocks_.now(actor);
  for (const Access& access : accesses) {
    if (observer_) observer_->accessed(when, state.clock, op_info, access);
    if (attends_) [[unlikely]]
      attend(actor, op_info, access, hosts_at_issue);
    if (overtakes_) overtaking_.add(when, op_info, access);
    if (shadow_.touch_again(access, when, state.clock, op_info)) [[likely]]
      continue;
    const std::size_t before = conflicts_.size();
    shadow_.touch(access, when, state.clock, op_info, conflicts_);
    for (std::size_t i = before; i < conflicts_.size(); ++i) {
      conflicts_[i].access = static_cast<std::size_t>(&access - accesses.data());
    }
  }
  if (conflicts_.empty()) [[likely]]
    return;
  look_at_overtaking(actor, op_info, accesses);
  keep_closest_of_each_actor(op_info);
  std::vector<Access> of_other;
  for (const Shadow::Conflict& conflict : conflicts_) {
    of_other.clear();
    overtaking_.accesses_of(conflict.earlier.when, of_other);
    reporter_.report({actor, op_info, accesses[conflict.access], hosts_at_issue, of_other},
                     conflict);
  }
  conflicts_.clear();
}

// Most ops access what the last run accessed, as a whole. Then only the moments of the accesses
// change, and the clock is behind until the end.
void Accesses::take(Actor stream, VectorClock& clock, std::span<const GraphOp> ops,
                    const VectorClock* hosts_at_issue, bool overtakes) {
  const bool plain = !observer_ && !attends_ && !(overtakes_ && overtakes);
  Epoch when{stream, clock.of(stream)};
  for (const GraphOp& op : ops) {
    ++when.count;
    std::span<const Access> accesses = op.all_accesses();
    while (plain && !accesses.empty() &&
           shadow_.touch_again(accesses.front(), when, clock, op.op_info)) {
      accesses = accesses.subspan(1);
    }
    if (accesses.empty()) [[likely]]
      continue;
    clock.advance(stream, when.count - clock.of(stream));
    take(stream, op.op_info, accesses, hosts_at_issue);
  }
  clock.advance(stream, when.count - clock.of(stream));
}

/// The operation waited, and other operations that were called later were taken in before it: their
/// accesses that `Shadow` has replaced since conflict, too.
void Accesses::look_at_overtaking(Actor actor, const OpInfo& op_info,
                                  std::span<const Access> accesses) {
  const bool overtaken = std::any_of(
      conflicts_.begin(), conflicts_.end(),
      [&](const Shadow::Conflict& one) { return is_called_before(op_info, one.earlier.op_info); });
  if (overtaken) overtaking_.look(actor, op_info, accesses, clocks_[actor].clock, conflicts_);
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
                            const VectorClock* hosts_at_issue, const Skip& skip) {
  const VectorClock& clock = clocks_[host].clock;
  if (observer_) observer_->accessed(hosts_.access_epoch(host), clock, op_info, range);
  shadow_.look(range, clock, conflicts_);
  keep_closest_of_each_actor(op_info);
  for (const Shadow::Conflict& conflict : conflicts_) {
    if (skip(conflict.earlier.when.actor)) continue;
    reporter_.report({host, op_info, range, hosts_at_issue}, conflict);
  }
  const bool any = !conflicts_.empty();
  conflicts_.clear();
  return any;
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
