// SPDX-License-Identifier: Apache-2.0
// How --help and the manual pages look.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace aclsim {

/// Help in this tool's words instead of the option library's, for `app` and all verbs that are
/// added to it later.
void set_help_format(CLI::App& app);

/// "[OPTIONS] -- PROGRAM [ARGUMENTS]": what follows the name of `app` on the command line.
std::string usage_of(const CLI::App& app);

}  // namespace aclsim
