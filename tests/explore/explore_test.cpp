// SPDX-License-Identifier: Apache-2.0
// `aclsim explore` from the view of its users, on programs with a seeded mistake and on their
// repaired twins.
#include <fstream>
#include <set>
#include <vector>

#include "device_sim/base/sanitizer.h"
#include "tests/explore/tool.h"
#include "tests/support/share.h"

namespace {

std::string seed() { return std::to_string(support::first_seed()); }

std::vector<std::string> bugs() {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(ACLSIM_BUG_DIR)) {
    const std::string name = entry.path().filename().string();
    if (name.rfind("bug_", 0) == 0 && name.find("_repaired") == std::string::npos)
      names.insert(name);
  }
  return {names.begin(), names.end()};
}

/// This run's share of the mistakes.
std::vector<std::string> some_bugs() {
  std::vector<std::string> names;
  std::uint64_t index = 0;
  for (const std::string& name : bugs()) {
    if (support::in_share(index++)) names.push_back(name);
  }
  return names;
}

}  // namespace

TEST_CASE("explore exposes every seeded mistake, and its command shows it again every time") {
  REQUIRE(bugs().size() == 14);
  for (const std::string& name : some_bugs()) {
    const Result found = explore("--runs 1000 --seed " + seed(), program(name));
    INFO(name << "\n" << found.text);
    CHECK(found.code == 1);
    CHECK_THAT(found.text, ContainsSubstring("wrong: "));
    CHECK_THAT(found.text, ContainsSubstring("reproduced 10 times of 10"));
    CHECK_THAT(found.last_line(), ContainsSubstring("explore: found: exit code 1 after "));
    const std::string again = found.line("reproduce: ");
    REQUIRE_FALSE(again.empty());
    for (int round = 0; round < 10; ++round) CHECK(shell(again).code == 1);
  }
}

TEST_CASE("explore finds nothing in the repaired programs") {
  const std::string runs = sim::kSanitized ? "10" : "200";
  for (const std::string& name : some_bugs()) {
    const Result result =
        explore("--runs " + runs + " --seed " + seed(), program(name + "_repaired"));
    INFO(name << "\n" << result.text);
    CHECK(result.code == 0);
    CHECK_THAT(result.last_line(),
               ContainsSubstring("explore: nothing found after " + runs + " runs"));
  }
}

TEST_CASE("the plain order shows none of the mistakes, and a mistake is no matter of chance") {
  for (const std::string& name : bugs()) {
    INFO(name);
    CHECK(shell("aclsim run --strategy eager -- " + program(name)).code == 0);
  }
}

TEST_CASE("a program is decided to the op by seed and strategy") {
  const support::TempDir dir;
  const auto record_of = [&](const std::string& options) {
    const std::string file = (dir.path() / "record").string();
    REQUIRE(shell("aclsim run " + options + " --decisions " + file + " -- " + program("many_ops") +
                  " 200 10")
                .code == 0);
    return dir.read("record");
  };
  for (const char* strategy :
       {"random", "pct:3", "round-robin", "delays:2", "slow-copy", "eager"}) {
    const std::string options = std::string("--seed 5 --strategy ") + strategy;
    INFO(strategy);
    const std::string first = record_of(options);
    CHECK_THAT(first, ContainsSubstring(" decisions, "));
    CHECK(record_of(options) == first);
    CHECK(record_of(options) == first);
  }
}

TEST_CASE("a failure is made small, told with its output, and reported by one command") {
  const Result found =
      explore("--runs 500 --strategy random --seed 3", program("bug_05_event_recorded_twice"));
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.text, ContainsSubstring("departures from the plain order, "));
  CHECK_THAT(found.text, ContainsSubstring("  | wrong: element 0"));
  CHECK_THAT(found.line("reproduce: "), ContainsSubstring("aclsim run --seed "));
  CHECK(found.line("reproduce: ").size() < 200 + program("").size());
}

TEST_CASE("shards share the runs among themselves") {
  const support::TempDir dir;
  const std::string log = (dir.path() / "log").string();
  const std::string fake = script(dir, "echo $ACLSIM_SEED >> " + log);
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    CHECK(explore(std::string("--runs 30 --seed 100 --shard ") + shard, fake).code == 0);
  }
  std::multiset<int> seeds;
  std::ifstream file(log);
  for (int seed = 0; file >> seed;) seeds.insert(seed);
  for (int seed = 102; seed < 130; ++seed) CHECK(seeds.count(seed) == 1);
  CHECK(seeds.size() == 28 + 3 * 2);  // each begins with the first two
}

