// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace aclsim {

/// Runs a program in this process's environment and waits for it. The program is killed if this
/// process is killed. SIGINT, SIGTERM, SIGHUP and SIGQUIT that reach only this process are passed
/// on; after the program's end they are ignored, so that its files can be completed. Returns the
/// exit code, 128 + n if signal n ended the program, 127 if the program does not exist, and 126 if
/// it cannot be executed.
int run_program(const std::vector<std::string>& command);

}  // namespace aclsim
