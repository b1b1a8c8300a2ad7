// SPDX-License-Identifier: Apache-2.0
// Pipes, devices and files of the kernel in place of files. The tool accepts pipes for traces only;
// everything else must be a regular file.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/odd_files.h"

#ifdef ACLSIM_EXE

namespace {

using catch_compat::ContainsSubstring;
using support::OddFiles;

struct Answer {
  int code;  // 124: it did not end in time
  std::string text;
};

Answer shell_tool(const std::string& arguments) {
  const std::string command = "timeout -k 1 30 '" ACLSIM_EXE "' " + arguments + " 2>&1";
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  Answer answer{-1, {}};
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, pipe)) != 0;) {
    answer.text.append(buffer, got);
  }
  const int status = ::pclose(pipe);
  answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return answer;
}

std::string a_trace() { return shell_tool("gen ring --devices 2 --ops 20 -o - 2>/dev/null").text; }

}  // namespace

TEST_CASE("a file that is no trace is taken from no pipe, device or file of the kernel",
          "[files]") {
  const OddFiles odd;
  const auto* const use = GENERATE("topo", "replay --topo", "report", "run --config",
                                   "run --suppressions", "check --suppressions");
  for (const std::string& path : odd.all()) {
    if (access(path.c_str(), F_OK) != 0) continue;
    const std::string rest = std::string(use).starts_with("run")               ? " -- true"
                             : std::string(use).find(' ') != std::string::npos ? " none.json"
                                                                               : "";
    const Answer answer = shell_tool(use + (" " + path) + rest);
    INFO(use << " " << path << "\n" << answer.text);
    CHECK(answer.code == 2);
    CHECK_THAT(answer.text, ContainsSubstring("cannot be read ("));
  }
}

TEST_CASE("departures are taken from no pipe, device or file of the kernel", "[files]") {
  const OddFiles odd;
  for (const std::string& path : odd.all()) {
    if (access(path.c_str(), F_OK) != 0) continue;
    const Answer answer =
        shell_tool("run --schedule seeded --strategy replay:@" + path + " -- true");
    INFO(path << "\n" << answer.text);
    CHECK(answer.code == 2);
    CHECK_THAT(answer.text, ContainsSubstring("cannot be read ("));
  }
}

TEST_CASE("a trace is no device and no file of the kernel", "[files]") {
  const OddFiles odd;
  for (const std::string& path : odd.all()) {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0 || S_ISDIR(info.st_mode)) continue;
    if (S_ISFIFO(info.st_mode)) continue;  // below
    const Answer answer = shell_tool("info " + path);
    INFO(path << "\n" << answer.text);
    CHECK(answer.code == 2);
    CHECK_THAT(answer.text, ContainsSubstring("cannot be read ("));
  }
  CHECK_THAT(shell_tool("info - </dev/zero").text, ContainsSubstring("cannot be read (a device)"));
  CHECK_THAT(shell_tool("info - </dev/null").text, ContainsSubstring("is empty"));
}

TEST_CASE("a trace comes through a pipe", "[files]") {
  const OddFiles odd;
  const support::TempDir dir;
  const std::string file = dir.write("a.aclt.jsonl", a_trace());
  CHECK(shell_tool("info -q - <" + file).code == 0);
  CHECK(shell_tool("info -q - <<'END'\n" + a_trace() + "END\n").code == 0);
  const std::string text = a_trace();
  std::thread writer([&] { std::ofstream(odd.pipe()) << text; });
  const Answer answer = shell_tool("info -q " + odd.pipe());
  writer.join();
  INFO(answer.text);
  CHECK(answer.code == 0);
}

TEST_CASE("a pipe to which nobody writes is given up", "[files]") {
  const OddFiles odd;
  const Answer answer = shell_tool("info " + odd.pipe());
  CHECK(answer.code == 2);
  CHECK_THAT(answer.text, ContainsSubstring("cannot be read (nobody writes to the pipe)"));
}

TEST_CASE("results are not written to a pipe that nobody reads", "[files]") {
  const OddFiles odd;
  const support::TempDir dir;
  const std::string file = dir.write("a.aclt.jsonl", a_trace());
  const std::string uses[] = {"convert " + file + " -o ", "topo -o ",
                              "replay " + file + " --report "};
  for (const std::string& use : uses) {
    const Answer answer = shell_tool(use + odd.pipe());
    INFO(use << "\n" << answer.text);
    CHECK(answer.code == 2);
    CHECK_THAT(answer.text, ContainsSubstring("nobody reads from the pipe"));
  }
}

TEST_CASE("a program is run though nobody reads its timeline and recording", "[files]") {
  const OddFiles odd;
  const auto* const option = GENERATE("--timeline", "--record");
  const Answer answer =
      shell_tool(std::string("run ") + option + " " + odd.pipe() + " -- echo done");
  INFO(option << "\n" << answer.text);
  CHECK(answer.code == 0);
  CHECK_THAT(answer.text, ContainsSubstring("done"));
}

#endif
