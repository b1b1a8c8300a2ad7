// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "device_sim/base/spin_lock.h"
#include "runtime/order/engine/op_info.h"
#include "runtime/order/engine/vector_clock.h"

namespace sim {
class Memory;
}

namespace acl {

/// Code of the program touched a barred page.
struct HostTouch {
  std::uintptr_t address;
  bool write;          // false also if the processor does not report it
  std::uint64_t site;  // the address behind an instruction, or behind a call of the C library
};

/// Pages of memory that pending tasks write. The host is barred from them until it is ordered after
/// the tasks. A host thread that touches one meanwhile gets a signal. The touch is reported, and
/// the thread goes on. Kernels and this library itself may touch them: such a page is open to all
/// until `close_again`.
class GuardedReads {
 public:
  struct Pending {
    std::uintptr_t begin;
    std::size_t size;
    order::Epoch when;
    order::OpInfo by;
    bool host;            // host memory
    bool opened = false;  // until `close_again`
  };

  /// A process has one. `report` is called in a signal handler, by a thread that is in no call.
  GuardedReads(const sim::Memory& memory, std::function<void(const HostTouch&)> report);

  void add(std::span<const order::Access> accesses, order::Epoch when, const order::OpInfo& by);
  /// Lets the host in where `is_over(epoch)`.
  template <class IsOver>
  void settle(IsOver&& is_over) {
    if (empty()) return;
    let_in_where([&](const Pending& one) { return is_over(one.when); });
  }
  /// The memory ends.
  void forget(std::uintptr_t begin, std::size_t size);
  void clear();
  /// Calls `visit` for each task that writes the byte.
  template <class Visit>
  void each_at(std::uintptr_t address, Visit&& visit) {
    for (const Pending& one : pending_at(address)) visit(one);
  }
  /// False: the page is not barred. Callable from a signal handler.
  bool open_for_now(std::uintptr_t address);
  void close_again();
  bool empty() const noexcept { return !any_.load(std::memory_order_relaxed); }

 private:
  void add(const order::Access& access, order::Epoch when, const order::OpInfo& by);
  void let_in_where(const std::function<bool(const Pending&)>& is_over);
  std::vector<Pending> pending_at(std::uintptr_t address);

  const sim::Memory& memory_;
  sim::SpinLock lock_;  // a handler takes it: nothing inside touches memory of the program
  std::vector<Pending> pending_ GUARDED_BY(lock_);
  std::atomic<bool> any_{false};
  std::atomic<bool> opened_{false};
};

}  // namespace acl
