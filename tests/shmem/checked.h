// SPDX-License-Identifier: Apache-2.0
// PEs under `aclsim run --check`.
#pragma once

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace shmemtest {

struct Checked {
  int code;
  std::string text;
};

inline Checked checked(const std::string& program, int pes, const std::string& variables = "",
                       const std::string& options = "") {
  const std::string command = fmt::format(
      "env -u ACLSIM_CHECK_QUIET -u ACLSIM_CHECK_LEVEL TEST_CHILD_PROGRAM={} {} '{}' run --ranks "
      "{} {} "
      "--check --fail-on warning -- /proc/{}/exe 2>&1",
      program, variables, ACLSIM_EXE, pes, options, getpid());
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) return {-1, ""};
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  return {WEXITSTATUS(pclose(pipe)), text};
}

}  // namespace shmemtest
