// SPDX-License-Identifier: Apache-2.0
// The reference of replay: the DAG of a trace in SimGrid, if it is installed (libsimgrid-dev).
#pragma once

#include <ctime>
#include <optional>

#include "tools/trace/trace.h"

namespace bench {

/// CPU time of this thread. The load of the machine disturbs it less than the wall-clock time.
inline double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct PeerFigure {
  double seconds = 0;   // of the simulation alone
  double bytes = 0;     // resident, for its model and run
  double makespan = 0;  // ns
};

/// Runs the trace's tasks, records and waits: an actor for each stream, a semaphore for each record
/// that has waiters, the recorded duration for all other ops. Uses a separate process, because
/// SimGrid has one engine a process. Returns nothing if SimGrid is missing or fails.
std::optional<PeerFigure> run_in_simgrid(const trace::Trace& trace);

}  // namespace bench
