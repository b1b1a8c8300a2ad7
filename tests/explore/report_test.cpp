// SPDX-License-Identifier: Apache-2.0
// Reports of `aclsim explore` about a failure are true, cheap, and leave no files behind.
#include <sched.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <utility>

#include "device_sim/base/sanitizer.h"
#include "tests/explore/tool.h"

namespace {

std::size_t lines_of(const std::string& text) {
  std::istringstream lines(text);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) ++count;
  return count;
}

/// Whether the report names the line of each operation that ran instead of the next one.
bool names_places(const std::string& text) {
  return std::regex_search(
      text, std::regex(
                R"(stream \d+ ran its \w+ \(\S+\.(cpp|h):\d+\) instead of (the host|stream \d+))"));
}

/// Creates a subfolder for temporary files.
fs::path folder(const support::TempDir& dir, const char* name) {
  fs::create_directory(dir.path() / name);
  return dir.path() / name;
}

}  // namespace

// ---- the cost of a hang ----

TEST_CASE("a hang in the first run is run three times more, and that is said") {
  const support::TempDir dir;
  const std::string log = (dir.path() / "log").string();
  const std::string fake = script(dir, "echo start >> " + log + "; exec sleep 600");
  const Result found = explore("--timeout 0.3", fake);
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK(lines_of(dir.read("log")) == 4);
  CHECK_THAT(found.text, ContainsSubstring("run 1 did not end within 0.3 s"));
  CHECK_THAT(found.text, ContainsSubstring("run 1 failed: hang: killed after 0.3 s (seed 1"));
  CHECK_THAT(found.text, ContainsSubstring("not shrunk: no run has ended"));
  CHECK_THAT(found.text, ContainsSubstring("reproduced 2 times of 2 (not 10 times"));
}

TEST_CASE("a hang of a later run is shrunk, and confirmed with all the time that a run has") {
  const support::TempDir dir;
  // Hangs from seed 3 on except in the plain order; two departures are recorded.
  const std::string fake =
      script(dir,
             "[ \"$ACLSIM_DECISIONS\" ] && printf '1=host\\n2=host\\n' > \"$ACLSIM_DECISIONS\"\n"
             "[ $ACLSIM_SEED -lt 3 ] || [ $ACLSIM_STRATEGY = lazy ] || exec sleep 600");
  const Result found = explore("--jobs 2 --timeout 2.5", fake);
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.text, ContainsSubstring("departures from the plain order, 2 of 2"));
  CHECK_THAT(found.text,
             ContainsSubstring("reproduced 2 times of 2 (not 10 times: a run takes 2.5"));
}

TEST_CASE("a deadlock in every schedule takes five runs") {
  const support::TempDir dir;
  const std::string log = (dir.path() / "log").string();
  const Result found =
      explore("", script(dir, "echo start >> " + log + "; exec " + program("deadlock")));
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.text, ContainsSubstring("hang: a deadlock of its streams"));
  CHECK_THAT(found.text, ContainsSubstring("the program fails in the plain order"));
  CHECK_THAT(found.text, ContainsSubstring("reproduced 2 times of 2 (not 10 times"));
  CHECK(lines_of(dir.read("log")) <= 5);
}

TEST_CASE("a failure is told at once, also into a file") {
  const support::TempDir dir;
  // From its third run on the failing schedule waits until the failure has been reported.
  const std::string out = (dir.path() / "out").string();
  const std::string fake =
      script(dir,
             "[ $ACLSIM_SEED -ge 3 ] || exit 0\n"
             "cd " +
                 dir.path().string() +
                 "; echo run >> runs\n"
                 "[ $(wc -l < runs) -lt 3 ] || until grep -q 'run 3 failed' out; do :; done\n"
                 "exit 9");
  CHECK(shell("aclsim explore --jobs 1 --timeout 20 -- " + fake + " > " + out).code == 1);
  CHECK_THAT(dir.read("out"), ContainsSubstring("reproduced 10 times of 10"));
}

TEST_CASE("one process for each core is the default") {
  cpu_set_t cores;
  REQUIRE(::sched_getaffinity(0, sizeof cores, &cores) == 0);
  if (CPU_COUNT(&cores) < 2) return;
  const support::TempDir dir;
  const std::string fake =
      script(dir, "cd " + dir.path().string() +
                      "; touch s$ACLSIM_SEED\n"
                      "[ $ACLSIM_SEED -lt 3 ] || until [ -e s3 -a -e s4 ]; do :; done");
  CHECK(explore("--runs 4 --timeout 30 --no-shrink", fake).code == 0);
}

// ---- whether the report is true ----

TEST_CASE("exit codes above 128 are exit codes") {
  const support::TempDir dir;
  for (const char* code : {"126", "139", "200", "255"}) {
    const std::string fake = script(dir, std::string("[ $ACLSIM_SEED -lt 4 ] || exit ") + code);
    const Result found = explore("--no-shrink", fake);
    INFO(found.text);
    CHECK_THAT(found.last_line(), ContainsSubstring(std::string("found: exit code ") + code + " "));
  }
  const Result first = explore("--no-shrink", script(dir, "exit 126"));
  CHECK_THAT(first.last_line(), ContainsSubstring("found: exit code 126 after 1 run"));
}

