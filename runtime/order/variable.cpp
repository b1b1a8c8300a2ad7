// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/variable.h"

namespace order {

void Variable::change(const Update& update, bool adds, const VectorClock& clock) {
  Change next{update(value()), clock};
  if (adds && !changes_.empty()) next.clock.join(changes_.back().clock);
  changes_.push_back(std::move(next));
  if (changes_.size() > kMost) changes_.pop_front();
}

// The change that let it pass is the first of the last run of values that satisfy the test.
const VectorClock* Variable::passed(const Test& test) const {
  const VectorClock* found = nullptr;
  for (auto at = changes_.rbegin(); at != changes_.rend(); ++at) {
    if (test(at->value)) {
      found = &at->clock;
    } else if (found) {
      break;
    }
  }
  return found;
}

}  // namespace order
