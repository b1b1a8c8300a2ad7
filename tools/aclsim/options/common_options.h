// SPDX-License-Identifier: Apache-2.0
// Options that several verbs have: each thing has one name everywhere.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace aclsim {

/// -q, --quiet.
void add_quiet(CLI::App& verb, bool& quiet,
               const std::string& what = "print no progress and no warnings");

/// --json: the result on stdout as JSON instead of text.
void add_json(CLI::App& verb, bool& json);

/// --to with these names, and --json, which makes it "json". Its former name is --format.
void add_format(CLI::App& verb, std::string& format, const std::vector<std::string>& names,
                const std::string& what);

/// --report FILE, several times: where findings go besides.
CLI::Option* add_findings_report(CLI::App& verb, std::vector<std::string>& files);

/// --fail-on LEVEL of findings.
CLI::Option* add_fail_on(CLI::App& verb, std::string& level);

/// --suppressions FILE.
/// Empty: not given.
CLI::Option* add_undeclared(CLI::App& verb, std::string& level);
CLI::Option* add_suppressions(CLI::App& verb, std::string& file);

/// An option's former name: it works, is not in the help, and says the new one on stderr.
void add_old_name(CLI::App& verb, const std::string& old, CLI::Option* now);
/// That of a flag.
void add_old_flag(CLI::App& verb, const std::string& old, const std::string& now, bool& flag);

}  // namespace aclsim
