// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>

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
  double makespan = 0;  // ns
};

bool have_simgrid();
/// The trace's kernels, records and waits: an actor for each stream, a semaphore for each record.
PeerFigure run_in_simgrid(const trace::Trace& trace);

}  // namespace bench
