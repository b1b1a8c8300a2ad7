// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/touches/guarded_pages.h"

#include <algorithm>
#include <utility>

#include "device_sim/memory/pages.h"

namespace acl {
namespace {

using sim::kPage;

std::uintptr_t first_page(std::uintptr_t begin) { return begin / kPage * kPage; }
std::uintptr_t behind_last_page(const PendingUse& use) {
  return (use.begin + use.size + kPage - 1) / kPage * kPage;
}

}  // namespace

bool GuardedPages::add(const PendingUse& use) {
  const std::size_t known = find(use);
  if (known != uses_.size()) {
    uses_[known].when = use.when;
    if (!std::exchange(states_[known].touched, false)) return false;
    --touched_;
  } else {
    if (uses_.size() == kMost) return false;
    uses_.push_back(use);
    states_.emplace_back();
  }
  protect(use.begin, use.size);
  return true;
}

void GuardedPages::remove(const PendingUse& use) {
  const std::size_t at = find(use);
  if (at == uses_.size() || uses_[at].when.count != use.when.count) return;
  if (states_[at].touched) --touched_;
  uses_[at] = uses_.back();
  states_[at] = states_.back();
  uses_.pop_back();
  states_.pop_back();
  protect(use.begin, use.size);
}

void GuardedPages::admit(const PendingUse& use) {
  const std::size_t at = find(use);
  if (at == uses_.size()) return;
  if (++states_[at].functions == 1) protect(use.begin, use.size);
}

void GuardedPages::leave(const PendingUse& use) {
  const std::size_t at = find(use);
  if (at == uses_.size() || states_[at].functions == 0) return;  // it was removed meanwhile
  if (--states_[at].functions == 0) protect(use.begin, use.size);
}

// All pages of the uses: else code that walks through a large buffer gets a signal for each.
bool GuardedPages::touch(std::uintptr_t address, bool write) {
  bool any = false;
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    const PendingUse& use = uses_[i];
    if (address < first_page(use.begin) || address >= behind_last_page(use)) continue;
    const PageAccess access = access_of(i);
    if (access == PageAccess::all || (access == PageAccess::reads && !write)) continue;
    states_[i].touched = true;
    ++touched_;
    any = true;
    protect(use.begin, use.size);
  }
  return any;
}

void GuardedPages::close_again() {
  if (std::exchange(touched_, 0) == 0) return;
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    if (std::exchange(states_[i].touched, false)) protect(uses_[i].begin, uses_[i].size);
  }
}

PageAccess GuardedPages::access_at(std::uintptr_t address) const noexcept {
  PageAccess least = PageAccess::all;
  for (std::size_t i = 0; i < uses_.size(); ++i) {
    if (address < first_page(uses_[i].begin) || address >= behind_last_page(uses_[i])) continue;
    least = std::min(least, access_of(i));
  }
  return least;
}

PageAccess GuardedPages::access_of(std::size_t use) const noexcept {
  if (states_[use].touched || states_[use].functions != 0) return PageAccess::all;
  return uses_[use].writes ? PageAccess::none : PageAccess::reads;
}

std::size_t GuardedPages::find(const PendingUse& use) const noexcept {
  const auto same = [&](const PendingUse& one) { return one.is_same_as(use); };
  return static_cast<std::size_t>(std::find_if(uses_.begin(), uses_.end(), same) - uses_.begin());
}

/// Row by row of pages that are used alike.
void GuardedPages::protect(std::uintptr_t begin, std::size_t size) const {
  const std::uintptr_t end = behind_last_page({begin, size, false, {}});
  for (std::uintptr_t at = first_page(begin); at < end;) {
    std::uintptr_t next = end;
    PageAccess least = PageAccess::all;
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      const std::uintptr_t first = first_page(uses_[i].begin), behind = behind_last_page(uses_[i]);
      if (behind <= at || first >= end) continue;
      if (first > at) {
        next = std::min(next, first);
      } else {
        next = std::min(next, behind);
        least = std::min(least, access_of(i));
      }
    }
    protect_(at, next - at, least);
    at = next;
  }
}

}  // namespace acl
