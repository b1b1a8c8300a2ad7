// SPDX-License-Identifier: Apache-2.0
// What is kept of a record.
#include <algorithm>

#include "runtime/order/engine.h"

namespace order {

void Node::renew() {
  resolved = false;
  clock.clear();
  blocked.clear();
  first_wait_ = {};
  more_waits_.clear();
}

void Node::bind(Epoch wait) {
  if (first_wait_.count == 0 || first_wait_.actor == wait.actor) {
    first_wait_ = wait;
    return;
  }
  const auto same = std::find_if(more_waits_.begin(), more_waits_.end(),
                                 [&](Epoch known) { return known.actor == wait.actor; });
  if (same == more_waits_.end()) {
    more_waits_.push_back(wait);
  } else {
    *same = wait;
  }
}

}  // namespace order
