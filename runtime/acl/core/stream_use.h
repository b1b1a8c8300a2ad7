// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/order/report/peaks.h"

namespace acl {

/// Whom a stream belongs to.
struct StreamHolder {
  std::uint32_t graph = 0;        // a captured graph; 0: the program
  std::uint64_t captured_at = 0;  // where its capture began; 0: not known
};

/// The streams of a device: how many there are, the most that there were, and the graphs that hold
/// them.
class StreamUse {
 public:
  struct Graphs {  // of one place of capture
    std::uint64_t captured_at = 0;
    std::size_t graphs = 0;
    std::size_t streams = 0;
  };
  struct Count {
    std::size_t streams = 0;
    std::vector<Graphs> graphs;  // by place
  };

  /// False, and nothing is counted, if there are `limit` streams already.
  bool take(const StreamHolder& holder, std::size_t limit) EXCLUDES(mutex_);
  void give(const StreamHolder& holder) EXCLUDES(mutex_);
  std::size_t count() const noexcept { return count_.load(std::memory_order_relaxed); }
  Count now() const EXCLUDES(mutex_);
  Count peak() const EXCLUDES(mutex_);

 private:
  Count counted() const REQUIRES(mutex_);

  // The mutex is not needed for a stream of the program, unless there were never that many.
  std::atomic<std::size_t> count_{0};
  std::atomic<std::size_t> most_{0};  // peak_.streams
  mutable sim::Mutex mutex_;
  std::map<std::uint64_t, std::map<std::uint32_t, std::size_t>> by_place_ GUARDED_BY(mutex_);
  Count peak_ GUARDED_BY(mutex_);
};

/// The graphs with their places: the file's name and the line. Slow.
std::vector<order::GraphsAt> placed(const std::vector<StreamUse::Graphs>& graphs);

}  // namespace acl
