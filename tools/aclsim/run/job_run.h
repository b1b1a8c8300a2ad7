// SPDX-License-Identifier: Apache-2.0
// `aclsim run --ranks`.
#pragma once

#include <string>

namespace aclsim {

struct RunOptions;

/// Starts the ranks of this host and waits for them. Returns 0, or the exit code of the rank that
/// failed first. `timeline`: the file into which the ranks' timelines are joined; empty: none.
int run_job(const RunOptions& run, const std::string& timeline);

/// Sets the variables from which programs read their rank, if another launcher has started this
/// process.
void set_launcher_variables();

}  // namespace aclsim
