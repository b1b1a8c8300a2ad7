// SPDX-License-Identifier: Apache-2.0
// kill -9 of `aclsim run`, of the program, and of processes that share memory with it.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/killed/slow_exec.h"
#include "tests/killed/watched.h"
#include "tests/support/catch.h"
#include "tests/support/share.h"
#include "tests/support/temp_dir.h"
#include "tests/support/waiting.h"

using killed::Watched;

namespace {

std::vector<std::string> run_of(std::vector<std::string> options,
                                std::vector<std::string> program) {
  std::vector<std::string> command{ACLSIM_EXE, "run"};
  command.insert(command.end(), options.begin(), options.end());
  command.emplace_back("--");
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

std::vector<std::string> in_shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

const std::string kGuests = ACLSIM_GUEST_DIR;

}  // namespace

TEST_CASE("a launcher that is killed takes the program and all that it started with it") {
  // The last process has left the session, and the shell that waits for it has ended.
  const auto program = in_shell(
      "sleep 1000 & (setsid sh -c 'sleep 1001 & exec sleep 1002' &) ; echo started; sleep 1003; "
      "true");
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{}, {"--check"}, {"--check", "--quiet"}}) {
    Watched run(run_of(options, program));
    REQUIRE(run.await_output("started"));
    run.kill();
    CHECK(run.await_end());
    CHECK(run.left_over() == "");
  }
}

TEST_CASE("a program that is killed leaves what it started, as without the launcher") {
  Watched run(run_of({"--check"}, in_shell("sh -c 'echo started; read line' & kill -9 $$")));
  REQUIRE(run.await_output("exit code 137"));
  CHECK(run.await_output("started"));
  CHECK(run.await_end());
  CHECK(WEXITSTATUS(run.status()) == 128 + SIGKILL);
}

TEST_CASE("a launcher that is killed leaves nothing of a checked program") {
  const std::string guest = "'" + kGuests + "/race_and_end'";
  Watched run(run_of({"--check"}, in_shell(guest + "; echo ended; sleep 1000; true")));
  REQUIRE(run.await_output("ended"));
  run.kill();
  CHECK(run.await_end());
  CHECK(run.left_over() == "");
}

TEST_CASE("a launcher that is killed takes processes with it that are in exec") {
  const support::TempDir folder;
  const std::string program = (folder.path() / "again").string();
  if (!killed::write_slow_exec(program)) return;
  Watched run(run_of({}, in_shell("'" + program + "' & echo started; wait")));
  REQUIRE(run.await_output("started"));
  run.kill();
  CHECK(run.await_end());
}

TEST_CASE("an exploration that is killed leaves nothing") {
  Watched run({ACLSIM_EXE, "explore", "--check", "--fresh", "--", "/bin/sh", "-c",
               "echo run >&2; exec sleep 1000"});
  constexpr std::size_t kAll = 5;  // explore and run with their guards, and the program
  REQUIRE(support::eventually([&] { return run.processes().size() >= kAll; }));
  run.kill();
  CHECK(run.await_end());
  CHECK(run.left_over() == "");
}

TEST_CASE("an exploration that is killed leaves nothing of copied processes") {
  const std::string guest = "'" + kGuests + "/race_and_end'";
  Watched run({ACLSIM_EXE, "explore", "--check", "--jobs", "2", "--", "/bin/sh", "-c",
               guest + " wait_for_ever ok; true"});
  constexpr std::size_t kAll = 6;  // explore and run with their guards, a shell, the program
  REQUIRE(support::eventually([&] { return run.processes().size() >= kAll; }));
  run.kill();
  CHECK(run.await_end());
  CHECK(run.left_over() == "");
}

// ---- the matrix ----

namespace {

// A wait that only a dead process could end, and a key of a dead process.
const std::set<int> kDocumented{0, 507899, 107000};

struct Round {
  std::string victim;
  std::vector<std::string> options;
  std::uint64_t step;
};

Round round_of(std::uint64_t index, std::uint64_t seed) {
  static constexpr const char* kVictims[] = {"launcher", "program", "peer", "reader"};
  static const std::vector<std::string> kOptions[] = {{}, {"--check"}, {"--check", "--quiet"}};
  std::mt19937_64 random(seed * 1'000 + index);
  const bool early = random() % 4 == 0;
  return {kVictims[index % std::size(kVictims)], kOptions[random() % std::size(kOptions)],
          1 + random() % (early ? 20 : 100)};
}

void require_documented_ends(const std::string& output) {
  const std::regex line("(program|peer|reader) (-?\\d+)\n");
  for (std::sregex_iterator at(output.begin(), output.end(), line), end; at != end; ++at) {
    INFO("exit code of " << (*at)[1]);
    CHECK(kDocumented.count(std::stoi((*at)[2])) == 1);
  }
}

}  // namespace

TEST_CASE("in 30 rounds of kill -9 nothing is left, nothing hangs, and peers learn of it",
          "[matrix]") {
  const std::uint64_t seed = support::first_seed();
  std::printf("kill matrix: seed %llu\n", static_cast<unsigned long long>(seed));
  for (std::uint64_t index = 0; index < 30; ++index) {
    const Round round = round_of(index, seed);
    const std::string step = std::to_string(round.step);
    Watched run(run_of(round.options, {kGuests + "/kill_ring", round.victim, step}));
    const bool ended = run.await_end();
    INFO("seed " << seed << ", round " << index << ": " << round.victim << " at step " << step
                 << "\n"
                 << run.output());
    CHECK(ended);
    CHECK(run.left_over() == "");
    require_documented_ends(run.output());
    const int status = run.status();
    if (round.victim == "launcher") {
      CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
    } else {
      CHECK(WIFEXITED(status));
      // An import from a dead process is a finding (ACL031).
      const bool found = run.output().find("findings at error") != std::string::npos;
      CHECK(WEXITSTATUS(status) == (round.victim == "program" ? 128 + SIGKILL : found ? 1 : 0));
    }
  }
}
