// SPDX-License-Identifier: Apache-2.0
// What CI makes of planted mistakes: `aclsim run --check --fail-on warning` fails for each of them,
// says why at the end, and passes for its twin.
#if defined(ACLSIM_EXE)

#include <sys/wait.h>

#include <csignal>
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
  require_verdict({"allocation_smaller", "aclrtMalloc failed with "});
  require_verdict({"allocation_refused", "aclrtMalloc failed with "});
  require_verdict({"task_failed_unseen", "broken on stream 1 failed with 507015"});
  require_verdict({"task_failed_ignored", "aclrtSynchronizeStream failed with 507015"});
}

TEST_CASE("a failed call that lost nothing is a note, and a probe is nothing", "[verdict]") {
  CHECK(run("copy_asked_for ok").tells(": note: failed call: "));
  CHECK_FALSE(run("query_refused").tells("ACL033"));
  CHECK(run("query_refused").code == 0);
}

TEST_CASE("findings come in the order in which they happened, consequences behind their cause",
          "[verdict]") {
  if (!check::bugs_may_run()) return;
  const Ended refused = run("read_after_refused_copy");
  INFO(refused.text);
  CHECK(refused.code == 1);
  const std::size_t cause = refused.text.find(": warning: failed call: aclrtMemcpy failed with ");
  const std::size_t later = refused.text.find(": warning: uninitialised read: ");
  CHECK(cause < later);
  CHECK(later != std::string::npos);
  CHECK(refused.tells("note: probably a consequence of 1, the failed call at "));
  CHECK(refused.tells("aclsim: run: check: begin with the failed call at "));
  const Ended freed = run("free_after_race");
  INFO(freed.text);
  CHECK(freed.tells("note: probably a consequence of 1, the data race at "));
  CHECK(freed.tells("aclsim: run: check: begin with the data race at "));
  CHECK(run("read_after_refused_copy ok").code == 0);
  CHECK(run("free_after_race ok").code == 0);
}

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
TEST_CASE("a signal is named with what it ended, and the report so far is there", "[verdict]") {
  const Ended kernel = run("crash_in_kernel");
  INFO(kernel.text);
  CHECK(kernel.code == 128 + SIGSEGV);
  CHECK(kernel.tells("error: crash: signal 11 (Segmentation fault) in kernel 'scale', block 3, "
                     "stream 1, launched at "));
  CHECK(kernel.tells("run: check: 1 error, "));
  CHECK_FALSE(kernel.tells("no report"));
  CHECK(run("crash_in_kernel ok").code == 0);
  const Ended callback = run("crash_in_callback");
  INFO(callback.text);
  CHECK(callback.code == 128 + SIGSEGV);
  CHECK(callback.tells("signal 11 (Segmentation fault) in a callback, stream 1, launched at "));
  const Ended aborted = run("abort_after_race");
  INFO(aborted.text);
  CHECK(aborted.code == 128 + SIGABRT);
  CHECK(aborted.tells("error: data race: "));
  CHECK(aborted.tells("error: crash: signal 6 (abort) in host thread "));
  CHECK(run("abort_after_race ok").code == 0);
}
#endif

TEST_CASE("a wait for a notify that nobody records is told to record it, without a cycle",
          "[verdict]") {
  const Ended waits = run("notify_never_recorded", "--fail-on warning --watchdog 1,abort");
  INFO(waits.text);
  CHECK(waits.code == 3);
  CHECK(waits.tells("no operation enqueued so far satisfies NOTIFY_WAIT on stream 1"));
  CHECK(waits.tells("fix: record the notify (aclrtRecordNotify"));
  CHECK_FALSE(waits.tells("cycle"));
  CHECK(waits.tells("watchdog: still waiting; not proven to be a deadlock: aborted, exit code 3"));
  CHECK(run("notify_never_recorded ok", "--fail-on warning --watchdog 5,abort").code == 0);
}

#endif
