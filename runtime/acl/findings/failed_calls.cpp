// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/findings/failed_calls.h"

#include <algorithm>
#include <iterator>

namespace acl {

void FailedCalls::failed(Row row) {
  codes_.insert(row.code);
  std::erase_if(repeats_, [&](const Repeat& repeat) {
    return repeat.thread == row.call.thread && repeat.call == row.call.what;
  });
  const auto same = std::find_if(rows_.begin(), rows_.end(), [&](const Row& known) {
    return known.call.site == row.call.site && known.code == row.code &&
           known.call.thread == row.call.thread && known.answered == row.answered &&
           std::string_view(known.call.what) == row.call.what;
  });
  if (same != rows_.end()) {
    same->times += row.times;
  } else if (rows_.size() < kMost) {
    rows_.push_back(std::move(row));
  }
}

bool FailedCalls::holds(std::uint32_t thread, std::string_view call, std::uint64_t site) const {
  return std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) {
    return row.call.thread == thread && row.call.site == site && row.call.what == call &&
           !row.answered;
  });
}

void FailedCalls::asked(std::uint32_t thread) {
  for (Row& row : rows_) row.answered |= row.call.thread == thread;
}

void FailedCalls::begins(std::uint32_t thread, std::string_view call, std::uint64_t site) {
  const auto before = std::find_if(repeats_.begin(), repeats_.end(),
                                   [&](const Repeat& repeat) { return repeat.thread == thread; });
  if (before != repeats_.end()) {
    repeated_with_success(*before);
    repeats_.erase(before);
  }
  if (rows_.empty()) return;
  const bool allocates = order::loss_of(call) == order::Loss::memory;
  const auto same = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) {
    if (row.call.thread != thread || row.answered) return false;
    return order::repeats(row.loss, {.same_place = row.call.site == site,
                                     .same_function = row.call.what == call,
                                     .next = row.fresh,
                                     .allocates = allocates});
  });
  if (same != rows_.end()) repeats_.push_back({thread, same->call.what, same->call.site});
  for (Row& row : rows_) row.fresh &= row.call.thread != thread;
}

void FailedCalls::repeated_with_success(const Repeat& repeat) {
  for (Row& row : rows_) {
    row.answered |= row.call.thread == repeat.thread && row.call.what == repeat.call &&
                    row.call.site == repeat.site;
  }
}

std::vector<FailedCalls::Row> FailedCalls::take() {
  for (const Repeat& repeat : std::exchange(repeats_, {})) repeated_with_success(repeat);
  return std::exchange(rows_, {});
}

}  // namespace acl
