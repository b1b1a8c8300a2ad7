// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/shared_work.h"

#include <memory>
#include <thread>
#include <vector>

#include "tests/support/catch.h"

TEST_CASE("shared work is done when its owner comes back, each piece once, whoever helped",
          "[copy]") {
  const std::size_t pieces = GENERATE(0u, 1u, 2u, 251u);
  for (const int helpers : {0, 1, 3}) {
    std::vector<int> runs(pieces);
    // Threads may come late, to work that is over.
    const auto work = std::make_shared<sim::SharedWork>(pieces, [&](std::size_t i) { ++runs[i]; });
    std::vector<std::thread> threads;
    for (int i = 0; i < helpers; ++i) threads.emplace_back([work] { work->help(); });
    work->finish();
    CHECK(runs == std::vector<int>(pieces, 1));
    runs.assign(pieces, 0);  // no thread touches them any more
    for (std::thread& thread : threads) thread.join();
    CHECK(runs == std::vector<int>(pieces));
  }
}
