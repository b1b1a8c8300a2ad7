// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/variable.h"

namespace order {

void Variable::change(const Update& update, bool adds, const VectorClock& clock) {
  Change next{update(changes_.empty() ? 0 : changes_.back().value), clock};
  if (adds && !changes_.empty()) next.clock.join(changes_.back().clock);
  changes_.push_back(std::move(next));
  if (changes_.size() <= kMost) return;
  changes_.pop_front();
  dropped_some_ = true;
}

// The change that let it pass is the first of the last run of values that satisfy the test. A number
// begins with 0, which may do so itself.
const VectorClock* Variable::passed(const Test& test) const {
  const VectorClock* found = nullptr;
  for (auto at = changes_.rbegin(); at != changes_.rend(); ++at) {
    if (test(at->value)) {
      found = &at->clock;
    } else if (found) {
      return found;
    }
  }
  const bool begins_with_0 = closed && address == 0 && !dropped_some_;
  return begins_with_0 && test(0) ? nullptr : found;
}

}  // namespace order
