// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "tools/launch/layout.h"

namespace launch {

/// Answers with the text of a variable; empty: it is not set.
using Environment = std::function<std::string(const char*)>;

/// What another launcher says of this rank (Open MPI, MPICH and others with PMI, Slurm), as the
/// variables that programs read; without those that are set already. Empty: no launcher.
Variables variables_from_launcher(const Environment& environment);

}  // namespace launch