TEST_CASE("reproduced says what the printed command does, which loads the program") {
  const support::TempDir dir;
  const Result found =
      explore("--jobs 1", program("loads") + " " + (dir.path() / "loads").string());
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.text, ContainsSubstring("reproduced 5 times of 10: the schedule does not"));
}

TEST_CASE("what only copies of a loaded program do wrong is no failure") {
  const Result found = explore("--no-shrink", program("before_main"));
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.text, ContainsSubstring("run 9 failed: exit code 9 "));
  CHECK(found.line("run 1 failed: ").empty());
  if (!sim::kSanitized) {
    CHECK_THAT(found.text, ContainsSubstring("only as a copy of the loaded program"));
  }
  CHECK(explore("--runs 8", program("before_main")).code == 0);
}

TEST_CASE("a list of departures that became a file is found from any folder") {
  const support::TempDir dir;
  // Fails with 60 departures, but not with fewer.
  const std::string fake =
      script(dir,
             "[ \"$ACLSIM_DECISIONS\" ] && seq 60 | sed 's/$/=host/' > \"$ACLSIM_DECISIONS\"\n"
             "[ $ACLSIM_SEED -ge 4 ] || exit 0\n"
             "case $ACLSIM_STRATEGY in\n"
             "lazy) exit 0;;\n"
             "replay:@*) [ $(grep -c = \"${ACLSIM_STRATEGY#replay:@}\") -lt 60 ] || exit 9;;\n"
             "*) exit 9;; esac");
  const fs::path here = folder(dir, "a folder");
  const fs::path temporary = folder(dir, "temporary");
  const auto row = GENERATE(std::make_pair("a folder", false), std::make_pair("/proc", true));
  const std::string work = row.second ? row.first : here.string();
  const Result found = shell("export TMPDIR='" + temporary.string() + "'; cd '" + work +
                             "'; aclsim explore -- " + fake);
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.text, ContainsSubstring("departures from the plain order, 60 of 60"));
  CHECK(fs::exists((row.second ? temporary : here) / "aclsim-explore-4.decisions"));
  const bool told = found.text.find("cannot be written in the current folder") != std::string::npos;
  CHECK(told == row.second);
  CHECK(shell("cd /; " + found.line("reproduce: ")).code == 9);
}

TEST_CASE("all of the output is compared, and the command to compare with is told") {
  const support::TempDir dir;
  const std::string fake = script(dir,
                                  "head -c 1500000 /dev/zero | tr '\\0' x; echo\n"
                                  "[ $ACLSIM_SEED -lt 5 ] || echo other; echo last");
  CHECK(explore("--runs 8", fake).code == 0);
  const Result found = explore("--runs 8 --compare-output --no-shrink", fake);
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.text, ContainsSubstring("run 5 failed: output differs from the first run's in "
                                           "line 2: 'other' instead of 'last'"));
  CHECK_THAT(found.text, ContainsSubstring("  | last\n"));
  const std::string again = found.line("reproduce: ");
  const std::string first = found.line("compare its stdout with the stdout of: ");
  CHECK(shell(again).text != shell(first).text);
}

TEST_CASE("the place of a difference is told within a long line") {
  const support::TempDir dir;
  const std::string fake = script(dir,
                                  "head -c 1500000 /dev/zero | tr '\\0' x\n"
                                  "[ $ACLSIM_SEED -lt 5 ] && echo A || echo B");
  const Result found = explore("--runs 8 --compare-output --no-shrink", fake);
  CHECK_THAT(found.last_line(), ContainsSubstring("xxxB' instead of '...xxx"));
}

TEST_CASE("a deadlock behind much chatter is told as one") {
  const support::TempDir dir;
  const std::string fake =
      script(dir, "head -c 2000000 /dev/zero | tr '\\0' '\\n' >&2; exec " + program("deadlock"));
  const Result found = explore("--no-shrink", fake);
  CHECK_THAT(found.last_line(), ContainsSubstring("found: hang: a deadlock of its streams"));
  CHECK_THAT(found.text, ContainsSubstring("the streams wait for each other"));
}

TEST_CASE("choices of a program that does not end in order are seen") {
  const support::TempDir dir;
  const Result result = explore(
      "--runs 2", script(dir, "[ -z \"$ACLSIM_DECISIONS\" ] || echo 3=host > $ACLSIM_DECISIONS"));
  CHECK(result.text.find("no choices") == std::string::npos);
  CHECK_THAT(explore("--runs 2", "true").text, ContainsSubstring("the schedule had no choices"));
}

// ---- files that remain ----

