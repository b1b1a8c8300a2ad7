// SPDX-License-Identifier: Apache-2.0
// What CI makes of planted mistakes: `aclsim run --check --fail-on warning` fails for each of them,
// says why at the end, and passes for its twin.
#if defined(ACLSIM_EXE)

#include <sys/wait.h>

#include <cstdio>
#include <string>

#include "tests/check/cases.h"
#include "tests/support/catch.h"

namespace {

struct Ended {
  int code;
  std::string text;
  bool tells(const std::string& what) const { return text.find(what) != std::string::npos; }
};

Ended run(const std::string& program, const std::string& options = "--fail-on warning") {
  const std::string command = std::string("env -u ACLSIM_CHECK_QUIET -u ACLSIM_CHECK_LEVEL '") +
                              ACLSIM_EXE + "' run --check " + options + " -- '" + ACLSIM_GUEST_DIR +
                              "/planted' " + program + " 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  return {WEXITSTATUS(pclose(pipe)), text};
}

struct Planted {
  const char* program;
  const char* tells;  // a part of what the finding says
};

/// The mistake fails and is named, its twin passes.
void require_verdict(const Planted& row) {
  const Ended bug = run(row.program);
  INFO(row.program << ": " << bug.text);
  CHECK(bug.code == 1);
  CHECK(bug.tells(row.tells));
  const Ended twin = run(std::string(row.program) + " ok");
  INFO(twin.text);
  CHECK(twin.code == 0);
}

}  // namespace

TEST_CASE("a missing wait between kernels that declare nothing fails where one must write",
          "[verdict]") {
  if (!check::bugs_may_run()) return;
  require_verdict({"undeclared_chain", "may write"});
  require_verdict({"undeclared_in_place", "may write"});
  require_verdict({"declared_chain", "error: data race"});
}

TEST_CASE("a run says at its end how many kernels declare no ranges", "[verdict]") {
  if (!check::bugs_may_run()) return;
  const Ended guessed = run("undeclared_chain ok");
  INFO(guessed.text);
  CHECK(guessed.tells("2 of 2 kernels declare no ranges: findings about them are guesses, races "
                      "between them may be missed\n"));
  CHECK(guessed.tells("run: check: 0 errors, 0 warnings, 0 notes, 2 of 2 kernels undeclared; "));
  const Ended declared = run("declared_chain ok");
  CHECK_FALSE(declared.tells("declare no ranges"));
  CHECK_FALSE(declared.tells("undeclared"));
}

TEST_CASE("kernels that may both only read are a note, unless --undeclared says otherwise",
          "[verdict]") {
  if (!check::bugs_may_run()) return;
  const Ended by_default = run("undeclared_readers");
  INFO(by_default.text);
  CHECK(by_default.code == 0);
  CHECK(by_default.tells(": note: data race: "));
  CHECK_FALSE(by_default.tells(" writes "));
  CHECK(run("undeclared_readers", "--undeclared error").code == 1);
  CHECK(run("undeclared_readers", "--undeclared warning").code == 0);
  CHECK(run("undeclared_readers", "--undeclared warning --fail-on warning").code == 1);
  CHECK(run("undeclared_chain", "--undeclared note --fail-on warning").code == 0);
  CHECK(run("undeclared_chain ok", "--undeclared error").code == 1);
  CHECK(run("declared_chain ok", "--undeclared error").code == 0);
}

TEST_CASE("callbacks and host functions that nobody served fail, whatever ends first",
          "[verdict]") {
  for (const char* const program :
       {"callbacks_unsubscribed", "callbacks_destroyed", "callbacks_destroyed_blocking",
        "callbacks_reset", "callbacks_at_exit", "callbacks_finalized"}) {
    require_verdict({program, "warning: unserved callback: the callback on stream 1 never ran"});
  }
  for (const char* const program : {"host_functions_unsubscribed", "host_functions_at_exit"}) {
    require_verdict({program, "unserved callback: the subscribed host function on stream 1 never"});
  }
}

TEST_CASE("a failed call that lost work fails unless the program asks for the error or repeats it",
          "[verdict]") {
  require_verdict({"copy_too_much", "aclrtMemcpyAsync failed with 1"});
  require_verdict({"copy_asked_for", "[ACL033]"});
  require_verdict({"copy_made_again", "[ACL033]"});
  require_verdict({"allocation_refused", "aclrtMalloc failed with "});
  require_verdict({"task_failed_unseen", "broken on stream 1 failed with 507015"});
  require_verdict({"task_failed_ignored", "aclrtSynchronizeStream failed with 507015"});
}

TEST_CASE("a failed call that lost nothing is a note, and a probe is nothing", "[verdict]") {
  CHECK(run("copy_asked_for ok").tells(": note: failed call: "));
  CHECK_FALSE(run("query_refused").tells("ACL033"));
  CHECK(run("query_refused").code == 0);
}

#endif
