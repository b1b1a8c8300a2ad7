// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "device_sim/memory.h"
#include "device_sim/op.h"
#include "runtime/order/deed.h"

namespace acl {

class Model;

/// The name of an op in reports.
const char* name_in_reports(const sim::Op& op) noexcept;

/// Appends what the op reads and writes. A kernel that declares nothing is taken to read and write
/// each allocation that an argument points into; false then.
bool append_accesses(const sim::Memory& memory, const sim::Op& op,
                     std::vector<order::Access>& accesses);
/// The same of all ops of a model.
bool append_accesses(const sim::Memory& memory, Model& model,
                     std::vector<order::Access>& accesses);

}  // namespace acl
