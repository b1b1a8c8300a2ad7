// SPDX-License-Identifier: Apache-2.0
// `aclsim run --check` over programs that do not come to the end where their report is written.
#if defined(ACLSIM_EXE)

#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <string>

#include "tests/check/cases.h"
#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

namespace {

struct Ended {
  int code;
  std::string text;
  bool tells(const std::string& what) const { return text.find(what) != std::string::npos; }
};

Ended run(const std::string& arguments, const std::string& options = "") {
  const std::string command = std::string("env -u ACLSIM_CHECK_QUIET -u ACLSIM_CHECK_LEVEL '") +
                              ACLSIM_EXE + "' run --check " + options + " -- '" + ACLSIM_GUEST_DIR +
                              "/race_and_end' " + arguments + " 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  return {WEXITSTATUS(pclose(pipe)), text};
}

constexpr const char* kHeading =
    "aclsim: run: check: the program ended before its report was complete";

}  // namespace

TEST_CASE("what was found is told and fails the run, however the program ends", "[early]") {
  if (!check::bugs_may_run()) return;
  struct Row {
    const char* way;
    int code;
  };
  for (const Row& row : {Row{"kill", 128 + SIGKILL}, Row{"abort", 128 + SIGABRT}, Row{"_exit", 1},
                         Row{"_exit5", 5}, Row{"quick_exit", 1}, Row{"exec", 1}}) {
    const Ended bug = run(row.way);
    INFO(row.way << ": " << bug.text);
    CHECK(bug.code == row.code);
    const bool named = row.code == 128 + SIGABRT;  // the process says it itself
    CHECK(bug.tells(kHeading) != named);
    CHECK(bug.tells(": error: data race: "));
    CHECK(bug.tells(named ? "run: check: 2 errors, " : "run: check: 1 error, "));
    // A line, if libdw is installed, else library and offset.
    const std::string place = R"(\S*race_and_end(\.cpp:\d+|\+0x[0-9a-f]+[^\n:]*))";
    CHECK(std::regex_search("\n" + bug.text, std::regex("\n" + place + ": error: data race: ")));
    CHECK(std::regex_search(bug.text, std::regex("\n" + place + ": note: this access: ")));
    CHECK(std::regex_search(bug.text, std::regex("\n" + place + ": note: earlier access: ")));
    const Ended twin = run(std::string(row.way) + " ok");
    INFO(twin.text);
    CHECK(twin.code == (row.code == 1 ? 0 : row.code));
    CHECK_FALSE(twin.tells("ACL007"));
  }
}

TEST_CASE("a program that reports by itself is told once", "[early]") {
  if (!check::bugs_may_run()) return;
  const Ended bug = run("");
  INFO(bug.text);
  CHECK(bug.code == 1);
  CHECK_FALSE(bug.tells("before its report was complete"));
  const std::size_t first = bug.text.find("ACL007");
  CHECK(first != std::string::npos);
  CHECK(bug.text.find("ACL007", first + 1) == std::string::npos);
}

TEST_CASE("findings that a reset forgets are not told at an early end either", "[early]") {
  if (!check::bugs_may_run()) return;
  const Ended bug = run("reset");
  INFO(bug.text);
  CHECK(bug.code == 0);
  CHECK_FALSE(bug.tells("ACL007"));
}

TEST_CASE("one of two processes that ends early is told beside the other's report", "[early]") {
  if (!check::bugs_may_run()) return;
  const Ended bug = run("two");
  INFO(bug.text);
  CHECK(bug.code == 1);
  CHECK(
      std::regex_search(bug.text, std::regex("process \\d+ ended before its report was complete")));
  CHECK(bug.tells("run: check: 2 errors, "));
}

TEST_CASE("suppressions and report files are for early ends too", "[early]") {
  if (!check::bugs_may_run()) return;
  const support::TempDir dir;
  const std::string known = dir.write("known.txt", "ACL007 *\n");
  const Ended hidden = run("kill", "--suppressions '" + known + "'");
  INFO(hidden.text);
  CHECK(hidden.tells("0 errors, "));
  CHECK(hidden.tells("1 suppressed"));
  const std::string report = (dir.path() / "all.json").string();
  const std::string own = (dir.path() / "own-%p.txt").string();
  (void)run("_exit", "--report '" + report + "' --report '" + own + "'");
  CHECK(dir.read("all.json").find("\"ACL007\"") != std::string::npos);
  bool told = false;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path())) {
    const std::string name = entry.path().filename().string();
    if (std::regex_match(name, std::regex("own-\\d+\\.txt"))) {
      told = dir.read(name).find("[ACL007]") != std::string::npos;
    }
  }
  CHECK(told);
}

#endif
