// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tools/ascendc/kernel_head.h"

namespace kernel_compiler {

/// Writes aclrtlaunch_NAME.h of each kernel that a source defines into `folder`. Where another
/// object of the same folder has a kernel of that name, the header is an error that names both: its
/// function can launch only one.
void write_launch_headers(const std::string& folder, const std::string& object,
                          const std::string& source, const std::vector<KernelHead>& kernels);

/// Raises std::runtime_error where two of the objects define the same kernel. Those that
/// write_launch_headers does not know are passed over.
void require_one_definition(const std::vector<std::string>& objects);

}  // namespace kernel_compiler
