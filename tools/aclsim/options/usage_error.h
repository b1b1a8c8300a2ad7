// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace aclsim {

/// The message about a wrong command line: the verb, the option, and the probable correction.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

/// "--jsn: no such option; did you mean '--json'?", or the command that lists the options.
std::string no_such_option(const CLI::App& verb, const std::string& option);

/// "run, explore, ...".
std::string list_of_verbs(const CLI::App& app);

}  // namespace aclsim
