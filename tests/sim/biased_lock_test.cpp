// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/biased_lock.h"

#include <mutex>
#include <thread>
#include <vector>

#include "tests/support/catch.h"

namespace {

void count_up(sim::BiasedLock& lock, std::uint64_t& counter, int times) {
  for (int i = 0; i < times; ++i) {
    const std::lock_guard guard(lock);
    counter = counter + 1;
  }
}

}  // namespace

TEST_CASE("a biased lock excludes others while it passes from owner to owner", "[lock]") {
  sim::BiasedLock lock;
  std::uint64_t counter = 0;
  constexpr int kTimes = 20'000;  // enough to own it
  constexpr std::uint64_t kThreads = 4;
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] { count_up(lock, counter, kTimes); });
  }
  count_up(lock, counter, kTimes);
  for (std::thread& thread : threads) thread.join();
  CHECK(counter == (kThreads + 1) * kTimes);
}

TEST_CASE("a biased lock that nobody holds is taken from its owner at once", "[lock]") {
  sim::BiasedLock lock;
  std::uint64_t counter = 0;
  count_up(lock, counter, 5'000);
  for (int round = 0; round < 20; ++round) {
    std::thread([&] { count_up(lock, counter, 1); }).join();
    count_up(lock, counter, 1);
  }
  CHECK(counter == 5'040);
}

TEST_CASE("a biased lock waits for its owner to come out", "[lock]") {
  sim::BiasedLock lock;
  std::uint64_t counter = 0;
  count_up(lock, counter, 5'000);
  std::thread other;
  {
    const std::lock_guard guard(lock);
    other = std::thread([&] {
      const std::lock_guard inner(lock);
      counter = counter * 2;
    });
    for (int i = 0; i < 1'000; ++i) {
      counter = counter + 1;
      std::this_thread::yield();
    }
  }
  other.join();
  CHECK(counter == 12'000);
}

TEST_CASE("a biased lock has had more owners than it keeps in mind", "[lock]") {
  sim::BiasedLock lock;
  std::uint64_t counter = 0;
  std::vector<std::thread> threads;  // all alive, so that each has an address of its own
  for (int i = 0; i < 40; ++i) {
    threads.emplace_back([&] { count_up(lock, counter, 3'000); });
  }
  for (std::thread& thread : threads) thread.join();
  count_up(lock, counter, 3'000);
  CHECK(counter == 123'000);
}

TEST_CASE("threads that follow each other own a biased lock in turn", "[lock]") {
  sim::BiasedLock lock;
  std::uint64_t counter = 0;
  for (int i = 0; i < 8; ++i) {
    std::thread([&] { count_up(lock, counter, 3'000); }).join();
  }
  CHECK(counter == 24'000);
}
