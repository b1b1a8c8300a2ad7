// SPDX-License-Identifier: Apache-2.0
// The tool from the view of its users.
#pragma once

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

namespace fs = std::filesystem;
using catch_compat::ContainsSubstring;

struct Result {
  int code = -1;
  std::string text;  // stdout and stderr

  std::string last_line() const {
    const std::size_t end = text.find_last_not_of('\n');
    const std::size_t start = text.rfind('\n', end);
    return text.substr(start + 1, end - start);
  }
  /// The text after `start` in the first line that begins with it; empty if there is no such line.
  std::string line(const std::string& start) const {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind(start, 0) == 0) return line.substr(start.size());
    }
    return "";
  }
};

/// Runs a shell command in which `aclsim` is the tool of this build.
inline Result shell(const std::string& command) {
  const std::string tool = fs::path(ACLSIM_EXE).parent_path().string();
  FILE* const pipe = popen(("PATH=" + tool + ":$PATH; { " + command + "; } 2>&1").c_str(), "r");
  REQUIRE(pipe);
  Result result;
  char buffer[4096];
  while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe)) {
    result.text.append(buffer, size);
  }
  const int status = pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

inline Result explore(const std::string& options, const std::string& program) {
  return shell("aclsim explore " + options + " -- " + program);
}

inline std::string program(const std::string& name) {
  return std::string(ACLSIM_BUG_DIR) + "/" + name;
}

/// Whether the process has ended or ends within ten seconds: a fatal signal may still be on its
/// way.
inline bool ends(int pid) {
  const int end = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (end < 0) return errno == ESRCH;
  pollfd wanted{end, POLLIN, 0};
  const bool ended = ::poll(&wanted, 1, 10'000) == 1;
  ::close(end);
  return ended;
}

/// An executable script; it sees the variables of its schedule.
inline std::string script(const support::TempDir& dir, const std::string& text) {
  const std::string path = dir.write("script", "#!/bin/sh\n" + text + "\n");
  fs::permissions(path, fs::perms::owner_all);
  return path;
}
