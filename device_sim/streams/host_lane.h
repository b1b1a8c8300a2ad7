// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "device_sim/base/batch_queue.h"
#include "device_sim/base/clock.h"
#include "device_sim/base/error.h"
#include "device_sim/base/ref.h"
#include "device_sim/base/spin_lock.h"
#include "device_sim/streams/stream.h"

namespace sim {

class Parker;

/// A queue of host functions, run one at a time and in order by the threads that serve it. Streams
/// post to it; a blocking item holds its stream until the function has returned.
///
/// Most lanes are served by one thread of the program, which may not run kernels. A crewed lane is
/// served by threads of the runtime. After a function such a thread goes on with the stream,
/// kernels included, so that a chain of kernels and functions needs no hand-over between threads.
/// It does so only while another thread of the crew attends to the lane, so that no function has to
/// wait for a kernel; if none does, the lane asks the crew for one more thread. If the crew has no
/// thread and gets none, the lane is closed with Error::no_thread.
class HostLane : public RefCounted<HostLane> {
 public:
  struct Item {
    void (*function)(void*) = nullptr;
    void* argument = nullptr;
    Ref<Stream> stream;         // whose op this is
    bool blocking = false;      // the stream waits for it
    std::uint32_t task_id = 0;  // of the op, as are the next
    std::uint32_t thread_id = 0;
    std::uint32_t completion_id = 0;
    Ref<const Shared> owner{};  // of the argument, if the op ends before the function runs
    bool tells = false;         // it reports a failure; its own failure has no effect
    std::uint64_t ticket = 0;   // of the driver, which may wait for the function
  };

  /// The owner of the thread that runs a function.
  enum class Server : std::uint8_t {
    program,
    crew,       // the runtime, and no other thread serves the lane: it may not leave for long
    crew_free,  // the runtime: it may run kernels too
  };

  class Crew {
   public:
    virtual ~Crew() = default;
    /// Starts one more thread that serves the lane; false if the system gives none. Called without
    /// the lane's lock, from any thread, until `close` has returned.
    virtual bool add_thread() = 0;
  };

  /// `spin_ns`: how long a serving thread spins before it sleeps.
  explicit HostLane(Nanoseconds spin_ns = 30'000) : spin_ns_(spin_ns) {}
  /// A crewed lane; the crew closes it before it ends.
  explicit HostLane(Crew& crew) : crew_(&crew), has_crew_(true) {}

  /// Whether the lane took the item. With `queued` another thread may have moved the stream on
  /// already, and if the caller holds no reference, the lane and the stream may be destroyed.
  enum class Posted : std::uint8_t { queued, closed, abandoned };
  /// Items of an abandoned stream are refused, except an item that reports a failure (`tells`).
  Posted post(Item item);

  enum class Served { some, nothing, closed };
  /// Runs every item that is ready, in order, in the calling thread; waits up to the deadline for
  /// a first one. `closed` when the lane was closed and is empty.
  Served serve(const Deadline& deadline);
  /// Waiting serving threads return. Queued items can still be served; new items are refused, and
  /// their ops fail with the `refusal` of the first call.
  void close(Failure refusal = {Error::host_call_dropped, 0});
  Failure refusal() const;
  /// Asks the crew for the first thread. False if the crew has none: the lane is deserted.
  bool staff();
  /// Closed because its crew has no thread and got none.
  bool deserted() const noexcept { return deserted_.load(std::memory_order_relaxed); }
  /// Closes the lane and drops the queued functions. Streams that wait for one of them continue
  /// from here, each with a failed op. Returns the number of the other functions that were dropped.
  std::size_t close_and_fail(Failure refusal = {Error::host_call_dropped, 0});
  /// Drops the functions of `stream` that no thread has begun to run. True when the stream was
  /// waiting for one of them: the caller must then move the stream on.
  bool withdraw(const Stream& stream);
  std::size_t queued() const;

  // --- for a driver that waits while host functions run ---

  bool crewed() const;
  /// The thread that serves the lane (what pthread_self says in it); 0 when none is known.
  std::uint64_t server() const noexcept { return server_.load(std::memory_order_relaxed); }
  void set_server(std::uint64_t thread) noexcept { server_ = thread; }
  /// The driver has waited for the lane without success: the lane counts as given up until a thread
  /// serves it again. True when its function was running, false when no thread had taken it.
  bool give_up();
  bool given_up() const noexcept { return given_up_.load(std::memory_order_relaxed); }
  /// The ticket of the function that the calling thread runs; 0 when it runs none.
  static std::uint64_t ticket_here() noexcept;

 private:
  /// The state of the calling thread after it has run a function.
  enum class After : std::uint8_t { has_turn, gave_turn, was_away, brought_item };
  bool run_ready();
  bool next_item(After after, Item& item);
  bool take_turn(bool was_away);
  bool take(Item& item);
  bool bring(Item& item) REQUIRES(lock_);
  void look_around() const;
  static void call(const Item& item);
  After run(Item& item, Item& brought);
  /// `brought`: receives an item that the thread brings along; null if the thread is about to end.
  After finish(const Item& item, Failure failure, Item* brought);
  Server give_turn_back(const Item& item, bool for_good);
  /// The thread to wake, or the crew to ask for a thread, because of an item. Both take long and
  /// happen without the lock.
  struct Call {
    Parker* sleeper = nullptr;
    Crew* crew = nullptr;
  };
  Call summon() REQUIRES(lock_);
  Call ask_crew() REQUIRES(lock_);
  void make(const Call& call);

  // Mostly read, and apart from the count of references.
  alignas(64) const Nanoseconds spin_ns_ = 30'000;
  Crew* crew_ GUARDED_BY(lock_) = nullptr;  // until the lane is closed
  const bool has_crew_ = false;             // or had
  std::atomic<bool> deserted_{false};
  std::atomic<bool> given_up_{false};
  std::atomic<std::uint64_t> server_{0};

  alignas(64) mutable SpinLock lock_;
  bool closed_ GUARDED_BY(lock_) = false;
  // A thread has the turn: it runs functions, one after another.
  bool busy_ GUARDED_BY(lock_) = false;
  // The crew was asked for a thread, and none has arrived since.
  bool summoned_ GUARDED_BY(lock_) = false;
  // Threads in serve() that are neither asleep nor inside kernels.
  int attentive_ GUARDED_BY(lock_) = 0;
  int asking_ GUARDED_BY(lock_) = 0;     // threads that are about to ask the crew
  int crew_size_ GUARDED_BY(lock_) = 0;  // threads of the crew that serve the lane, or will
  // Its consumer is the thread that has the turn. BatchQueue states which functions need lock_.
  BatchQueue<Item> items_;
  std::vector<Parker*> sleepers_ GUARDED_BY(lock_);
  Failure refusal_ GUARDED_BY(lock_);
};

}  // namespace sim
