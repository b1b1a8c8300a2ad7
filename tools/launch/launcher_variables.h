// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "tools/launch/layout.h"

namespace launch {

/// Returns the text of a variable; empty: it is not set.
using Environment = std::function<std::string(const char*)>;

/// Reads the rank of this process from the variables of another launcher (Open MPI, MPICH and
/// others with PMI, Slurm) and returns it in the variables that programs read, except variables
/// that are already set. Empty: no launcher.
Variables variables_from_launcher(const Environment& environment);

}  // namespace launch
