// SPDX-License-Identifier: Apache-2.0
// What the tests of the machine share: a small machine, seeds, and ways to wait with a deadline.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include "device_sim/machine/system.h"
#include "device_sim/streams/driver.h"
#include "device_sim/streams/stream.h"

namespace simtest {

inline constexpr auto kPatience = std::chrono::seconds(20);

inline sim::Deadline soon() { return sim::Deadline::in(kPatience); }

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

/// Waits until the condition holds; false when it does not within the patience of a test.
template <class Condition>
bool eventually(Condition condition) {
  const sim::Deadline deadline = soon();
  while (!condition()) {
    if (deadline.passed()) return false;
    std::this_thread::yield();
  }
  return true;
}

/// The seeds of a test with random programs: 1 to `count`, or the one of ACLSIM_TEST_SEED.
inline std::vector<std::uint64_t> seeds(std::uint64_t count) {
  if (const char* given = std::getenv("ACLSIM_TEST_SEED")) {
    return {std::strtoull(given, nullptr, 10)};
  }
  std::vector<std::uint64_t> all;
  for (std::uint64_t seed = 1; seed <= count; ++seed) all.push_back(seed);
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
  /// The body of a kernel: says that it has come, then spins until the gate is open.
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
