// SPDX-License-Identifier: Apache-2.0
// One target for each reader of files that others wrote.
#pragma once

#include <string>
#include <vector>

namespace fuzz {

/// Aborts, with a line on stderr, where the bytes are neither refused as they should be nor read
/// into something that can be worked with.
struct Target {
  std::string name;
  void (*run)(const std::string& bytes);
};

/// The formats of traces by their names; "any" and "gzip", which look for themselves what it is;
/// "topology", "network", "report".
const std::vector<Target>& targets();

/// Throws std::out_of_range.
const Target& target(const std::string& name);

}  // namespace fuzz
