// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/batched_ops.h"

#include <atomic>
#include <thread>

#include "tests/support/catch.h"

TEST_CASE("each op is counted once by who has the pass, or not at all") {
  constexpr std::uint32_t kPass = 7;
  std::atomic<std::uint64_t> state{0};
  order::BatchedOps ops(state);
  CHECK_FALSE(ops.count(0));
  CHECK_FALSE(ops.count(kPass));
  ops.give(kPass);
  CHECK_FALSE(ops.count(kPass + 1));
  std::uint64_t counted = 0, taken = 0;
  std::atomic<bool> enough{false};
  {
    const std::jthread counter([&] {
      while (ops.count(kPass)) {
        if (++counted == 1000) enough = true;
      }
      enough = true;
    });
    while (!enough) std::this_thread::yield();
    taken = ops.take();
  }
  CHECK(counted >= 1000);
  CHECK(taken == counted);
  CHECK(ops.take() == 0);
}
