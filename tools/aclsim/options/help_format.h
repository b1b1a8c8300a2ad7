// SPDX-License-Identifier: Apache-2.0
// The format of --help and of the manual pages.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace aclsim {

/// Replaces the help format of the option library by this tool's format, for `app` and all verbs
/// that are added to it later.
void set_help_format(CLI::App& app);

/// The arguments after the name of `app` on the command line: "[OPTIONS] -- PROGRAM [ARGUMENTS]".
std::string usage_of(const CLI::App& app);

}  // namespace aclsim
