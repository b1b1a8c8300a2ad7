// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>

#include "device_sim/clock.h"
#include "device_sim/error.h"
#include "device_sim/ref.h"
#include "device_sim/spin_lock.h"
#include "device_sim/stream.h"

namespace sim {

class Parker;

/// A queue of host functions that one host thread serves. Streams post to it; a blocking item
/// holds its stream until the function has returned.
class HostLane : public RefCounted<HostLane> {
 public:
  struct Item {
    void (*function)(void*) = nullptr;
    void* argument = nullptr;
    Ref<Stream> stream;     // whose op this is
    bool blocking = false;  // the stream waits for it
  };

  /// `spin_ns`: how long a serving thread looks for work before it sleeps.
  explicit HostLane(Nanoseconds spin_ns = 30'000) : spin_ns_(spin_ns) {}

  void post(Item item);

  enum class Served { some, nothing, closed };
  /// Runs every item that is ready, in order, in the calling thread; waits up to the deadline for
  /// a first one. `closed` when the lane was closed and is empty.
  Served serve(const Deadline& deadline);
  /// A serving thread that waits returns; items that are queued can still be served.
  void close();
  void wake();
  std::size_t queued() const;

 private:
  bool take(Item& item);
  static void run(Item& item);
  static void finish(const Item& item, Failure failure);

  const Nanoseconds spin_ns_;
  mutable SpinLock lock_;
  std::deque<Item> items_;
  Parker* sleeper_ = nullptr;
  bool closed_ = false;
};

}  // namespace sim
