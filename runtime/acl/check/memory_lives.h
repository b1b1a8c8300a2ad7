// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/host_memory_in_use.h"
#include "runtime/acl/check/reporter.h"
#include "runtime/acl/check/unknown_writers.h"
#include "runtime/acl/touches/freed_memory.h"

namespace acl {

/// Memory that is allocated and freed, and uses of memory after its end.
class MemoryLives {
 public:
  MemoryLives(Runtime& runtime, CheckLock& lock, Actors& actors, Reporter& reporter,
              UnknownWriters& unknown_writers, HostMemoryInUse& host_memory)
      : runtime_(runtime),
        lock_(lock),
        actors_(actors),
        engine_(actors.engine()),
        reporter_(reporter),
        unknown_writers_(unknown_writers),
        host_memory_(host_memory) {}

  void allocated(const void* begin, std::size_t size) EXCLUDES(check_lock);
  void mapped(const void* begin, std::size_t size, const sim::PhysicalMemory* memory, bool fresh)
      EXCLUDES(check_lock);
  /// From here on the program uses the bytes for something else, or no more.
  void reused(const void* begin, std::size_t size, bool on_host) EXCLUDES(check_lock);
  /// The same, in the order of the stream.
  void reused_in_order(Stream& stream, const void* begin, std::size_t size) EXCLUDES(check_lock);
  void host_memory_ends(const void* begin, std::size_t size) EXCLUDES(check_lock);
  void device_memory_ending(int device) EXCLUDES(check_lock);

  void pool_allocated(Stream& stream, const void* begin, std::size_t span, bool over)
      EXCLUDES(check_lock);
  void pool_freeing(Stream& stream, const void* begin, std::size_t span) EXCLUDES(check_lock);
  void block_handed_out(const void* begin, std::size_t size) EXCLUDES(check_lock);
  void block_taken_back(const void* begin, std::size_t size) EXCLUDES(check_lock);

  void no_memory_found(const void* address, const char* argument) EXCLUDES(check_lock);
  void nothing_to_free(const void* address) EXCLUDES(check_lock);
  /// Reports the first access to a block that its pool has taken back.
  void check_blocks(const order::OpInfo& what, std::span<const order::Access> accesses)
      REQUIRES(check_lock) {
    if (!idle_blocks_.empty()) report_block(what, accesses);
  }
  /// Reports the first address that points into freed memory.
  void check_freed(const order::OpInfo& what, std::span<const order::Access> accesses)
      REQUIRES(check_lock) {
    if (!freed_memory_.empty()) report_freed(what, accesses);
  }
  /// The same for a kernel that declares nothing, by the words among its arguments.
  void check_freed_arguments(order::OpInfo what, const sim::Op& kernel) REQUIRES(check_lock);
  void clear() REQUIRES(check_lock);

 private:
  bool is_live(const void* address) const;
  /// The call that released the memory which the address points into; null: the memory is live, or
  /// never was.
  const order::OpInfo* freed_by(const void* address) const REQUIRES(check_lock);
  bool report_if_freed(const order::OpInfo& what, const void* address) REQUIRES(check_lock);
  void report_block(const order::OpInfo& what, std::span<const order::Access> accesses)
      REQUIRES(check_lock);
  void report_freed(const order::OpInfo& what, std::span<const order::Access> accesses)
      REQUIRES(check_lock);

  Runtime& runtime_;
  CheckLock& lock_;
  Actors& actors_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  UnknownWriters& unknown_writers_;
  HostMemoryInUse& host_memory_;
  FreedMemory freed_memory_ GUARDED_BY(check_lock);
  // Blocks of programs' own pools; the memory around them is live.
  FreedMemory idle_blocks_ GUARDED_BY(check_lock);
};

}  // namespace acl
