// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_set>

#include "device_sim/memory/memory.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/order/engine/op_info.h"

namespace sim {
struct Op;
class PhysicalMemory;
}  // namespace sim

namespace acl {

/// Memory that may have been written in ways that the checker does not see: by kernels that declare
/// nothing, by other processes, or before it was mapped again.
class UnknownWriters {
 public:
  explicit UnknownWriters(sim::Memory& memory) : memory_(memory) {}

  /// True if some kernel or task may have written anywhere.
  bool anywhere() const REQUIRES(check_lock) { return anywhere_; }
  void add_anywhere() REQUIRES(check_lock) { anywhere_ = true; }
  /// Another process has the allocation too.
  void share(std::uintptr_t allocation) REQUIRES(check_lock) { shared_.insert(allocation); }
  /// A kernel that reports its accesses may also have written by pointers, which are not reported:
  /// to each allocation that it was given. A kernel that was given none, or that found pointers in
  /// memory, may have written anywhere.
  void add_kernel(const sim::Op& op, std::span<const order::Access> accessed) REQUIRES(check_lock);
  void map(const sim::PhysicalMemory* memory, bool fresh) REQUIRES(check_lock);
  void forget(std::uintptr_t allocation) REQUIRES(check_lock);
  void clear() REQUIRES(check_lock);

  /// True if other processes have memory of the allocation too.
  bool is_shared(const sim::Allocation& allocation) const REQUIRES(check_lock) {
    return std::any_of(shared_.begin(), shared_.end(), [&](std::uintptr_t begin) {
      return begin - allocation.begin < allocation.size;
    });
  }
  /// True if all writes to the allocation are known.
  bool none_to(const sim::Allocation& allocation) const REQUIRES(check_lock);
  /// True if nothing but kernels that declare nothing can have written there.
  bool is_private(std::uintptr_t address) const REQUIRES(check_lock);
  bool holds_earlier_bytes(std::uintptr_t address) const REQUIRES(check_lock);

 private:
  sim::Memory& memory_;
  bool anywhere_ GUARDED_BY(check_lock) = false;
  std::unordered_set<std::uintptr_t> shared_ GUARDED_BY(check_lock);  // with other processes
  std::unordered_set<std::uintptr_t> given_ GUARDED_BY(check_lock);   // to kernels with pointers
  // Mapped again: may hold bytes that were written earlier.
  std::unordered_set<const sim::PhysicalMemory*> mapped_again_ GUARDED_BY(check_lock);
};

}  // namespace acl
