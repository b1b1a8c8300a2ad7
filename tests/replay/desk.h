// SPDX-License-Identifier: Apache-2.0
// The tool as its users see it: a folder, a command line, its output, its exit code.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

#ifdef ACLSIM_EXE

namespace replay_test {

/// A folder in which the tool is run.
class Desk {
 public:
  struct Result {
    int code;
    std::string out;
    std::string err;
  };

  /// `arguments` as a shell reads them; `before` is put before the tool.
  Result run(const std::string& arguments, const std::string& before = "") const {
    const std::string command = "cd '" + folder_.path().string() + "' && exec " + before + " '" +
                                ACLSIM_EXE + "' " + arguments + " >out 2>err";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), folder_.read("out"),
            folder_.read("err")};
  }
  /// Must succeed.
  std::string out(const std::string& arguments) const {
    const Result result = run(arguments);
    INFO(arguments << "\n" << result.err);
    REQUIRE(result.code == 0);
    return result.out;
  }
  std::string read(const std::string& name) const { return folder_.read(name); }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  std::filesystem::path path() const { return folder_.path(); }
  bool there(const std::string& name) const {
    return std::filesystem::exists(folder_.path() / name);
  }
  void generate(const std::string& kind, const std::string& more, const std::string& name) const {
    out("gen " + kind + " " + more + " -o " + name);
  }

 private:
  support::TempDir folder_;
};

}  // namespace replay_test

#endif
