// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "runtime/acl/check/check_thread.h"
#include "runtime/acl/core/thread_state.h"

namespace acl {

/// A signal that ends the process, and the place that raised it.
struct Crash {
  int signal = 0;
  std::uint64_t instruction = 0;        // its address; 0: not known
  const ThreadState* thread = nullptr;  // the thread that got the signal; null: it never called ACL
  const CheckThread* checked = nullptr;
};

/// From here on `report` is called for such a signal, by a thread of the emulator, while the one
/// that got it waits for at most 5 s; then the signal does what it did before. Once for a process.
void watch_crashes(std::function<void(const Crash&)> report);

}  // namespace acl
