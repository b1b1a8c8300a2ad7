// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device_sim/base/files.h"

namespace aclsim {

/// Checks the value of an option: returns a message that contains the allowed values, or an empty
/// text if the value is valid.
using Check = std::function<std::string(const std::string& value)>;

Check whole_number(std::uint64_t low, std::uint64_t high);
Check number(double low, double high);
Check one_of(std::vector<std::string> allowed);
/// A size such as "512MiB"; the program checks the limit.
Check memory_size();
/// A regular file, or /dev/null.
Check readable_file(sim::Pipes pipes = sim::Pipes::refused);
/// A file of suppressions in which each line is valid.
Check suppressions_file();
/// A file of findings to be written; its extension determines the format.
Check findings_file();
/// A fault that can be injected; see docs/faults.md.
Check fault();
/// The name of a strategy and its parameters, as the program reads them.
Check strategy();
/// The same strategy with an absolute path, for processes in other folders.
std::string lasting_strategy(const std::string& name);

}  // namespace aclsim
