// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "acl/acl_sim.h"
#include "device_sim/memory/memory.h"

namespace acl {

class Runtime;

/// The live objects of this process; the caller sets `size`.
aclsimStats usage_of(Runtime& runtime);
/// "1 pending task, 2 streams"; empty if no object is alive.
std::string describe_alive(const aclsimStats& alive);
/// The oldest allocation that is alive.
std::optional<sim::Allocation> first_allocation(sim::Memory& memory);

}  // namespace acl
