// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/sync_marks.h"

#include <algorithm>

namespace order {

// There is a mark already.
void SyncMarks::add_more(std::uint32_t issued) {
  list();
  if (marks_.back().issued != issued) {
    // The oldest one may belong to a synchronise that gave up.
    if (marks_.size() == kMost) {
      marks_.erase(marks_.begin());
      find_next();
    }
    marks_.push_back({issued, 0, nullptr});
    if (next_ == kNone) next_ = issued;
  }
  ++marks_.back().users;
}

/// Writes the only mark into the list.
void SyncMarks::list() {
  if (!marks_.empty() || next_ == kNone) return;
  marks_.push_back({next_, 1, nullptr});
}

void SyncMarks::find_next() {
  const auto next =
      std::find_if(marks_.begin(), marks_.end(), [](const Mark& mark) { return !mark.passed; });
  next_ = next == marks_.end() ? kNone : next->issued;
}

void SyncMarks::pass(const VectorClock& clock) {
  list();
  for (Mark& mark : marks_) {
    if (mark.issued != next_) continue;
    mark.passed = new ClockCopy(clock);
  }
  find_next();
}

SyncMarks::Mark* SyncMarks::find(std::uint32_t issued) {
  const auto mark = std::find_if(marks_.begin(), marks_.end(),
                                 [&](const Mark& known) { return known.issued == issued; });
  return mark == marks_.end() ? nullptr : &*mark;
}

void SyncMarks::end_one(Mark& mark) {
  if (--mark.users != 0) return;
  const bool was_next = next_ == mark.issued;
  marks_.erase(marks_.begin() + (&mark - marks_.data()));
  if (was_next) find_next();
}

}  // namespace order
