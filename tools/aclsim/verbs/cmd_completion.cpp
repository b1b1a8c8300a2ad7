// SPDX-License-Identifier: Apache-2.0
// Completion scripts of shells for the verbs and options of this tool, generated from the
// description of the command line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "tools/aclsim/output/shell_text.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/run/checks.h"
#include "tools/aclsim/verbs/commands.h"

namespace aclsim {
namespace {

struct Option {
  std::vector<std::string> names;  // with their dashes
  std::string what;
  bool takes_value;
};

struct VerbWords {
  std::string name;
  std::string what;
  std::vector<Option> options;
};

std::vector<Option> options_of(const CLI::App& app) {
  std::vector<Option> options;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // a former name
    Option it{{}, option->get_description(), option->get_expected_max() > 0};
    for (const std::string& name : option->get_snames()) it.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) it.names.push_back("--" + name);
    if (!it.names.empty()) options.push_back(it);
  }
  return options;
}

std::vector<VerbWords> verbs_of(const CLI::App& app) {
  std::vector<VerbWords> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_group().empty()) continue;  // hidden
    verbs.push_back({verb->get_name(), verb->get_description(), options_of(*verb)});
  }
  return verbs;
}

std::string names(const std::vector<Option>& options) {
  std::string text;
  for (const Option& option : options) {
    for (const std::string& name : option.names) text += (text.empty() ? "" : " ") + name;
  }
  return text;
}

std::string bash_words(const CLI::App& app) {
  const std::vector<VerbWords> verbs = verbs_of(app);
  std::string all;
  std::string cases;
  for (const VerbWords& verb : verbs) {
    all += verb.name + " ";
    cases += fmt::format("    {}) words={} ;;\n", verb.name, shell_quoted(names(verb.options)));
  }
  return fmt::format(R"(# bash completion for aclsim: source <(aclsim completion bash)
_aclsim() {{
  local at word=${{COMP_WORDS[COMP_CWORD]}} words=
  COMPREPLY=()
  for ((at = 1; at < COMP_CWORD; ++at)); do
    if [[ ${{COMP_WORDS[at]}} == -- ]]; then  # the program and its arguments
      if declare -F _command_offset >/dev/null; then _command_offset $((at + 1)); fi
      return
    fi
  done
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W {} -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$word")); fi
}}
complete -o bashdefault -o default -F _aclsim aclsim
)",
                     shell_quoted(all + names(options_of(app))), cases);
}

/// Escapes brackets and colons, which have a meaning in the texts of zsh's _arguments.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_words(const CLI::App& app) {
  std::string list;
  std::string cases;
  for (const VerbWords& verb : verbs_of(app)) {
    list += "    " + shell_quoted(verb.name + ":" + zsh_text(verb.what)) + "\n";
    cases += fmt::format("    {}) _arguments \\\n", verb.name);
    for (const Option& option : verb.options) {
      for (const std::string& name : option.names) {
        const char* const value = option.takes_value ? ":value:_files" : "";
        cases += "      " +
                 shell_quoted(fmt::format("{}[{}]{}", name, zsh_text(option.what), value)) +
                 " \\\n";
      }
    }
    cases += "      '*:file:_files' ;;\n";
  }
  return fmt::format(R"(#compdef aclsim
# zsh completion for aclsim: source <(aclsim completion zsh)
_aclsim() {{
  local -a verbs=(
{}  )
  if ((CURRENT == 2)); then
    _describe verb verbs
    return
  fi
  local verb=$words[2]
  local -i mark=${{words[(i)--]}}
  if ((mark < CURRENT)); then  # the program and its arguments
    shift $mark words
    ((CURRENT -= mark))
    _normal
    return
  fi
  shift words
  ((CURRENT -= 1))
  case $verb in
{}  esac
}}
compdef _aclsim aclsim
)",
                     list, cases);
}

std::string fish_words(const CLI::App& app) {
  std::string text = "# fish completion for aclsim: aclsim completion fish | source\n";
  for (const VerbWords& verb : verbs_of(app)) {
    text += fmt::format("complete -c aclsim -n __fish_use_subcommand -a {} -d {}\n", verb.name,
                        shell_quoted(verb.what));
    for (const Option& option : verb.options) {
      text += fmt::format("complete -c aclsim -n '__fish_seen_subcommand_from {}'", verb.name);
      for (const std::string& name : option.names) {
        const bool is_long = name.starts_with("--");
        text += (is_long ? " -l " : " -s ") + name.substr(is_long ? 2 : 1);
      }
      text += fmt::format("{} -d {}\n", option.takes_value ? " -r" : "", shell_quoted(option.what));
    }
  }
  return text;
}

int print_words(const CLI::App& app, const std::string& shell) {
  const std::string text = shell == "bash"  ? bash_words(app)
                           : shell == "zsh" ? zsh_words(app)
                                            : fish_words(app);
  put_out(text);
  return kOk;
}

}  // namespace

void add_completion(CLI::App& app, Verb& chosen) {
  CLI::App* const verb =
      app.add_subcommand("completion", "Print the completion script of this tool for a shell");
  verb->footer("Example:\n  source <(aclsim completion bash)\n  aclsim completion fish | source");
  const auto shell = std::make_shared<std::string>();
  verb->add_option("SHELL", *shell, "the shell: bash, zsh or fish")
      ->type_name("")
      ->required()
      ->check(one_of({"bash", "zsh", "fish"}));
  verb->callback(
      [&app, shell, &chosen] { chosen = [&app, shell] { return print_words(app, *shell); }; });
}

}  // namespace aclsim
