// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace fuzz {

/// Good files for a target, from which mutants are made.
std::vector<std::string> seeds(const std::string& target);

}  // namespace fuzz
