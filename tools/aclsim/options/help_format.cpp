// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/options/help_format.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

namespace aclsim {
namespace {

constexpr int kAnyNumber = CLI::detail::expected_max_vector_size;

bool has_verbs(const CLI::App& app) { return !app.get_subcommands({}).empty(); }

/// The formatter of the library adds REQUIRED and the variable of an option after the type. Here
/// the usage line shows the required arguments; the texts of options name required options and
/// variables.
class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat() { label("Positionals", "Arguments"); }

  // The library prints a blank line for each group of options, also for the group of hidden
  // options.
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;)
      text.erase(at, 1);
    return text;
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return {};
    std::string text;
    if (!option->get_type_name().empty()) text += " " + option->get_type_name();
    if (option->get_expected_max() == kAnyNumber) text += " ...";
    return text;
  }

  std::string make_usage(const CLI::App* app, std::string name) const override {
    return fmt::format("Usage: {} {}\n", name, usage_of(*app));
  }
};

}  // namespace

void set_help_format(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormat>());
  app.set_help_flag("-h,--help", "print this help");
  app.group("Verbs");  // verbs inherit it
}

std::string usage_of(const CLI::App& app) {
  std::string text = "[OPTIONS]";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const bool many = option->get_expected_max() == kAnyNumber;
    const std::string word = option->get_name(true, false) + (many ? "..." : "");
    text += option->get_required() ? " " + word : " [" + word + "]";
  }
  if (has_verbs(app)) text += " VERB";
  if (app.get_prefix_command()) text += " -- PROGRAM [ARGUMENTS]";
  return text;
}

}  // namespace aclsim
