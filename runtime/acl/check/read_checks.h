// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "runtime/acl/check/actors.h"
#include "runtime/acl/check/check_lock.h"
#include "runtime/acl/check/reporter.h"
#include "runtime/acl/check/unknown_writers.h"

namespace sim {
struct MemoryRange;
}

namespace acl {

class Runtime;

/// Reports reads of device memory that was never written.
class ReadChecks {
 public:
  ReadChecks(Runtime& runtime, Actors& actors, Reporter& reporter,
             const UnknownWriters& unknown_writers)
      : runtime_(runtime),
        engine_(actors.engine()),
        reporter_(reporter),
        unknown_writers_(unknown_writers) {}

  /// The ranges that are read. One finding is enough, so the first one ends the check.
  void check(const order::OpInfo& what, std::span<const sim::MemoryRange> ranges)
      REQUIRES(check_lock);
  /// The same for the accesses of one kernel, which may have written the bytes first.
  void check_kernel(const order::OpInfo& what, std::span<const order::Access> accessed)
      REQUIRES(check_lock);
  /// The targets of reductions, which a reduction reads.
  void check_reductions(order::Actor to, const order::OpInfo& what,
                        std::span<const order::Access> accesses) REQUIRES(check_lock);

 private:
  /// False when a finding was added.
  bool check(const void* src, std::size_t size, const order::OpInfo& what) REQUIRES(check_lock);
  bool may_be_written(const void* src, std::size_t size) const REQUIRES(check_lock);
  void report(const order::OpInfo& what, const order::Access& where, const char* text)
      REQUIRES(check_lock);

  Runtime& runtime_;
  order::Engine& engine_ GUARDED_BY(check_lock);
  Reporter& reporter_;
  const UnknownWriters& unknown_writers_;
};

}  // namespace acl
