// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/options/usage_error.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
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

/// The names of options without dashes; former names are left out.
std::vector<std::string> long_names_of(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  return names;
}

/// The names of a verb's positional arguments, such as SHELL.
std::vector<std::string> arguments_of(const CLI::App& verb) {
  std::vector<std::string> words;
  for (const CLI::Option* option : verb.get_options()) {
    if (option->get_positional()) words.push_back(option->get_name(true, false));
  }
  return words;
}

bool is_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }

/// The command of a verb: "aclsim check".
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

/// The first option that the verb does not know, or an empty text. CLI11 takes the words after it
/// as arguments and complains about these. Options of the program are not considered.
std::string unknown_option(const CLI::App& app, const CLI::App& verb) {
  const std::vector<std::string> words = app.remaining(true);
  for (const std::string& word : words) {
    if (is_option(word)) return word;
    if (&verb == &app || verb.get_prefix_command()) break;
  }
  return {};
}

/// The message about a word that is neither an option nor an argument.
std::string unexpected(const CLI::App& app, const CLI::App& verb) {
  const std::vector<std::string> words = app.remaining(true);
  const std::string word = words.empty() ? "" : words[0];
  if (&verb == &app) return no_such_verb(app, word);
  return fmt::format("'{}' is one argument too many; see {} --help", word, command_of(verb));
}

/// Rewrites the library's messages "--report: 1 required FILE missing" and "--seed: At Most 1
/// required but received 2".
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

/// The message about an option before the verb; empty if there is no such option.
std::string option_before(const CLI::App& app, const CLI::App& verb) {
  const std::vector<std::string> words = app.remaining();
  if (&verb == &app || words.empty() || !is_option(words[0])) return {};
  const std::string name = words[0].substr(0, words[0].find('='));
  if (!verb.get_option_no_throw(name)) return no_such_option(app, name);
  return fmt::format("{}: an option of a verb comes after the verb: {} {}", name, command_of(verb),
                     name);
}

std::string what_is_wrong(const CLI::App& app, const CLI::App& verb, const CLI::ParseError& error) {
  if (const std::string option = unknown_option(app, verb); !option.empty()) {
    return no_such_option(verb, option);
  }
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
  if (const std::string before = option_before(app, verb); !before.empty()) return before;
  const std::string text = what_is_wrong(app, verb, error);
  return used.empty() ? text : fmt::format("{}: {}", verb.get_name(), text);
}

std::string no_such_option(const CLI::App& verb, const std::string& option) {
  const std::string name = option.substr(0, option.find('='));
  const std::size_t dashes = std::min(name.find_first_not_of('-'), name.size());
  std::vector<std::string> names = long_names_of(verb);
  const std::vector<std::string> arguments = arguments_of(verb);
  names.insert(names.end(), arguments.begin(), arguments.end());
  const std::string nearest = sim::nearest_word(name.substr(dashes), names);
  if (std::find(arguments.begin(), arguments.end(), nearest) != arguments.end()) {
    return fmt::format("{}: no such option; write {} without dashes: {} {}", name, nearest,
                       command_of(verb), nearest);
  }
  const std::string hint = sim::did_you_mean(name.substr(dashes), long_names_of(verb), "--");
  return fmt::format("{}: no such option{}", name,
                     hint.empty() ? fmt::format("; {} --help lists them", command_of(verb)) : hint);
}

std::string list_of_verbs(const CLI::App& app) {
  return fmt::format("{}", fmt::join(verbs_of(app), ", "));
}

}  // namespace aclsim
