// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <vector>

namespace sim {

/// The system's numbers of the host threads that sleep in `Driver::wait` now, without a limit,
/// until a stream progresses.
std::vector<pid_t> waiting_threads();

}  // namespace sim
