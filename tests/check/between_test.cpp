// SPDX-License-Identifier: Apache-2.0
// Conflicts between processes, as `aclsim run --check` reports them.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "tests/check/cases.h"
#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

#ifdef ACLSIM_EXE

namespace {

struct Checked {
  int code;
  std::string text;
  bool tells(const std::string& what) const { return text.find(what) != std::string::npos; }
};

Checked checked_run(const std::string& arguments,
                    const std::string& options = "--fail-on warning") {
  const std::string command = std::string("env -u ACLSIM_CHECK_QUIET -u ACLSIM_CHECK_LEVEL '") +
                              ACLSIM_EXE + "' run --check " + options + " -- '" + ACLSIM_GUEST_DIR +
                              "/ipc_pair' " + arguments + " 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  return {WEXITSTATUS(pclose(pipe)), text};
}

std::string content_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The rule reports the bug, and the repaired twin has no finding at or above warning.
void require_reported_and_silent(const char* name, const char* rule, bool bug_may_run = true) {
  if (bug_may_run) {
    const Checked bug = checked_run(name);
    INFO(bug.text);
    CHECK(bug.code == 1);
    CHECK(std::regex_search(bug.text, std::regex(": error: [^\n]* \\[" + std::string(rule) + "]")));
  }
  const Checked twin = checked_run(std::string(name) + " ok");
  INFO(twin.text);
  CHECK(twin.code == 0);
  CHECK(twin.tells("0 errors, 0 warnings"));
}

/// Runs a case whose processes wait for each other for ever, until the deadlock is reported.
Checked stuck_run(const std::string& name) {
  int out[2];
  REQUIRE(pipe2(out, O_CLOEXEC) == 0);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(out[1], STDERR_FILENO);
    dup2(out[1], STDOUT_FILENO);
    unsetenv("ACLSIM_CHECK_QUIET");
    unsetenv("ACLSIM_CHECK_LEVEL");
    const std::string guest = std::string(ACLSIM_GUEST_DIR) + "/ipc_pair";
    execl(ACLSIM_EXE, ACLSIM_EXE, "run", "--check", "--", guest.c_str(), name.c_str(), nullptr);
    _exit(1);
  }
  close(out[1]);
  std::string text;
  char piece[512];
  bool told = false;
  for (ssize_t size; (size = read(out[0], piece, sizeof piece)) > 0;) {
    text.append(piece, static_cast<std::size_t>(size));
    if (!told && text.find("\n\n") != std::string::npos) {
      told = true;
      kill(pid, SIGTERM);
    }
  }
  close(out[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  return {WEXITSTATUS(status), text};
}

}  // namespace

TEST_CASE("a cycle of waits through two processes is reported while they are blocked, with lines",
          "[between]") {
  const Checked bug = stuck_run("cycle");
  INFO(bug.text);
  CHECK(bug.code == 128 + SIGTERM);
  CHECK(bug.tells("never returns; these waits form a cycle: "));
  const std::string place = R"(\S*ipc_pair(\.cpp:\d+|\+0x\S+)[^\n]*: )";
  CHECK(std::regex_search(
      bug.text, std::regex(place + "error: deadlock: aclrtSynchronizeStream of process \\d+ ")));
  const std::string wait =
      place +
      R"(note: blocked by: (?:notify )?wait on stream 1 of device 0 \(op \d+, thread \d+, process \d+\))";
  CHECK(std::regex_search(bug.text, std::regex(wait + "[^\n]*\n" + wait)));
  require_reported_and_silent("cycle", "ACL003", false);
}

TEST_CASE("processes that all wait for what none of them enqueued are told", "[between]") {
  const Checked bug = stuck_run("nobody");
  INFO(bug.text);
  CHECK(bug.tells(": warning: deadlock: "));
  CHECK(bug.tells("every thread of every process is blocked, and no enqueued operation"));
  require_reported_and_silent("nobody", "ACL003", false);
}

TEST_CASE("a stream that does not wait for another process's stream is told", "[between]") {
  require_reported_and_silent("race", "ACL007");
}

TEST_CASE("a reduction that another process's reduction hides a fill from is told", "[between]") {
  require_reported_and_silent("under", "ACL007");
}

TEST_CASE("reductions of two kinds in two processes are told", "[between]") {
  require_reported_and_silent("kinds", "ACL007");
}

TEST_CASE("reductions of one kind in two processes need no order", "[between]") {
  const Checked run = checked_run("sums");
  INFO(run.text);
  CHECK(run.code == 0);
  CHECK(run.tells("0 errors, 0 warnings"));
}

TEST_CASE("a value and a fill of the same word in two processes are told", "[between]") {
  require_reported_and_silent("word", "ACL007");
}

TEST_CASE("what stands behind the record of a notify is not covered by it", "[between]") {
  require_reported_and_silent("notify", "ACL007");
}

TEST_CASE("order that comes back from another process counts", "[between]") {
  require_reported_and_silent("trip", "ACL007");
}

TEST_CASE("what counts is when an op was asked for, not when it ran", "[between]") {
  require_reported_and_silent("late", "ACL007");
}

TEST_CASE("a race in later rounds is told in each run, whether or not waits needed a task",
          "[between]") {
  for (int run = 0; run < 6; ++run) require_reported_and_silent("rounds", "ACL007");
}

TEST_CASE("an import is behind what the owner's host knew at the export", "[between]") {
  require_reported_and_silent("before", "ACL007");
  const Checked twin = checked_run("before ok");
  INFO(twin.text);
  CHECK_FALSE(twin.tells(" reads "));
}

TEST_CASE("29: memory that its owner closes under another process's stream is told", "[between]") {
  require_reported_and_silent("close", "ACL006");
}

TEST_CASE("29: memory that its importer closes under its own stream is told", "[between]") {
  // Both sides of this race are in one process.
  require_reported_and_silent("drop", "ACL006", check::bugs_may_run());
}

TEST_CASE("29: a key that is imported before its owner shares it is told", "[between]") {
  require_reported_and_silent("import", "ACL031");
}

TEST_CASE("an order that only hosts know is a note", "[between]") {
  const Checked run = checked_run("host");
  INFO(run.text);
  CHECK(run.code == 0);
  CHECK(run.tells(": note: unobserved host order: the copy on stream 1 of process "));
}

TEST_CASE("both operations of a finding have process, stream, device and line", "[between]") {
  const Checked run = checked_run("race");
  INFO(run.text);
  const std::string by = R"( on stream 1 of device 0 \(op 1, thread \d+, process \d+\))";
  const std::regex it(": note: this access: copy" + by);
  const std::regex other(": note: earlier access: fill" + by);
  CHECK(std::regex_search(run.text, it));
  CHECK(std::regex_search(run.text, other));
}

TEST_CASE("what a killed process did is told as far as it came", "[between]") {
  const Checked run = checked_run("killed");
  INFO(run.text);
  CHECK(run.code == 128 + 9);
  CHECK(run.tells(": error: data race: "));
  CHECK(run.tells("is the program's own"));
}

TEST_CASE("one report file has the findings of all processes", "[between]") {
  const support::TempDir folder;
  const auto in = [&](const char* name) { return folder.path().string() + "/" + name; };
  const Checked run = checked_run("race", "--report " + in("all.json") + " --report " +
                                              in("all.xml") + " --report " + in("one.%p.sarif"));
  INFO(run.text);
  CHECK(run.code == 1);
  const std::string all = content_of(in("all.json"));
  CHECK(all.find(R"("rule": "ACL007")") != std::string::npos);
  CHECK(all.find(R"("process": ")") != std::string::npos);
  CHECK(content_of(in("all.xml")).find("ACL007") != std::string::npos);
  CHECK(content_of(in("one.between.sarif")).find("ACL007") != std::string::npos);
}

TEST_CASE("the JUnit file fails at the level that was asked for", "[between]") {
  const support::TempDir folder;
  const std::string file = folder.path().string() + "/found.xml";
  const std::string report = " --report " + file;
  CHECK(checked_run("host", "--fail-on warning" + report).code == 0);
  CHECK(content_of(file).find("<failure") == std::string::npos);
  CHECK(checked_run("host", "--fail-on note" + report).code == 1);
  CHECK(content_of(file).find("[ACL019]") != std::string::npos);
}

TEST_CASE("suppressions cover what is between processes", "[between]") {
  const support::TempDir folder;
  const std::string file = folder.path().string() + "/known.txt";
  std::ofstream(file) << "ACL007 kernel:copy\n";
  const Checked run = checked_run("race", "--fail-on warning --suppressions " + file);
  INFO(run.text);
  CHECK(run.code == 0);
}

#endif
