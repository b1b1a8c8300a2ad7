// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "acl/acl_sim.h"
#include "device_sim/memory/memory.h"
#include "runtime/order/report/peaks.h"

namespace acl {

class Runtime;

/// The live objects of this process; the caller sets `size`.
aclsimStats usage_of(Runtime& runtime);
/// The peaks of each device that the process has used.
std::vector<order::DevicePeaks> peaks_of(Runtime& runtime);
/// "1 pending task, 2 streams"; empty if no object is alive.
std::string describe_alive(const aclsimStats& alive);
/// The oldest allocation that is alive.
std::optional<sim::Allocation> first_allocation(sim::Memory& memory);

}  // namespace acl
