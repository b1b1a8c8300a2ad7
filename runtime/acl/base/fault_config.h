// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "device_sim/faults/fault_rule.h"

namespace acl {

/// The faults of ACLSIM_FAULTS. Raises sim::FaultSpecError, also for a call that does not exist.
std::vector<sim::FaultRule> read_faults(const std::string& specs);
/// One fault from its kind and keys, with the same checks.
sim::FaultRule read_fault(const std::string& kind, const sim::FaultWords& words);

}  // namespace acl
