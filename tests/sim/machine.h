// SPDX-License-Identifier: Apache-2.0
// Common code of the tests of the machine: a small machine, seeds, and ways to wait with a
// deadline.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "device_sim/machine/system.h"
#include "device_sim/streams/driver.h"
#include "device_sim/streams/stream.h"
#include "tests/support/share.h"
#include "tests/support/waiting.h"

namespace simtest {

using support::eventually;
using support::let_time_pass;

inline sim::Deadline soon() { return sim::Deadline::in(support::kDeadline); }

inline sim::SystemConfig small_machine(int devices = 2) {
  sim::SystemConfig config;
  config.devices = devices;
  config.memory_bytes = std::size_t{2} << 20;
  config.pinned_bytes = std::size_t{2} << 20;
  config.memory_budget_bytes = std::size_t{64} << 20;
  return config;
}

inline sim::Ref<sim::Stream> make_stream(sim::Driver& driver, int device = 0, int priority = 0) {
  static std::atomic<std::uint32_t> ids{0};
  return sim::make_ref<sim::Stream>(driver, sim::Stream::Config{++ids, device, priority, {}});
}

/// The seeds of a test with random programs: `count` from the one of ACLSIM_TEST_SEED (or 1) on, or
/// this run's share of them.
inline std::vector<std::uint64_t> seeds(std::uint64_t count) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (support::in_share(i)) all.push_back(support::first_seed() + i);
  }
  return all;
}

/// A kernel whose body is a closure; it must outlive the launch.
using Body = std::function<std::int32_t()>;

inline sim::Op make_body_kernel(const Body& body) {
  const Body* const pointer = &body;
  return sim::make_kernel(
      [](const sim::KernelRun& run) -> std::int32_t {
        return (**static_cast<const Body* const*>(run.args))();
      },
      nullptr, "body", 1, &pointer, sizeof pointer);
}

/// Holds kernels until it is opened. Opens by itself when the patience is over, so that a test
/// that fails does not hang.
class Gate {
 public:
  ~Gate() { open(); }
  void open() { open_ = true; }
  /// The body of a kernel: reports its arrival, then spins until the gate is open.
  void pass() {
    ++arrived_;
    eventually([this] { return open_.load(); });
    ++passed_;
  }
  int arrived() const { return arrived_; }
  int passed() const { return passed_; }
  Body body() {
    return [this] {
      pass();
      return 0;
    };
  }

 private:
  std::atomic<bool> open_{false};
  std::atomic<int> arrived_{0};
  std::atomic<int> passed_{0};
};

}  // namespace simtest
