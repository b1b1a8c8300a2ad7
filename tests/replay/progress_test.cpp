// SPDX-License-Identifier: Apache-2.0
// How far a long work is: shown on a terminal, and nowhere else.
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

#ifdef ACLSIM_EXE

namespace {

using catch_compat::ContainsSubstring;

/// A shell command whose standard error is a terminal.
class OnTerminal {
 public:
  explicit OnTerminal(const std::string& command) {
    pid_ = ::forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (pid_ != 0) return;
    const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nothing, STDOUT_FILENO);
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }
  ~OnTerminal() {
    if (pid_ > 0) {
      ::kill(-pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(terminal_);
  }
  OnTerminal(const OnTerminal&) = delete;
  OnTerminal& operator=(const OnTerminal&) = delete;

  /// All that was shown up to these words, or up to the end.
  const std::string& shown_until(const std::string& words) {
    while (shown_.find(words) == std::string::npos && more()) {
    }
    return shown_;
  }
  /// Ctrl-C. The exit code; 128 and more where a signal ended it.
  int interrupt() {
    const char ctrl_c = 3;
    if (::write(terminal_, &ctrl_c, 1) != 1) return -1;
    while (more()) {
    }
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  bool more() {
    pollfd ready{terminal_, POLLIN, 0};
    if (::poll(&ready, 1, 60'000) != 1) return false;
    std::array<char, 4096> bytes{};
    const ssize_t got = ::read(terminal_, bytes.data(), bytes.size());
    if (got > 0) shown_.append(bytes.data(), static_cast<std::size_t>(got));
    return got > 0;
  }

  pid_t pid_ = -1;
  int terminal_ = -1;
  std::string shown_;
};

std::string ring(const support::TempDir& folder) {
  const std::string file = (folder.path() / "ring.aclt.jsonl").string();
  REQUIRE(std::system((ACLSIM_EXE " gen ring --devices 2 --ops 100 -o " + file).c_str()) == 0);
  return file;
}

}  // namespace

TEST_CASE("on a terminal a long replay shows how far it is, and takes it away at its end") {
  const support::TempDir folder;
  OnTerminal tool("exec " ACLSIM_EXE " replay " + ring(folder) + " --runs 1000000000");
  const std::string shown = tool.shown_until("ETA");
  CHECK_THAT(shown, ContainsSubstring("\r[....................]   0 %  "));
  CHECK_THAT(shown, ContainsSubstring(" Mops/s  virtual "));
  CHECK(tool.interrupt() == 130);
  const std::string all = tool.shown_until("no such words");
  CHECK(all.rfind("\r\x1b[K") > all.rfind("ETA"));
}

TEST_CASE("on a terminal the reading of a long trace is shown, also where its size is not known") {
  OnTerminal tool(R"((echo '{"aclt":1}'; echo '{"def":"device","id":0}'; )"
                  R"(echo '{"def":"stream","id":1,"dev":0}'; )"
                  R"(yes '{"op":"kernel","st":1,"d":5}') | )" ACLSIM_EXE " info -");
  CHECK_THAT(tool.shown_until("MB/s"), ContainsSubstring("MB/s"));
}

TEST_CASE("where there is no terminal, and with --quiet, nothing is shown") {
  const support::TempDir folder;
  const std::string replay = "timeout --preserve-status -s INT 4 " ACLSIM_EXE " replay " +
                             ring(folder) + " --runs 1000000000 >/dev/null";
  const std::string error = (folder.path() / "error").string();
  CHECK(WEXITSTATUS(std::system((replay + " 2>" + error).c_str())) == 130);
  CHECK(folder.read("error").empty());
  OnTerminal quiet("timeout --foreground --preserve-status -s INT 4 " ACLSIM_EXE " replay " +
                   ring(folder) + " --quiet --runs 1000000000");
  CHECK(quiet.shown_until("ops/s").empty());
}

TEST_CASE("a program is told how far it is by a line of JSON each time, wherever it goes") {
  const support::TempDir folder;
  const std::string line = (folder.path() / "line").string();
  // The tool ends by the signal at its second line.
  const std::string replay = ACLSIM_EXE " replay " + ring(folder) +
                             " --progress json --runs 1000000000 2>&1 >/dev/null | head -n 1 >" +
                             line;
  CHECK(std::system(replay.c_str()) == 0);
  CHECK(folder.read("line").substr(0, 9) == "{\"done\": ");
  CHECK_THAT(folder.read("line"), ContainsSubstring("\"ops_per_s\": "));
}

#endif
