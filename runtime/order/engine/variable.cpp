// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/variable.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace order {

void Variable::change(const Update& update, bool adds, const VectorClock& clock) {
  Change next{update(changes_.empty() ? first.value_or(0) : changes_.back().value), true, clock,
              clock, update};
  if (adds && !changes_.empty()) next.all.join(changes_.back().all);
  push(std::move(next));
}

void Variable::overwritten() {
  push({0, false, {}, {}, [](std::uint64_t) { return std::uint64_t{0}; }});
}

void Variable::push(Change change) {
  changes_.push_back(std::move(change));
  if (changes_.size() <= kMost) return;
  changes_.pop_front();
  first.reset();
}

// The first of the last run of values that satisfy the test. The value before all may do so too.
Variable::Passing Variable::letting_pass(const Test& test) const {
  const Change* found = nullptr;
  for (auto at = changes_.rbegin(); at != changes_.rend(); ++at) {
    if (at->known && test(at->value)) {
      found = &*at;
    } else if (found || !at->known) {
      return {found, false};
    }
  }
  return {found, first && closed && test(*first)};
}

std::optional<VectorClock> Variable::passed(const Test& test) const {
  const auto [found, from_the_start] = letting_pass(test);
  if (from_the_start) return VectorClock();
  if (!found) return std::nullopt;
  VectorClock after = found->all;
  auto at = std::find_if(changes_.begin(), changes_.end(),
                         [by = found](const Change& change) { return &change == by; });
  const Change* const before = at == changes_.begin() ? nullptr : &*std::prev(at);
  const std::uint64_t without = before ? before->value : first.value_or(0);
  for (++at; at != changes_.end(); ++at) {
    // It may have come in the other's place.
    if (!at->known || at->own.covers(found->own) || !test(at->update(without))) continue;
    VectorClock other = at->own;
    if (before) other.join(before->all);
    after.meet(other);
  }
  return after;
}

}  // namespace order