TEST_CASE("runs under the checker that are killed leave no folder") {
  const support::TempDir dir;
  const fs::path temporary = folder(dir, "temporary");
  const Result found = shell("TMPDIR=" + temporary.string() +
                             " aclsim explore --check --timeout 0.5 --no-shrink -- sleep 600");
  INFO(found.text);
  CHECK_THAT(found.last_line(), ContainsSubstring("found: hang"));
  CHECK(fs::is_empty(temporary));
}

TEST_CASE("explore ends in order when nobody reads what it says") {
  const support::TempDir dir;
  const fs::path temporary = folder(dir, "temporary");
  const std::string here = dir.path().string();
  const std::string fake = script(dir, "[ $ACLSIM_SEED -lt 4 ] || until [ -e " + here +
                                           "/gone ]; do :; done\n"
                                           "[ $ACLSIM_SEED -lt 4 ] || exit 9");
  shell("cd " + here + "; { TMPDIR=" + temporary.string() + " aclsim explore -- " + fake +
        "; echo $? > code; } | { exec <&-; touch gone; }");
  CHECK(dir.read("code") == "1\n");
  CHECK(fs::is_empty(temporary));
}

TEST_CASE("what left a run's process group ends with the run") {
  const support::TempDir dir;
  const std::string pids = (dir.path() / "pids").string();
  const std::string fake = script(dir, "setsid sh -c 'echo $$ >> " + pids +
                                           "; exec sleep 600' &\n"
                                           "until grep -q . " +
                                           pids + "; do :; done");
  CHECK(explore("--runs 6 --jobs 2", fake).code == 0);
  std::istringstream file(dir.read("pids"));
  for (int pid = 0; file >> pid;) CHECK(ends(pid));
}

// ---- the command line ----

TEST_CASE("strategies with wrong numbers are refused before anything runs") {
  for (const char* wrong : {"pct:99", "pct:0", "pct:2:0", "delays:65", "replay:5=1,4=1",
                            "replay:@/nonexistent", "round-robin:0"}) {
    for (const char* verb : {"explore", "run"}) {
      const std::string command = std::string("aclsim ") + verb + " --strategy " + wrong;
      const Result result = shell(command + " -- true");
      INFO(wrong << "\n" << result.text);
      CHECK(result.code == 2);
      CHECK_THAT(result.text, ContainsSubstring("is not valid; expected "));
    }
  }
  CHECK(explore("--runs 2 --strategy pct:2:1000000000", "true").code == 0);
  CHECK(shell("aclsim run --strategy round-robin:1000000000 -- true").code == 0);
}

TEST_CASE("an empty part of PATH is the current folder") {
  const support::TempDir dir;
  script(dir, "exit 0");
  const std::string command = "PATH=:$PATH; aclsim explore --runs 2 -- script";
  CHECK(shell("cd " + dir.path().string() + "; " + command).code == 0);
}

TEST_CASE("a program that is missing is told so under the checker as well") {
  const Result result = explore("--check", "/nonexistent/program");
  CHECK(result.code == 2);
  CHECK_THAT(result.text, ContainsSubstring("cannot start /nonexistent/program"));
}

TEST_CASE("the input of each run is empty") {
  const support::TempDir dir;
  CHECK(shell("echo line | aclsim explore --runs 4 -- " + script(dir, "! read -r line")).code == 0);
}

// ---- report files ----

TEST_CASE(
    "the report files of an exploration hold the seed, the command and the schedule in words") {
  const support::TempDir dir;
  const std::string program = std::string(ACLSIM_BUG_DIR) + "/bug_12_one_of_two_producers_waited";
  for (const std::string check : {"", "--check "}) {
    std::string options = check + "--runs 60 --jobs 2";
    for (const char* const name : {"r.json", "r.xml", "r.sarif", "r.txt"}) {
      options += " --report " + (dir.path() / name).string();
    }
    const Result found = explore(options, program);
    INFO(found.text);
    REQUIRE(found.code == 1);
    for (const char* const name : {"r.json", "r.xml", "r.sarif", "r.txt"}) {
      const std::string text = dir.read(name);
      INFO(name << "\n" << text);
      CHECK_THAT(text, ContainsSubstring("aclsim run "));
      CHECK_THAT(text, ContainsSubstring("--seed "));
      CHECK_THAT(text, ContainsSubstring("strategy"));
      if (check.empty()) CHECK_THAT(text, ContainsSubstring(" failed: exit code 1"));
      if (check.empty()) CHECK(names_places(text));  // with --check the plain order fails
      if (!check.empty()) CHECK_THAT(text, ContainsSubstring("ACL007"));
    }
    CHECK_THAT(dir.read("r.xml"), ContainsSubstring("failures=\"1\""));
    if (check.empty()) {
      CHECK_THAT(dir.read("r.txt"), ContainsSubstring(" instead of "));
      CHECK_THAT(found.text, ContainsSubstring(": stream "));
      CHECK(names_places(found.text));
    }
  }
  const Result refused = explore("--report " + (dir.path() / "no/such.xml").string(), program);
  CHECK(refused.code == 2);
  CHECK(lines_of(refused.text) == 1);
}
