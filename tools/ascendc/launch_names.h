// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tools/ascendc/kernel_head.h"

namespace kernel_compiler {

/// Writes aclrtlaunch_NAME.h of each kernel that a source defines into `folder`. If another object
/// of the same folder has a kernel of that name, the header is an #error that names both kernels,
/// because the function of the header can launch only one.
void write_launch_headers(const std::string& folder, const std::string& object,
                          const std::string& source, const std::vector<KernelHead>& kernels);

/// Throws std::runtime_error if two of the objects define the same kernel. Objects without data
/// from write_launch_headers are ignored.
void require_one_definition(const std::vector<std::string>& objects);

}  // namespace kernel_compiler
