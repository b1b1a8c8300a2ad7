// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device_sim/base/files.h"

namespace aclsim {

/// Looks at an option's value: empty when it is right, else what is wrong and what is allowed.
using Check = std::function<std::string(const std::string& value)>;

Check whole_number(std::uint64_t low, std::uint64_t high);
Check number(double low, double high);
Check one_of(std::vector<std::string> allowed);
/// "512MiB"; the program looks whether it is too much.
Check memory_size();
/// A regular file, or /dev/null.
Check readable_file(sim::Pipes pipes = sim::Pipes::refused);
/// A file of suppressions, each line of which makes sense.
Check suppressions_file();
/// A file of findings to be written; its ending says the format.
Check findings_file();
/// What can be injected; see docs/faults.md.
Check fault();
/// The name of a strategy, with its parameters, as the program will read it.
Check strategy();
/// The same strategy for who may be in another folder.
std::string lasting_strategy(const std::string& name);

}  // namespace aclsim
