// SPDX-License-Identifier: Apache-2.0
// Signals of kernels: addresses that nothing is behind, arithmetic that traps, and time that is up.
#pragma once

#include <cstdint>

namespace ascendc {

/// Installs the handlers before the existing ones.
void handle_faults(bool guarded);
/// The calling thread has a stack for them; until it ends.
void prepare_thread_for_faults();

/// While it lives, the kernel that the calling thread runs is ended at `at_ns` of the driver's
/// clock.
class Deadline {
 public:
  /// `left_ns` 0: none.
  explicit Deadline(std::uint64_t left_ns);
  ~Deadline();
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  void* timer_ = nullptr;
  bool armed_ = false;
};

}  // namespace ascendc
