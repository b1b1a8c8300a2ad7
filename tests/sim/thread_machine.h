// SPDX-License-Identifier: Apache-2.0
// A machine whose driver has threads, and the actions that the tests of that driver share.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "device_sim/streams/host_lane.h"
#include "tests/sim/machine.h"
#include "tests/support/catch.h"

namespace simtest {

using WaitResult = sim::Driver::WaitResult;
using namespace std::chrono_literals;

inline sim::SystemConfig machine_with(int workers) {
  sim::SystemConfig config = small_machine();
  config.pool_threads = workers;
  config.workers_per_device = workers;
  return config;
}

struct ThreadMachine {
  explicit ThreadMachine(int workers) : system(machine_with(workers)) {}
  ~ThreadMachine() {
    for (const auto& s : streams) s->abandon();
  }
  sim::Stream& stream(int device = 0) {
    streams.push_back(make_stream(system.driver(), device));
    return *streams.back();
  }
  WaitResult wait(sim::Stream& s, bool may_help = true, const sim::Deadline& deadline = soon()) {
    return system.driver().wait(s, s.submitted(), deadline, may_help);
  }
  /// Waits as a synchronise without a limit does.
  WaitResult wait_untimed(sim::Stream& s, bool may_help = true) {
    return wait(s, may_help, sim::Deadline::never());
  }

  sim::System system;
  std::vector<sim::Ref<sim::Stream>> streams;
};

inline int any_worker_count() { return GENERATE(1, 2, 4, 8); }

inline sim::Op make_count(std::atomic<int>& counter) {
  std::atomic<int>* const pointer = &counter;
  return sim::make_kernel(
      [](const sim::KernelRun& run) -> std::int32_t {
        ++**static_cast<std::atomic<int>* const*>(run.args);
        return 0;
      },
      nullptr, "count", 1, &pointer, sizeof pointer);
}

/// A server thread for a lane.
struct Server {
  sim::Ref<sim::HostLane> lane = sim::make_ref<sim::HostLane>();
  std::thread thread{[this] {
    while (lane->serve(sim::Deadline::never()) != sim::HostLane::Served::closed) {
    }
  }};
  ~Server() {
    lane->close();
    thread.join();
  }
};

template <class Work>
void in_threads(int count, Work work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace simtest
