// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/processors.h"

namespace sim {

bool Processors::add_own() noexcept {
  const int own = sched_getcpu();
  if (own < 0 || own >= CPU_SETSIZE) return true;
  if (CPU_ISSET(static_cast<unsigned>(own), &noted_)) return false;
  CPU_SET(static_cast<unsigned>(own), &noted_);
  return true;
}

// The system moves the thread as soon as its affinity excludes the current processor, and does not
// move it back when the affinity allows all processors again.
void Processors::leave() const noexcept {
  cpu_set_t allowed{};
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  cpu_set_t others = allowed;
  for (unsigned i = 0; i < CPU_SETSIZE; ++i) {
    if (CPU_ISSET(i, &noted_)) CPU_CLR(i, &others);
  }
  if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0) return;
  sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace sim
