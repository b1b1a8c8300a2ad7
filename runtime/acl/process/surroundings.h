// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/base/clock.h"

namespace acl {

/// Brings the run's timeline up to date in its file, where there is one.
void flush_timeline();
/// Leaves a mark there.
void mark_in_timeline(const char* text, sim::Nanoseconds now);

}  // namespace acl