TEST_CASE("a hang ends with its time, and nothing of it is left") {
  const support::TempDir dir;
  const std::string pid = (dir.path() / "pid").string();
  const std::string fake = script(dir, "sleep 600 & echo $! > " + pid + "; wait");
  const Result found = explore("--runs 4 --timeout 0.3 --no-shrink", fake);
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.last_line(), ContainsSubstring("explore: found: hang"));
  const int child = std::stoi(dir.read("pid"));
  CHECK(ends(child));
}

TEST_CASE("streams that wait for each other are found long before the time of a run is over") {
  const Result found = explore("--runs 2 --timeout 100 --no-shrink", program("deadlock"));
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.last_line(), ContainsSubstring("found: hang: a deadlock of its streams"));
  CHECK_THAT(found.text, ContainsSubstring("the streams wait for each other"));
  CHECK(shell(found.line("reproduce: ")).code == 3);
}

TEST_CASE("a wait that nothing ends is found long before the time of a run is over") {
  const Result plain = explore("--runs 2 --timeout 100 --no-shrink", program("hang"));
  INFO(plain.text);
  CHECK(plain.code == 1);
  CHECK_THAT(plain.last_line(), ContainsSubstring("found: hang: a deadlock of its streams"));
  CHECK(shell(plain.line("reproduce: ")).code == 3);
  const Result checked = explore("--check --runs 2 --timeout 100 --no-shrink", program("hang"));
  INFO(checked.text);
  CHECK(checked.code == 1);
  CHECK_THAT(checked.last_line(), ContainsSubstring("found: hang: "));
  CHECK_THAT(checked.text, ContainsSubstring("[ACL003]"));
}

TEST_CASE("a run whose time is over reports what its threads wait for") {
  const Result found =
      explore("--check --runs 1 --timeout 3 --no-shrink", program("hang") + " late");
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.last_line(), ContainsSubstring("found: hang: killed after 3 s"));
  CHECK_THAT(found.text, ContainsSubstring("blocked: thread "));
  CHECK_THAT(found.text, ContainsSubstring("aclrtSynchronizeStream waits for the wait on stream"));
}

TEST_CASE("an interrupt ends the exploration and what it runs") {
  const support::TempDir dir;
  const std::string pids = (dir.path() / "pids").string();
  const std::string fake = script(dir, "echo $$ >> " + pids + "; exec sleep 600");
  const Result result = shell("aclsim explore --jobs 2 --timeout 500 -- " + fake +
                              " & while ! [ -s " + pids + " ]; do :; done; kill -TERM $!; wait $!");
  INFO(result.text);
  CHECK(result.code == 130);
  CHECK_THAT(result.last_line(), ContainsSubstring("explore: interrupted"));
  std::istringstream file(dir.read("pids"));
  for (int pid = 0; file >> pid;) CHECK(ends(pid));
}

TEST_CASE("a signal is found, and the earliest of the runs that failed is reported") {
  const support::TempDir dir;
  // Run 7 fails only after run 8 has.
  const std::string later = (dir.path() / "later").string();
  const std::string fake =
      script(dir, "[ $ACLSIM_SEED -ne 7 ] || until [ -e " + later + " ]; do :; done\n" +
                      "[ $ACLSIM_SEED -lt 8 ] || : > " + later + "\n" +
                      "[ $ACLSIM_SEED -lt 7 ] || kill -SEGV $$");
  const Result found = explore("--jobs 2 --no-shrink", fake);
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.text, ContainsSubstring("run 7 failed: signal 11 (seed 7, strategy "));
}

TEST_CASE("copies of a loaded process are runs like those that load the program") {
  for (const char* const how : {"", "--fresh "}) {
    const support::TempDir dir;
    const std::string file = (dir.path() / "mains").string();
    const Result found =
        explore(how + std::string("--jobs 1 --no-shrink"), program("counted") + " " + file);
    INFO(how << found.text);
    CHECK(found.code == 1);
    CHECK_THAT(found.text, ContainsSubstring("run 9 failed: signal 6 (seed 9, strategy "));
    // Each run is one main() in a process of its own, and all runs have one parent.
    std::istringstream lines(dir.read("mains"));
    std::set<int> processes, parents;
    std::set<std::uint64_t> loads;
    int mains = 0;
    std::uint64_t load = 0;
    for (int process = 0, parent = 0; lines >> process >> parent >> load; ++mains) {
      processes.insert(process);
      parents.insert(parent);
      loads.insert(load);
    }
    CHECK(mains == 10);  // one more run records its decisions, as the printed command does
    CHECK(processes.size() == 10);
    CHECK(parents.size() == 1);
    CHECK(loads.size() == (*how || sim::kSanitized ? 10 : 2));
  }
}

