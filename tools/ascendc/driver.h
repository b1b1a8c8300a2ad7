// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/ascendc/command_line.h"

namespace kernel_compiler {

/// Does what a command line of bisheng requests. A source of kernels is preprocessed for each pass,
/// translated, and compiled to one object. Throws StepFailed, SourceError or std::runtime_error.
void run_compiler(CommandLine line);

}  // namespace kernel_compiler
