// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/touches/guarded_reads.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/memory/memory.h"
#include "device_sim/memory/pages.h"
#include "runtime/acl/touches/touch_signal.h"

namespace acl {
namespace {

constexpr std::size_t kMost = 4096;  // further tasks are not watched

using sim::kPage;
using Pending = GuardedReads::Pending;

std::uintptr_t first_page(std::uintptr_t begin) { return begin / kPage * kPage; }
std::uintptr_t behind_last_page(std::uintptr_t begin, std::size_t size) {
  return (begin + size + kPage - 1) / kPage * kPage;
}

bool share_pages(const Pending& one, std::uintptr_t begin, std::size_t size) {
  return first_page(one.begin) < behind_last_page(begin, size) &&
         first_page(begin) < behind_last_page(one.begin, one.size);
}

}  // namespace

GuardedReads::GuardedReads(const sim::Memory& memory, std::function<void(const HostTouch&)> report)
    : memory_(memory) {
  pending_.reserve(kMost);  // nothing is allocated with the lock held
  watch_touches(*this, std::move(report));
}

void GuardedReads::add(std::span<const order::Access> accesses, order::Epoch when,
                       const order::OpInfo& by) {
  const bool any = std::any_of(accesses.begin(), accesses.end(), [](const order::Access& access) {
    return access.write && access.size != 0;
  });
  if (!any) return;
  install_touch_handler();
  for (const order::Access& access : accesses) {
    if (access.write && access.size != 0) add(access, when, by);
  }
}

// The machine does not own pageable host memory. The system may read memory that is mapped for the
// host on behalf of the checker, and a barred page would refuse that.
void GuardedReads::add(const order::Access& access, order::Epoch when, const order::OpInfo& by) {
  auto* const begin = reinterpret_cast<const void*>(access.begin);
  const bool watched = memory_.space_of(begin) || (memory_.mappings().holds(begin) && !access.host);
  if (!watched || access.kind == order::AccessKind::atomic) return;
  const sim::LockGuard guard(lock_);
  const auto known = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& one) {
    return one.begin == access.begin && one.size == access.size && one.when.actor == when.actor;
  });
  if (known != pending_.end()) {
    known->when = when;
    known->opened = false;
  } else if (pending_.size() < kMost) {
    pending_.push_back({access.begin, access.size, when, by, access.host});
  } else {
    return;
  }
  any_.store(true, std::memory_order_relaxed);
  memory_.bar_hosts(access.begin, access.size, true);
}

void GuardedReads::let_in_where(const std::function<bool(const Pending&)>& is_over) {
  std::vector<Pending> all;
  {
    const sim::LockGuard guard(lock_);
    all = pending_;
  }
  std::erase_if(all, [&](const Pending& one) { return !is_over(one); });
  if (all.empty()) return;
  const sim::LockGuard guard(lock_);
  for (const Pending& over : all) {
    const auto same = [&](const Pending& one) {
      return one.begin == over.begin && one.size == over.size &&
             one.when.actor == over.when.actor && one.when.count == over.when.count;
    };
    if (std::erase_if(pending_, same) != 0) memory_.bar_hosts(over.begin, over.size, false);
  }
  for (const Pending& left : pending_) {
    const auto shares = [&](const Pending& over) {
      return share_pages(left, over.begin, over.size);
    };
    if (!left.opened && std::any_of(all.begin(), all.end(), shares)) {
      memory_.bar_hosts(left.begin, left.size, true);
    }
  }
  any_.store(!pending_.empty(), std::memory_order_relaxed);
}

void GuardedReads::forget(std::uintptr_t begin, std::size_t size) {
  if (empty()) return;
  let_in_where(
      [&](const Pending& one) { return one.begin < begin + size && begin < one.begin + one.size; });
}

void GuardedReads::clear() {
  if (empty()) return;
  let_in_where([](const Pending&) { return true; });
}

std::vector<Pending> GuardedReads::pending_at(std::uintptr_t address) {
  std::vector<Pending> found;
  found.reserve(kMost);
  const sim::LockGuard guard(lock_);
  std::copy_if(pending_.begin(), pending_.end(), std::back_inserter(found),
               [&](const Pending& one) { return address - one.begin < one.size; });
  return found;
}

// All pages of the tasks: else a kernel that walks through a large buffer gets a signal for each.
bool GuardedReads::open_for_now(std::uintptr_t address) {
  bool any = false;
  const sim::LockGuard guard(lock_);
  for (Pending& one : pending_) {
    if (!share_pages(one, address, 1)) continue;
    any = true;
    one.opened = true;
    memory_.bar_hosts(one.begin, one.size, false);
  }
  if (any) opened_.store(true, std::memory_order_relaxed);
  return any;
}

void GuardedReads::close_again() {
  if (!opened_.exchange(false, std::memory_order_relaxed)) return;
  install_touch_handler();
  const sim::LockGuard guard(lock_);
  for (Pending& one : pending_) {
    if (!one.opened) continue;
    one.opened = false;
    memory_.bar_hosts(one.begin, one.size, true);
  }
}

}  // namespace acl
