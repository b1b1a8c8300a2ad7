// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

namespace sim {

enum class Signals {
  handled,  // the signals that the calling thread handles
  blocked,  // none: signals are for the program's own threads
};

/// A thread of the emulator. All of them are started here. Throws MachineError(no_thread) with the
/// system's reason when it gives none, as it does at a limit of processes (RLIMIT_NPROC, pids.max).
std::thread start_thread(Signals signals, std::function<void()> body);

}  // namespace sim
