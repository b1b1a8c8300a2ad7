// SPDX-License-Identifier: Apache-2.0
// The record of an event and the waits that are bound to it.
#include <algorithm>

#include "runtime/order/engine/node.h"

namespace order {

void Node::renew() {
  resolved = false;
  version = 0;
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
  if (more_waits_.size() == more_waits_.capacity()) forget_earlier_waits();
  more_waits_.push_back(wait);
}

void Node::forget_earlier_waits() {
  const auto later_first = [](Epoch a, Epoch b) {
    return a.actor != b.actor ? a.actor < b.actor : a.count > b.count;
  };
  const auto same_stream = [](Epoch a, Epoch b) { return a.actor == b.actor; };
  std::sort(more_waits_.begin(), more_waits_.end(), later_first);
  more_waits_.erase(std::unique(more_waits_.begin(), more_waits_.end(), same_stream),
                    more_waits_.end());
}

}  // namespace order
