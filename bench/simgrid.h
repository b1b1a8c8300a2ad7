// SPDX-License-Identifier: Apache-2.0
// The peer of replay: the DAG of a trace in SimGrid, where that is installed (libsimgrid-dev).
#pragma once

#include <ctime>
#include <optional>

#include "tools/trace/trace.h"

namespace bench {

/// Of this thread: what others do on the machine disturbs it less than the clock on the wall.
inline double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct PeerFigure {
  double seconds = 0;   // of the simulation alone
  double bytes = 0;     // resident, of its model and run
  double makespan = 0;  // ns
};

/// The trace's tasks, records and waits: an actor for each stream, a semaphore for each record that
/// somebody waits for, the recorded duration of everything else. In a process of its own, as
/// SimGrid has one engine a process. Nothing where there is no SimGrid, or it failed.
std::optional<PeerFigure> run_in_simgrid(const trace::Trace& trace);

}  // namespace bench
