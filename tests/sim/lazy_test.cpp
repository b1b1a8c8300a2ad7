// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/lazy.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

namespace {

struct LazyPart {
  static inline std::atomic<int> alive{0};
  LazyPart() { ++alive; }
  ~LazyPart() { --alive; }
  int value = 0;
};

}  // namespace

TEST_CASE("a lazy part is not made before somebody asks for it", "[lazy]") {
  sim::Lazy<LazyPart> part;
  CHECK(part.if_made() == nullptr);
  CHECK(LazyPart::alive == 0);
  part.get().value = 5;
  REQUIRE(part.if_made() == &part.get());
  CHECK(part.if_made()->value == 5);
}

TEST_CASE("threads that ask for a lazy part at once get the same one, and only that stays",
          "[lazy]") {
  for (int round = 0; round < 100; ++round) {
    sim::Lazy<LazyPart> part;
    std::atomic<int> ready{0};
    std::vector<LazyPart*> got(3);
    std::vector<std::thread> threads;
    for (LazyPart*& place : got) {
      threads.emplace_back([&] {
        ++ready;
        while (ready != 3) std::this_thread::yield();
        place = &part.get();
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(got == std::vector<LazyPart*>(3, part.if_made()));
    CHECK(LazyPart::alive == 1);
  }
  CHECK(LazyPart::alive == 0);
}
