// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/bounded_queue.h"

#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/sim/machine.h"
#include "tests/support/catch.h"

using namespace simtest;
using sim::Deadline;
using Queue = sim::BoundedQueue<int>;
using Wait = Queue::Wait;

namespace {

const Deadline kNow = Deadline::in(std::chrono::nanoseconds(0));

/// A queue with a lock, and a thread that is certain to sleep in it.
struct Shared {
  explicit Shared(std::size_t depth) : queue(depth) {}

  /// Returns when the thread sleeps: it gives the lock up only then.
  template <class Body>
  std::thread sleeper(Body body) {
    std::atomic<bool> inside{false};
    std::thread thread([&, body] {
      Queue::Lock lock(mutex);
      inside = true;
      body(lock);
    });
    while (!inside) std::this_thread::yield();
    const sim::LockGuard guard(mutex);
    return thread;
  }

  sim::Mutex mutex;
  Queue queue;
};

}  // namespace

TEST_CASE("items leave a bounded queue in the order in which they came", "[bounded_queue]") {
  Shared shared(3);
  Queue& queue = shared.queue;
  Queue::Lock lock(shared.mutex);
  for (int i = 1; i <= 3; ++i) {
    REQUIRE(queue.for_room(lock, kNow) == Wait::ready);
    queue.push(i);
  }
  CHECK(queue.full());
  CHECK(queue.for_room(lock, kNow) == Wait::timed_out);
  for (int i = 1; i <= 3; ++i) {
    REQUIRE(queue.for_item(lock, kNow) == Wait::ready);
    CHECK(queue.front() == i);
    CHECK(queue.pop() == i);
  }
  CHECK(queue.empty());
  CHECK(queue.for_item(lock, kNow) == Wait::timed_out);
}

TEST_CASE("who is about to sleep for a bounded queue is told so, and nobody else",
          "[bounded_queue]") {
  Shared shared(1);
  Queue::Lock lock(shared.mutex);
  int sleeps = 0;
  const auto before = [&] { ++sleeps; };
  CHECK(shared.queue.for_item(lock, kNow, before) == Wait::timed_out);
  CHECK(shared.queue.for_room(lock, Deadline::never(), before) == Wait::ready);
  CHECK(sleeps == 0);
  const auto span = std::chrono::milliseconds(1);
  CHECK(shared.queue.for_item(lock, Deadline::in(span), before) == Wait::timed_out);
  CHECK(sleeps == 1);
  shared.queue.push(1);
  CHECK(shared.queue.for_room(lock, Deadline::in(span), before) == Wait::timed_out);
  CHECK(sleeps == 2);
}

TEST_CASE("a wait for a bounded queue ends at its deadline and not before", "[bounded_queue]") {
  Shared shared(1);
  Queue::Lock lock(shared.mutex);
  const auto span = std::chrono::milliseconds(3);
  const auto start = std::chrono::steady_clock::now();
  CHECK(shared.queue.for_item(lock, Deadline::in(span)) == Wait::timed_out);
  shared.queue.push(1);
  CHECK(shared.queue.for_room(lock, Deadline::in(span)) == Wait::timed_out);
  CHECK(std::chrono::steady_clock::now() - start >= 2 * span);
}

TEST_CASE("a push wakes who waits for an item, a pop or a drain who waits for room",
          "[bounded_queue]") {
  Shared shared(1);
  const Deadline limit = GENERATE(true, false) ? Deadline::never() : soon();
  int got = 0;
  std::thread consumer = shared.sleeper([&](Queue::Lock& lock) {
    if (shared.queue.for_item(lock, limit) == Wait::ready) got = shared.queue.pop();
  });
  {
    const sim::LockGuard guard(shared.mutex);
    shared.queue.push(7);
  }
  consumer.join();
  CHECK(got == 7);

  const bool drain = GENERATE(true, false);
  shared.queue.push(1);
  Wait result = Wait::closed;
  std::thread producer =
      shared.sleeper([&](Queue::Lock& lock) { result = shared.queue.for_room(lock, limit); });
  {
    const sim::LockGuard guard(shared.mutex);
    if (drain) {
      CHECK(shared.queue.drain().size() == 1);
    } else {
      CHECK(shared.queue.pop() == 1);
    }
  }
  producer.join();
  CHECK(result == Wait::ready);
}

TEST_CASE("closing a bounded queue wakes everybody and leaves what is inside", "[bounded_queue]") {
  Shared shared(1);
  Wait item = Wait::ready;
  std::thread consumer = shared.sleeper(
      [&](Queue::Lock& lock) { item = shared.queue.for_item(lock, Deadline::never()); });
  {
    const sim::LockGuard guard(shared.mutex);
    shared.queue.close();
  }
  consumer.join();
  CHECK(item == Wait::closed);

  Shared other(1);
  other.queue.push(5);
  Wait room = Wait::ready;
  std::thread producer = other.sleeper(
      [&](Queue::Lock& lock) { room = other.queue.for_room(lock, Deadline::never()); });
  Queue::Lock lock(other.mutex);
  other.queue.close();
  lock.unlock();
  producer.join();
  lock.lock();
  CHECK(room == Wait::closed);
  REQUIRE(other.queue.for_item(lock, kNow) == Wait::ready);
  CHECK(other.queue.pop() == 5);
  CHECK(other.queue.for_item(lock, kNow) == Wait::closed);
  CHECK(other.queue.for_room(lock, kNow) == Wait::closed);
}

TEST_CASE("an item that its waiter leaves goes to another one", "[bounded_queue]") {
  Shared shared(1);
  int got = 0;
  std::thread choosy = shared.sleeper([&](Queue::Lock& lock) {
    shared.queue.for_item(lock, soon());  // and takes nothing
  });
  std::thread other = shared.sleeper([&](Queue::Lock& lock) {
    if (shared.queue.for_item(lock, soon()) == Wait::ready) got = shared.queue.pop();
  });
  {
    const sim::LockGuard guard(shared.mutex);
    shared.queue.push(3);
  }
  other.join();
  {
    const sim::LockGuard guard(shared.mutex);
    shared.queue.close();  // the item may have gone before the other looked
  }
  choosy.join();
  CHECK(got == 3);
}

TEST_CASE("several producers and consumers pass every item on exactly once", "[bounded_queue]") {
  Shared shared(2);
  constexpr int kEach = 500;
  constexpr int kThreads = 3;
  std::vector<int> seen(kThreads * kEach, 0);
  std::vector<std::thread> threads;
  std::atomic<int> failures{0};
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        Queue::Lock lock(shared.mutex);
        if (shared.queue.for_room(lock, soon()) == Wait::ready) {
          shared.queue.push(t * kEach + i);
        } else {
          ++failures;
        }
      }
    });
    threads.emplace_back([&] {
      for (int i = 0; i < kEach; ++i) {
        Queue::Lock lock(shared.mutex);
        if (shared.queue.for_item(lock, soon()) == Wait::ready) {
          ++seen[static_cast<std::size_t>(shared.queue.pop())];
        } else {
          ++failures;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(failures == 0);
  CHECK(seen == std::vector<int>(kThreads * kEach, 1));
}

TEST_CASE("a bounded queue holds what can only be moved", "[bounded_queue]") {
  sim::Mutex mutex;
  sim::BoundedQueue<std::unique_ptr<int>> queue(2);
  sim::UniqueLock lock(mutex);
  queue.push(std::make_unique<int>(4));
  REQUIRE(queue.for_item(lock, kNow) == decltype(queue)::Wait::ready);
  CHECK(*queue.pop() == 4);
}
