// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "device_sim/base/spin_lock.h"
#include "runtime/acl/touches/guarded_pages.h"
#include "runtime/order/engine/op_info.h"
#include "runtime/order/engine/vector_clock.h"

namespace sim {
class Memory;
}

namespace acl {

/// Code of the program touched a guarded page.
struct HostTouch {
  std::uintptr_t address;
  bool write;          // false also if the processor does not report it
  std::uint64_t site;  // the address behind an instruction, or behind a call of the C library
};

/// Pages of memory that pending tasks use: the host may not touch what they write, nor write pinned
/// memory that they read, until a host thread is ordered after them. A thread that does gets a
/// signal. The touch is reported, and the thread goes on. `GuardedPages` has the rules; this class
/// locks and changes the protection of the pages.
class GuardedReads {
 public:
  /// A process has one. `report` is called in a signal handler, by a thread that is in no call.
  GuardedReads(const sim::Memory& memory, std::function<void(const HostTouch&)> report);

  /// Memory whose pages belong to the machine.
  bool guards(const order::Access& access) const;
  /// Returns the guarded use; size 0: the access is not guarded.
  PendingUse add(const order::Access& access, order::Epoch when);
  /// Removes the uses where `is_over(epoch)`.
  template <class IsOver>
  void settle(IsOver&& is_over) {
    if (empty()) return;
    remove_where([&](const PendingUse& one) { return is_over(one.when); });
  }
  /// The memory ends.
  void forget(std::uintptr_t begin, std::size_t size);
  void clear();
  /// A function may touch the uses where `is_allowed(use)`. Returns them, for `leave`.
  std::vector<PendingUse> admit(const std::function<bool(const PendingUse&)>& is_allowed);
  void admit(const PendingUse& use);
  void leave(std::span<const PendingUse> admitted);
  /// False: the page is not guarded. Callable from a signal handler.
  bool open_for_now(std::uintptr_t address, bool write);
  /// Callable from a signal handler.
  PageAccess access_at(std::uintptr_t address);
  void close_again();
  /// The guarded uses. Other threads may add and remove some meanwhile.
  std::vector<PendingUse> uses();
  bool empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

 private:
  void remove_where(const std::function<bool(const PendingUse&)>& is_over);

  const sim::Memory& memory_;
  sim::SpinLock lock_;  // a handler takes it: nothing inside touches memory of the program
  GuardedPages pages_ GUARDED_BY(lock_);
  std::atomic<std::size_t> count_{0};  // of the uses
  std::atomic<bool> opened_{false};
};

}  // namespace acl
