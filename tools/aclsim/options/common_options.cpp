// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/options/common_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "tools/aclsim/run/checks.h"
#include "tools/aclsim/verbs/commands.h"

namespace aclsim {
namespace {

void say_new_name(const CLI::App& verb, const std::string& old, const std::string& now) {
  complain(
      fmt::format("{}: {} is now named {}; the old name still works", verb.get_name(), old, now));
}

}  // namespace

void add_quiet(CLI::App& verb, bool& quiet, const std::string& what) {
  verb.add_flag("-q,--quiet", quiet, what);
}

void add_json(CLI::App& verb, bool& json) {
  verb.add_flag("--json", json, "print JSON instead of text");
}

void add_format(CLI::App& verb, std::string& format, const std::vector<std::string>& names,
                const std::string& what) {
  const auto known = [known = one_of(names)](const std::string& name) {
    return name == "json" ? std::string() : known(name);
  };
  verb.add_option("--to", format, what)->type_name("FORMAT")->check(known);
  const auto set = [&verb, &format](const std::string& name) {
    const bool json = name == "json";
    say_new_name(verb, json ? "--format json" : "--format", json ? "--json" : "--to");
    format = name;
  };
  verb.add_option_function<std::string>("--format", set)
      ->type_name("FORMAT")
      ->check(known)
      ->group("");  // not in the help
  verb.add_flag_callback(
      "--json", [&format] { format = "json"; }, "print JSON instead of text");
}

CLI::Option* add_findings_report(CLI::App& verb, std::vector<std::string>& files) {
  return verb
      .add_option("--report", files,
                  "also write the findings to FILE: .json, .sarif, .xml (JUnit) or .txt; may be "
                  "given several times")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

CLI::Option* add_fail_on(CLI::App& verb, std::string& level) {
  return verb
      .add_option("--fail-on", level,
                  "exit with 1 if there are findings at this level or above: error (default), "
                  "warning or note")
      ->type_name("LEVEL")
      ->check(one_of({"error", "warning", "note"}));
}

CLI::Option* add_undeclared(CLI::App& verb, std::string& level) {
  return verb
      .add_option(
          "--undeclared", level,
          "set the level of kernels that declare no ranges, and of findings about them: error,\n"
          "warning or note (default: a warning if one of two such kernels must write)")
      ->type_name("LEVEL")
      ->check(one_of({"error", "warning", "note"}));
}

CLI::Option* add_guard_reads(CLI::App& verb, bool& on) {
  return verb.add_flag("--guard-reads", on,
                       "also find host code that accesses memory that a pending task uses; slow");
}

CLI::Option* add_suppressions(CLI::App& verb, std::string& file) {
  return verb
      .add_option("--suppressions", file,
                  "do not report the findings that FILE lists; docs/checker-rules.md describes the "
                  "format")
      ->type_name("FILE")
      ->check(suppressions_file());
}

void add_old_name(CLI::App& verb, const std::string& old, CLI::Option* now) {
  const auto pass_on = [&verb, old, now](const std::vector<std::string>& values) {
    say_new_name(verb, old, now->get_name());
    for (const std::string& value : values) now->add_result(value);
    now->run_callback();
  };
  verb.add_option_function<std::vector<std::string>>(old, pass_on)
      ->type_name(now->get_type_name())
      ->allow_extra_args(false)
      ->group("");  // not in the help
}

void add_old_flag(CLI::App& verb, const std::string& old, const std::string& now, bool& flag) {
  const auto pass_on = [&verb, &flag, old, now] {
    say_new_name(verb, old, now);
    flag = true;
  };
  verb.add_flag_callback(old, pass_on)->group("");  // not in the help
}

}  // namespace aclsim
