// SPDX-License-Identifier: Apache-2.0
// One target for each reader of files.
#pragma once

#include <string>
#include <vector>

namespace fuzz {

/// Aborts with a line on stderr if the bytes are neither refused correctly nor read into a usable
/// object.
struct Target {
  std::string name;
  void (*run)(const std::string& bytes);
};

/// The formats of traces by their names; "any" and "gzip", which detect the format; "topology",
/// "network", "report".
const std::vector<Target>& targets();

/// Throws std::out_of_range.
const Target& target(const std::string& name);

}  // namespace fuzz
