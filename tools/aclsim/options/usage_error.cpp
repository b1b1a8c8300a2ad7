// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/options/usage_error.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "device_sim/base/nearest_word.h"

namespace aclsim {
namespace {

std::vector<std::string> verbs_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (!verb->get_group().empty()) names.push_back(verb->get_name());  // else hidden
  }
  return names;
}

/// With their dashes, without former names.
std::vector<std::string> options_of(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// As it is called: "aclsim check".
std::string command_of(const CLI::App& verb) {
  return verb.get_parent() ? "aclsim " + verb.get_name() : "aclsim";
}

std::string no_such_verb(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> verbs = verbs_of(app);
  const std::string hint = sim::did_you_mean(word, verbs);
  return fmt::format(
      "'{}' is not a verb{}", word,
      hint.empty() ? fmt::format("; expected one of: {}", fmt::join(verbs, ", ")) : hint);
}

/// Words that no option and no argument takes.
std::string unexpected(const CLI::App& app, const CLI::App& verb) {
  const std::vector<std::string> words = app.remaining(true);
  const std::string word = words.empty() ? "" : words[0];
  if (word.size() > 1 && word[0] == '-') return no_such_option(verb, word);
  if (&verb == &app) return no_such_verb(app, word);
  return fmt::format("'{}' is one argument too many; see {} --help", word, command_of(verb));
}

/// The library says "--report: 1 required FILE missing", or "--seed: At Most 1 required but
/// received 2".
std::string wrong_count(const std::string& text) {
  static constexpr std::string_view kRequired = ": 1 required ";
  static constexpr std::string_view kMissing = " missing";
  static constexpr std::string_view kTwice = ": At Most 1 required but received ";
  if (const std::size_t at = text.find(kTwice); at != std::string::npos) {
    return fmt::format("{} is given {} times; expected once", text.substr(0, at),
                       text.substr(at + kTwice.size()));
  }
  const std::size_t at = text.find(kRequired);
  if (at == std::string::npos || !text.ends_with(kMissing)) return text;
  const std::size_t begin = at + kRequired.size();
  const std::string value = text.substr(begin, text.size() - kMissing.size() - begin);
  return fmt::format("{}: the value is missing; expected {}", text.substr(0, at), value);
}

std::string what_is_wrong(const CLI::App& app, const CLI::App& verb, const CLI::ParseError& error) {
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) return unexpected(app, verb);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) return wrong_count(error.what());
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    if (!app.remaining(true).empty()) return unexpected(app, verb);  // the cause, perhaps
    const std::string text = error.what();
    return fmt::format("{} is missing; see {} --help", text.substr(0, text.find(" is required")),
                       command_of(verb));
  }
  return error.what();
}

}  // namespace

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const auto used = app.get_subcommands();
  const CLI::App& verb = used.empty() ? app : *used[0];
  const std::string text = what_is_wrong(app, verb, error);
  return used.empty() ? text : fmt::format("{}: {}", verb.get_name(), text);
}

std::string no_such_option(const CLI::App& verb, const std::string& option) {
  const std::string name = option.substr(0, option.find('='));
  const std::string hint = sim::did_you_mean(name, options_of(verb));
  return fmt::format("{}: no such option{}", name,
                     hint.empty() ? fmt::format("; {} --help lists them", command_of(verb)) : hint);
}

std::string list_of_verbs(const CLI::App& app) {
  return fmt::format("{}", fmt::join(verbs_of(app), ", "));
}

}  // namespace aclsim
