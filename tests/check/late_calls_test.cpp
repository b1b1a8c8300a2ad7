// SPDX-License-Identifier: Apache-2.0
// Mistakes in static destructors and exit handlers, which run after main() and, mostly, after
// aclFinalize.
#if defined(ACLSIM_EXE)

#include <sys/wait.h>

#include <cstdio>
#include <string>

#include "tests/check/cases.h"
#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

namespace {

struct LateEnd {
  int code;
  std::string text;
  bool tells(const std::string& what) const { return text.find(what) != std::string::npos; }
};

LateEnd end_of(const std::string& command) {
  const std::string all = "unset ACLSIM_CHECK_QUIET ACLSIM_CHECK_LEVEL; exec 2>&1; " + command;
  std::FILE* const pipe = popen(all.c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  return {WEXITSTATUS(pclose(pipe)), text};
}

const std::string kLateCalls = std::string("'") + ACLSIM_GUEST_DIR + "/late_calls'";

LateEnd under_tool(const std::string& arguments) {
  return end_of(std::string("'") + ACLSIM_EXE + "' run --check --fail-on warning -- " + kLateCalls +
                " " + arguments);
}

struct LateMistake {
  const char* what;
  const char* tells;
};

constexpr LateMistake kMistakes[] = {
    {"free", "error: double free"},
    {"copy", "warning: failed call"},
    {"race", "error: data race"},
};

}  // namespace

TEST_CASE("mistakes after main are in the report, with and without aclFinalize", "[late]") {
  if (!check::bugs_may_run()) return;
  for (const char* const where : {"static", "handler", "function"}) {
    for (const LateMistake& mistake : kMistakes) {
      for (const char* const before : {"", "unfinished-"}) {
        const std::string arguments = std::string(where) + " " + before + mistake.what;
        const LateEnd bug = under_tool(arguments);
        INFO(arguments << ": " << bug.text);
        CHECK(bug.code == 1);
        CHECK(bug.tells(mistake.tells));
        CHECK_FALSE(bug.tells("ended before its report was complete"));
        const LateEnd twin = under_tool(arguments + " ok");
        INFO(twin.text);
        CHECK(twin.code == 0);
      }
    }
  }
}

TEST_CASE("a program without the tool fails for a mistake after main", "[late]") {
  if (!check::bugs_may_run()) return;
  const std::string command = "ACLSIM_CHECK=1 ACLSIM_CHECK_FAIL_ON=warning " + kLateCalls;
  for (const char* const where : {"static", "handler", "function"}) {
    const LateEnd bug = end_of(command + " " + where + " race");
    INFO(where << ": " << bug.text);
    CHECK(bug.code == 1);
    CHECK(bug.tells("error: data race"));
    CHECK(bug.tells("1 error, "));
  }
}

TEST_CASE("memory that a static destructor frees does not count as left alive", "[late]") {
  if (!check::bugs_may_run()) return;
  const LateEnd kept = under_tool("static leak");
  INFO(kept.text);
  CHECK(kept.tells("note: unreleased resources"));
  CHECK(kept.tells("1 device allocation"));
  const LateEnd freed = under_tool("static leak ok");
  INFO(freed.text);
  CHECK_FALSE(freed.tells("1 device allocation"));
}

#endif
