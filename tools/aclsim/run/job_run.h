// SPDX-License-Identifier: Apache-2.0
// `aclsim run --ranks`.
#pragma once

#include <string>

namespace aclsim {

struct RunOptions;

/// Starts the ranks of this host and waits for them. Returns the exit code: 0, or that of the rank
/// that failed first. `timeline`: where the ranks' timelines are joined; empty: there are none.
int run_job(const RunOptions& run, const std::string& timeline);

/// Sets what programs read of their rank where another launcher has started this process.
void set_launcher_variables();

}  // namespace aclsim
