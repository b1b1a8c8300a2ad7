// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/load_aware_deadline.h"

#include <pthread.h>

#include <atomic>
#include <thread>

#include "device_sim/base/parker.h"
#include "tests/sim/machine.h"
#include "tests/support/catch.h"
#include "tests/support/waiting.h"

using namespace std::chrono_literals;
using support::eventually;

TEST_CASE("no extra time is given while every other thread of the process sleeps", "[deadline]") {
  sim::Parker parker;
  std::atomic<bool> stop{false};
  std::thread sleeper([&] {
    while (!stop) parker.park(sim::Deadline::never());
  });
  CHECK(eventually([] { return !sim::LoadAwareDeadline(1h).more(); }));
  stop = true;
  parker.unpark();
  sleeper.join();
}

TEST_CASE(
    "extra time lasts while another thread could run, and ends with the processor time it is for",
    "[deadline]") {
  std::atomic<bool> stop{false};
  std::atomic<bool> spins{false};
  std::thread spinner([&] {
    while (!stop) spins = true;
  });
  REQUIRE(eventually([&] { return spins.load(); }));
  CHECK(sim::LoadAwareDeadline(1h).more());
  sim::LoadAwareDeadline extension(20ms);
  CHECK(extension.more());
  CHECK(eventually([&] { return !extension.more(); }));
  stop = true;
  spinner.join();
}

TEST_CASE("extra time ends for a thread that spins and yields all the time", "[deadline]") {
  std::atomic<bool> stop{false};
  std::thread spinner([&] {
    while (!stop) std::this_thread::yield();
  });
  sim::LoadAwareDeadline extension(5ms);
  extension.more();
  const sim::Deadline later = sim::Deadline::in(50ms);
  CHECK(eventually([&] { return later.passed(); }));
  CHECK_FALSE(extension.more());
  stop = true;
  spinner.join();
}

TEST_CASE("extra time of no time is never given", "[deadline]") {
  CHECK_FALSE(sim::LoadAwareDeadline(0ns).more());
}

TEST_CASE("a thread that asks for extra time is cancelled between two questions only",
          "[deadline]") {
  for (int round = 0; round < 1'000; ++round) {
    static std::atomic<int> asked{0};
    asked = 0;
    pthread_t thread{};
    REQUIRE(pthread_create(
                &thread, nullptr,
                [](void*) -> void* {
                  for (sim::LoadAwareDeadline extension(1h);; ++asked) {
                    extension.more();
                    pthread_testcancel();
                  }
                },
                nullptr) == 0);
    CHECK(eventually([&] { return asked > round % 5; }));
    pthread_cancel(thread);
    void* result = nullptr;
    CHECK(pthread_join(thread, &result) == 0);
    CHECK(result == PTHREAD_CANCELED);
  }
}
