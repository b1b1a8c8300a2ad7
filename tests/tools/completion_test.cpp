// SPDX-License-Identifier: Apache-2.0
// Completion in shells: bash itself completes; for other shells the script's words are checked.
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/support/catch.h"

using catch_compat::ContainsSubstring;

namespace {

/// The output of a command; its exit code is stored in `code`.
std::string output_of(const std::string& command, int* code = nullptr) {
  FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  const int status = pclose(pipe);
  if (code) *code = WEXITSTATUS(status);
  return text;
}

std::string words(const std::string& shell) {
  return output_of(std::string(ACLSIM_EXE) + " completion " + shell);
}

/// The completions that bash offers for the last of these words.
std::string offered(const std::string& line, int last) {
  return output_of("bash -c 'source <(" ACLSIM_EXE " completion bash); COMP_WORDS=(" + line +
                   "); COMP_CWORD=" + std::to_string(last) +
                   "; _aclsim; echo \"${COMPREPLY[@]}\"'");
}

}  // namespace

TEST_CASE("bash completes verbs, and the options of each") {
  CHECK(offered("aclsim re", 1) == "replay report\n");
  CHECK(offered("aclsim explore --ru", 2) == "--runs\n");
  CHECK(offered("aclsim gen ring --dev", 3) == "--devices\n");
  CHECK(offered("aclsim devices --runs", 2) == "\n");
}

TEST_CASE("bash completes nothing of the tool's behind --") {
  CHECK(offered("aclsim run -- ./a.out --tr", 4) == "\n");
}

TEST_CASE("zsh and fish are told every verb with its meaning") {
  const std::string zsh = words("zsh");
  const std::string fish = words("fish");
  for (const char* verb : {"run", "explore", "check", "replay", "plot", "completion"}) {
    CHECK_THAT(zsh, ContainsSubstring("'" + std::string(verb) + ":"));
    CHECK_THAT(fish, ContainsSubstring("-a " + std::string(verb) + " -d '"));
  }
  CHECK_THAT(fish, ContainsSubstring("__fish_seen_subcommand_from explore' -l runs -r -d '"));
}

TEST_CASE("another shell is refused with what is known") {
  int code = 0;
  const std::string text = output_of(ACLSIM_EXE " completion tcsh 2>&1", &code);
  CHECK(code == 2);
  CHECK_THAT(text, ContainsSubstring("bash, zsh, fish"));
}
