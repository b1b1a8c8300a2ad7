// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/touches/guarded_reads.h"

#include <algorithm>
#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/memory/memory.h"
#include "runtime/acl/touches/touch_signal.h"

namespace acl {
namespace {

sim::HostRights rights_of(PageAccess access) {
  switch (access) {
    case PageAccess::none:
      return sim::HostRights::none;
    case PageAccess::reads:
      return sim::HostRights::read;
    case PageAccess::all:
      return sim::HostRights::all;
  }
  return sim::HostRights::all;
}

}  // namespace

GuardedReads::GuardedReads(const sim::Memory& memory, std::function<void(const HostTouch&)> report)
    : memory_(memory), pages_([this](std::uintptr_t begin, std::size_t size, PageAccess access) {
        memory_.limit_hosts(begin, size, rights_of(access));
      }) {
  watch_touches(*this, std::move(report));
}

// The machine does not own pageable host memory. The system may read memory that is mapped for the
// host on behalf of the checker, and a closed page would refuse that.
bool GuardedReads::guards(const order::Access& access) const {
  if (access.size == 0 || access.kind == order::AccessKind::atomic) return false;
  auto* const begin = reinterpret_cast<const void*>(access.begin);
  const sim::AddressSpace* const space = memory_.space_of(begin);
  if (!access.write) return space == &memory_.host();
  return space || (memory_.mappings().holds(begin) && !access.host);
}

PendingUse GuardedReads::add(const order::Access& access, order::Epoch when) {
  if (!guards(access)) return {};
  install_touch_handler();
  const PendingUse use{access.begin, access.size, access.write, when};
  const sim::LockGuard guard(lock_);
  pages_.add(use);
  count_.store(pages_.uses().size(), std::memory_order_relaxed);
  return use;
}

std::vector<PendingUse> GuardedReads::uses() {
  std::vector<PendingUse> all;
  for (;;) {
    all.reserve(count_.load(std::memory_order_relaxed));  // nothing is allocated with the lock held
    const sim::LockGuard guard(lock_);
    if (pages_.uses().size() > all.capacity()) continue;
    all = pages_.uses();
    return all;
  }
}

void GuardedReads::remove_where(const std::function<bool(const PendingUse&)>& is_over) {
  std::vector<PendingUse> over = uses();
  std::erase_if(over, [&](const PendingUse& one) { return !is_over(one); });
  if (over.empty()) return;
  const sim::LockGuard guard(lock_);
  for (const PendingUse& one : over) pages_.remove(one);
  count_.store(pages_.uses().size(), std::memory_order_relaxed);
}

void GuardedReads::forget(std::uintptr_t begin, std::size_t size) {
  if (empty()) return;
  remove_where([&](const PendingUse& one) {
    return one.begin < begin + size && begin < one.begin + one.size;
  });
}

void GuardedReads::clear() {
  if (empty()) return;
  remove_where([](const PendingUse&) { return true; });
}

std::vector<PendingUse> GuardedReads::admit(
    const std::function<bool(const PendingUse&)>& is_allowed) {
  if (empty()) return {};
  std::vector<PendingUse> allowed = uses();
  std::erase_if(allowed, [&](const PendingUse& one) { return !is_allowed(one); });
  const sim::LockGuard guard(lock_);
  for (const PendingUse& one : allowed) pages_.admit(one);
  return allowed;
}

void GuardedReads::admit(const PendingUse& use) {
  const sim::LockGuard guard(lock_);
  pages_.admit(use);
}

void GuardedReads::leave(std::span<const PendingUse> admitted) {
  if (admitted.empty()) return;
  const sim::LockGuard guard(lock_);
  for (const PendingUse& one : admitted) pages_.leave(one);
}

bool GuardedReads::open_for_now(std::uintptr_t address, bool write) {
  const sim::LockGuard guard(lock_);
  const bool opened = pages_.touch(address, write);
  if (opened) opened_.store(true, std::memory_order_relaxed);
  return opened;
}

PageAccess GuardedReads::access_at(std::uintptr_t address) {
  const sim::LockGuard guard(lock_);
  return pages_.access_at(address);
}

void GuardedReads::close_again() {
  if (!opened_.exchange(false, std::memory_order_relaxed)) return;
  install_touch_handler();
  const sim::LockGuard guard(lock_);
  pages_.close_again();
}

}  // namespace acl
