// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory/shared_copy.h"

#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "tests/support/catch.h"

TEST_CASE("a shared copy is whole when its owner comes back, whoever helped", "[copy]") {
  constexpr std::size_t kPiece = 1000;
  const std::size_t size = GENERATE(0, 1, 999, 1000, 1001, 250'007);
  std::vector<unsigned char> from(size);
  std::iota(from.begin(), from.end(), static_cast<unsigned char>(size));
  for (const int helpers : {0, 1, 3}) {
    std::vector<unsigned char> to(size);
    // Threads may come late, to a copy that is over.
    const auto copy = std::make_shared<sim::SharedCopy>(to.data(), from.data(), size, kPiece);
    std::vector<std::thread> threads;
    for (int i = 0; i < helpers; ++i) threads.emplace_back([copy] { copy->help(); });
    copy->finish();
    CHECK(to == from);
    to.assign(size, 0);  // nobody writes there any more
    for (std::thread& thread : threads) thread.join();
    CHECK(to == std::vector<unsigned char>(size));
  }
}
