// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/order/engine/engine.h"

namespace acl {

/// A host thread in a call that waits for a blocked stream, for a record that a blocked stream has
/// still to make, or for callbacks.
struct BlockedHost {
  enum class For : std::uint8_t { stream, record, callbacks };
  pid_t thread = 0;
  For what = For::stream;
  bool untimed = true;
  order::Actor stream = 0;
  const order::Node* record = nullptr;
  std::shared_ptr<void> keeps{};  // the record
  order::OpInfo call{};
  std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  bool reported = false;  // as a deadlock
  bool shown = false;     // in a line of progress
};

/// All blocked host threads. A thread has two entries while it waits inside a callback that it runs
/// while it waits for callbacks: the last entry counts. Not thread-safe.
class BlockedHosts {
 public:
  void add(BlockedHost host) { hosts_.push_back(std::move(host)); }
  /// The last call of the thread has ended: removes and returns its entry.
  BlockedHost remove(pid_t thread) {
    const auto last =
        std::find_if(hosts_.rbegin(), hosts_.rend(),
                     [thread](const BlockedHost& one) { return one.thread == thread; });
    if (last == hosts_.rend()) return {};
    BlockedHost removed = std::move(*last);
    hosts_.erase(std::next(last).base());
    ++departures_;
    return removed;
  }
  bool empty() const noexcept { return hosts_.empty(); }
  /// The number of calls that have ended. Between two equal numbers no thread has gone on.
  std::uint64_t departures() const noexcept { return departures_; }
  /// The last call of each thread.
  template <class Visit>
  void visit(Visit&& visit) {
    for (auto at = hosts_.begin(); at != hosts_.end(); ++at) {
      const auto same = [&](const BlockedHost& one) { return one.thread == at->thread; };
      if (std::none_of(std::next(at), hosts_.end(), same)) visit(*at);
    }
  }
  void clear() {
    hosts_.clear();
    ++departures_;
  }

 private:
  std::vector<BlockedHost> hosts_;
  std::uint64_t departures_ = 0;
};

}  // namespace acl
