// SPDX-License-Identifier: Apache-2.0
// One target for each reader of files.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fuzz {

/// `run` reads the bytes and works with the result. It aborts with a line on stderr if they are
/// neither refused by the reader's own error nor read into a usable object.
struct Target {
  std::string name;
  std::function<void(const std::string& bytes)> run;
};

/// "any" and "gzip", which detect the format; "topology", "network", "report"; and one target for
/// each format of traces, with its name.
const std::vector<Target>& targets();

/// Throws std::out_of_range.
const Target& target(const std::string& name);

}  // namespace fuzz
