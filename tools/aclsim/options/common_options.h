// SPDX-License-Identifier: Apache-2.0
// Options of several verbs: an option has the same name in all verbs.
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

/// --json: prints the result on stdout as JSON instead of text.
void add_json(CLI::App& verb, bool& json);

/// --to with these names, and --json, which sets `format` to "json". The former name of --to is
/// --format.
void add_format(CLI::App& verb, std::string& format, const std::vector<std::string>& names,
                const std::string& what);

/// --report FILE: further files for findings; may be given several times.
CLI::Option* add_findings_report(CLI::App& verb, std::vector<std::string>& files);

/// --fail-on LEVEL of findings.
CLI::Option* add_fail_on(CLI::App& verb, std::string& level);

/// --undeclared LEVEL. `level` stays empty if the option is not given.
CLI::Option* add_undeclared(CLI::App& verb, std::string& level);
/// --suppressions FILE.
CLI::Option* add_suppressions(CLI::App& verb, std::string& file);
/// --guard-reads.
CLI::Option* add_guard_reads(CLI::App& verb, bool& on);

/// The former name of an option: it works, does not appear in the help, and prints the new name on
/// stderr.
void add_old_name(CLI::App& verb, const std::string& old, CLI::Option* now);
/// The former name of a flag.
void add_old_flag(CLI::App& verb, const std::string& old, const std::string& now, bool& flag);

}  // namespace aclsim
