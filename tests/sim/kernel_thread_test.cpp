// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/kernel_thread.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/sim/world.h"
#include "tests/support/catch.h"

using namespace simtest;

TEST_CASE("a kernel runs even if its starter gave up before the thread woke", "[seeded]") {
  World w;
  Stream& s = w.stream();
  std::atomic<int> over{0};
  const auto finish = [&](Stream& on, sim::Failure failure) {
    on.finish_kernel(failure);
    ++over;
  };
  sim::KernelThread thread(
      [&](sim::KernelThread&, Stream& on, sim::Failure failure) { finish(on, failure); });
  const auto in_time = [](auto holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!holds() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    return holds();
  };
  for (int round = 1; round <= 50; ++round) {
    w.kernel(s, "k");
    REQUIRE(s.try_own());
    REQUIRE(s.step() == Stream::Step::kernel);
    thread.start(Ref<Stream>::share(&s), [&](Stream& on, sim::Failure failure) {
      finish(on, failure);
      return Ref<Stream>();
    });
    thread.wait(std::chrono::nanoseconds(0));
    REQUIRE(in_time([&] { return over == round; }));
    while (s.step() != Stream::Step::idle) {
    }
  }
}
