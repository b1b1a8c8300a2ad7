// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <vector>

#include "device_sim/clock.h"
#include "device_sim/error.h"
#include "device_sim/ref.h"
#include "device_sim/spin_lock.h"
#include "device_sim/stream.h"

namespace sim {

class Parker;

/// A queue of host functions, run one at a time and in order by the threads that serve it. Streams
/// post to it; a blocking item holds its stream until the function has returned.
///
/// Most lanes are served by one thread of the program, which may not run kernels. A crewed lane is
/// served by threads of the runtime: after a function its thread goes on with the stream, kernels
/// included, so that a chain of kernels and functions needs no hand-over between threads. While all
/// of the crew are inside kernels and an item comes, the crew is asked for one more thread.
class HostLane : public RefCounted<HostLane> {
 public:
  struct Item {
    void (*function)(void*) = nullptr;
    void* argument = nullptr;
    Ref<Stream> stream;     // whose op this is
    bool blocking = false;  // the stream waits for it
  };

  class Crew {
   public:
    virtual ~Crew() = default;
    /// Called with the lane locked: must not call it.
    virtual void add_thread() = 0;
  };

  /// `spin_ns`: how long a serving thread looks for work before it sleeps.
  explicit HostLane(Nanoseconds spin_ns = 30'000) : spin_ns_(spin_ns) {}
  /// A crewed lane; the crew closes it before it ends.
  explicit HostLane(Crew& crew) : crew_(&crew) {}

  void post(Item item);

  enum class Served { some, nothing, closed };
  /// Runs every item that is ready, in order, in the calling thread; waits up to the deadline for
  /// a first one. `closed` when the lane was closed and is empty.
  Served serve(const Deadline& deadline);
  /// Serving threads that wait return; items that are queued can still be served.
  void close();
  std::size_t queued() const;

 private:
  bool take(Item& item);
  void run(Item& item);
  void finish(const Item& item, Failure failure, bool for_good);
  Parker* summon();  // with lock_

  const Nanoseconds spin_ns_ = 30'000;
  mutable SpinLock lock_;
  Crew* crew_ = nullptr;  // until the lane is closed
  std::deque<Item> items_;
  std::vector<Parker*> sleepers_;
  int attentive_ = 0;   // threads in serve() that are neither asleep nor inside kernels
  bool summoned_ = false;  // the crew was asked for a thread, and none has come since
  bool busy_ = false;   // a function runs
  bool closed_ = false;
};

}  // namespace sim
