// SPDX-License-Identifier: Apache-2.0
#include "device_sim/streams/op_queue.h"

#include <thread>

#include "device_sim/streams/signal.h"
#include "tests/sim/machine.h"
#include "tests/support/catch.h"

using namespace simtest;
using sim::Op;
using sim::OpQueue;

namespace {
Op numbered(std::uint64_t number) { return sim::make_fill(nullptr, 0, 0, number); }
}  // namespace

TEST_CASE("an empty queue has no head", "[queue]") {
  OpQueue queue;
  CHECK_FALSE(queue.front());
  CHECK(queue.pushed() == 0);
  CHECK(queue.popped() == 0);
}

TEST_CASE("ops come out as they went in, across every border of a chunk", "[queue]") {
  const std::uint64_t burst = GENERATE(1u, 2u, 3u, 4u, 62u, 63u, 64u, 66u, 67u, 300u);
  OpQueue queue;
  std::uint64_t in = 0;
  std::uint64_t out = 0;
  for (int round = 0; round < 20; ++round) {
    for (std::uint64_t i = 0; i < burst; ++i) {
      ++in;
      REQUIRE(queue.push(numbered(in)) == in);
    }
    for (std::uint64_t i = 0; i < burst; ++i) {
      const Op* const head = queue.front();
      REQUIRE(head);
      REQUIRE(head == queue.front());
      ++out;
      REQUIRE(head->fill.size == out);
      REQUIRE(head->task_id == out);
      queue.pop();
    }
    REQUIRE_FALSE(queue.front());
    REQUIRE(queue.popped() == queue.pushed());
  }
}

TEST_CASE("the head keeps its address while others are pushed", "[queue]") {
  OpQueue queue;
  queue.push(numbered(1));
  const Op* const head = queue.front();
  for (std::uint64_t i = 2; i < 500; ++i) queue.push(numbered(i));
  CHECK(queue.front() == head);
  CHECK(head->fill.size == 1);
}

TEST_CASE("a queue that goes gives back what its ops hold", "[queue]") {
  const int pops = GENERATE(0, 1, 3, 4, 66, 67, 200);
  const auto signal = sim::make_ref<sim::Signal>();
  {
    OpQueue queue;
    for (int i = 0; i < 200; ++i) queue.push(sim::make_reset(*signal));
    for (int i = 0; i < pops; ++i) {
      sim::dispose_op(*queue.front());
      queue.pop();
    }
    CHECK_FALSE((pops != 200 && signal->unique()));
  }
  CHECK(signal->unique());
}

TEST_CASE("many threads may push while one pops", "[queue]") {
  constexpr std::uint64_t kThreads = 4;
  constexpr std::uint64_t kEach = 20'000;
  OpQueue queue;
  std::vector<std::thread> producers;
  for (std::uint64_t t = 0; t < kThreads; ++t) {
    producers.emplace_back([&queue, t] {
      for (std::uint64_t i = 1; i <= kEach; ++i) queue.push(numbered(t << 32 | i));
    });
  }
  std::vector<std::uint64_t> last(kThreads, 0);
  std::uint64_t misplaced = 0;
  std::uint64_t out = 0;
  const bool all = eventually([&] {
    while (const Op* head = queue.front()) {
      const std::uint64_t thread = head->fill.size >> 32;
      const std::uint64_t number = head->fill.size & 0xffffffff;
      ++out;
      misplaced += number != ++last[thread] || head->task_id != out;
      queue.pop();
    }
    return out == kThreads * kEach;
  });
  for (std::thread& producer : producers) producer.join();
  CHECK(all);
  CHECK(misplaced == 0);
}

TEST_CASE("many queues share their spare memory", "[queue]") {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&wrong] {
      for (int round = 0; round < 50; ++round) {
        OpQueue queue;
        for (std::uint64_t i = 1; i <= 400; ++i) queue.push(numbered(i));
        for (std::uint64_t i = 1; i <= 200; ++i) {
          if (queue.front()->fill.size != i) ++wrong;
          queue.pop();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
}