TEST_CASE("a script that starts a program of ACL is run as a whole each time") {
  const support::TempDir dir;
  const std::string mains = (dir.path() / "mains").string();
  const std::string starts = (dir.path() / "starts").string();
  for (const char* const how : {"", "exec "}) {
    const std::string fake = script(dir, "echo start >> " + starts + "; " + how +
                                             program("counted") + " " + mains + " </dev/null");
    CHECK(explore("--runs 8 --jobs 2", fake).code == 0);
  }
  std::istringstream lines(dir.read("starts"));
  int count = 0;
  for (std::string line; std::getline(lines, line);) ++count;
  CHECK(count == 16);
}

TEST_CASE("output that differs from the first run's is found when it is asked for") {
  const support::TempDir dir;
  const std::string fake = script(dir, "echo same; [ $ACLSIM_SEED -lt 5 ] || echo other");
  CHECK(explore("--runs 20", fake).code == 0);
  const Result found = explore("--runs 20 --compare-output --no-shrink", fake);
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.text, ContainsSubstring("run 5 failed: output differs from the first run's in "
                                           "line 2: 'other' instead of '(end)'"));
}

TEST_CASE("a failure that the schedule does not decide is told as one") {
  const support::TempDir dir;
  const std::string once = (dir.path() / "once").string();
  const std::string fake = script(dir, "[ -e " + once +
                                           " ] || [ $ACLSIM_SEED -lt 4 ] || "
                                           "{ touch " +
                                           once + "; exit 9; }");
  const Result found = explore("--jobs 1", fake);
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.text, ContainsSubstring("reproduced 0 times of 10"));
}

TEST_CASE("a budget ends the exploration") {
  const Result result = explore("--budget 0.2", "true");
  CHECK(result.code == 0);
  CHECK_THAT(result.last_line(), ContainsSubstring("explore: nothing found after "));
}

TEST_CASE("a failure that comes when the budget is used up is reported, and not repeated") {
  const support::TempDir dir;
  const Result found = explore("--budget 0.2 --timeout 1", script(dir, "exec sleep 60"));
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.text, ContainsSubstring("not repeated: the budget is used up"));
  CHECK_THAT(found.text, ContainsSubstring("reproduce: "));
  CHECK_THAT(found.last_line(), ContainsSubstring("found: hang: killed after 1 s after 1 run in"));
}

TEST_CASE("the command that reproduces takes the machine's settings and odd arguments along") {
  const support::TempDir dir;
  const std::string fake =
      script(dir, "[ \"$1\" = \"it's 1\" ] && [ $ACLSIM_DEVICES = 2 ] && exit 5");
  const Result found =
      shell("export ACLSIM_DEVICES=2; aclsim explore --no-shrink -- " + fake + " \"it's 1\"");
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.line("reproduce: "), ContainsSubstring("ACLSIM_DEVICES=2 aclsim run "));
  CHECK(shell(found.line("reproduce: ")).code == 5);
}

TEST_CASE("which findings fail a run is chosen, and the command that reproduces says so") {
  const std::string with_a_note = program("bug_04_wait_before_record_repaired");
  CHECK(explore("--check --runs 2", with_a_note).code == 0);
  const Result found = explore("--check --fail-on note --runs 2", with_a_note);
  INFO(found.text);
  CHECK(found.code == 1);
  CHECK_THAT(found.line("reproduce: "), ContainsSubstring("run --check --fail-on note "));

  const support::TempDir dir;
  const std::string known = dir.path().string() + "/known notes.txt";
  std::ofstream(known) << "ACL010 *\n";
  const Result silent =
      explore("--check --fail-on note --runs 2 --suppressions '" + known + "'", with_a_note);
  INFO(silent.text);
  CHECK(silent.code == 0);
}

TEST_CASE("wrong options and missing programs end with 2") {
  const auto row = GENERATE(
      std::make_pair("--runs 0 -- true", "from 1 to"),
      std::make_pair("--runs x -- true", "from 1 to"),
      std::make_pair("--budget -1 -- true", "more than 0"),
      std::make_pair("--shard 0/3 -- true", "I/N"), std::make_pair("--shard 4/3 -- true", "I/N"),
      std::make_pair("--strategy chaos -- true", "pct:DEPTH"),
      std::make_pair("--jobs 0 -- true", "from 1 to 1024"),
      std::make_pair("--fail-on note -- true", "--check"),
      std::make_pair("--what -- true", "--what"), std::make_pair("", "the program is missing"),
      std::make_pair("-- /nonexistent/program", "no such program"));
  const Result result = shell(std::string("aclsim explore ") + row.first);
  INFO(row.first << "\n" << result.text);
  CHECK(result.code == 2);
  CHECK_THAT(result.text, ContainsSubstring(row.second));
}
