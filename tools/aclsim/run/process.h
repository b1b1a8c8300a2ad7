// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace aclsim {

/// Runs a program in this process's environment and waits for it. The program is killed when this
/// process is; SIGINT, SIGTERM, SIGHUP and SIGQUIT that reach this process alone are passed on.
/// After the program's end they are ignored, so that what it has left can be completed. Returns its
/// exit code, 128 + n when signal n ended it, 127 when there is no such program and 126 when it
/// cannot be executed.
int run_program(const std::vector<std::string>& command);

}  // namespace aclsim
