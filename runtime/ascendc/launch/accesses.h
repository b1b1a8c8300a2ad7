// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/ascendc/core/host.h"
#include "runtime/ascendc/core/shadow.h"
#include "runtime/ascendc/launch/global_writes.h"

namespace ascendc {

/// The accesses of a whole launch to global memory. The order checker compares them with other
/// tasks.
class Accesses {
 public:
  /// Adds the reads of a block that has ended.
  void add_reads(const Shadow& of_block);
  /// All accesses outside of `attached`. A read of bytes that the launch also writes is left out.
  /// Without the lock: called when all blocks are over.
  std::vector<acl::embedding::Range> ranges(const GlobalWrites& writes,
                                            GmRange attached) const NO_THREAD_SAFETY_ANALYSIS;

 private:
  struct Bytes {
    std::uint64_t begin;
    std::uint64_t end;
  };
  static void append(std::vector<Bytes>& list, Bytes bytes);

  sim::Mutex mutex_;
  std::vector<Bytes> reads_ GUARDED_BY(mutex_);
};

}  // namespace ascendc
