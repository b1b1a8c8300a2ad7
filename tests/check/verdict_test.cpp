// SPDX-License-Identifier: Apache-2.0
// The verdict of CI on planted mistakes: `aclsim run --check --fail-on warning` fails for each of
// them, prints the reason at the end, and passes for its twin.
#if defined(ACLSIM_EXE)

#include <sys/wait.h>

#include <csignal>
#include <cstdio>
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

/// With the environment that a user has.
Ended shell(const std::string& words) {
  const std::string command = "unset ACLSIM_CHECK_QUIET ACLSIM_CHECK_LEVEL; exec 2>&1; " + words;
  std::FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  return {WEXITSTATUS(pclose(pipe)), text};
}

std::string quoted(const std::string& word) { return "'" + word + "'"; }
const std::string kTool = quoted(ACLSIM_EXE);
const std::string kPlanted = quoted(std::string(ACLSIM_GUEST_DIR) + "/planted");

Ended run(const std::string& program, const std::string& options = "--fail-on warning") {
  return shell(kTool + " run --check " + options + " -- " + kPlanted + " " + program);
}

struct Planted {
  const char* program;
  const char* tells;  // a part of the text of the finding
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

TEST_CASE("mistakes of order fail", "[verdict]") {
  if (!check::bugs_may_run()) return;
  require_verdict({"wait_before_record", "warning: wait before record"});
  require_verdict({"wrong_stream_synchronised", "error: data race"});
  require_verdict({"buffer_filled_again_too_early", "error: data race"});
  require_verdict({"source_changed_too_early", "error: host buffer race"});
  require_verdict({"freed_twice", "error: double free"});
  // The stream that runs it is the machine's: the program has a handle of the launching one.
  require_verdict({"graph_not_waited_for", "order the launch of the graph and the copy ("});
}

TEST_CASE("a recording of a program that is in order is checked, but for what has no ranges",
          "[verdict]") {
  if (!check::bugs_may_run()) return;
  const support::TempDir dir;
  for (const std::string program : {"wait_before_record", "declared_chain", "free_after_race"}) {
    const std::string file = quoted((dir.path() / (program + ".aclt.jsonl")).string());
    run(program + " ok", "--record " + file);
    const Ended recorded = shell(kTool + " check " + file);
    INFO(recorded.text);
    CHECK_FALSE(recorded.tells("redundant synchronisation: aclrtDestroyStream"));
    CHECK_FALSE(recorded.tells("redundant synchronisation: aclrtResetDevice"));
    CHECK_FALSE(recorded.tells("not checked"));
  }
}

TEST_CASE("a wait that nothing ends is a deadlock live and in its recording", "[verdict]") {
  if (!check::bugs_may_run()) return;
  const support::TempDir dir;
  const std::string file = quoted((dir.path() / "hang.aclt.jsonl").string());
  const Ended live = run("notify_never_recorded", "--watchdog 1,abort --record " + file);
  INFO(live.text);
  CHECK(live.code == 3);
  CHECK(live.tells("[ACL003]"));
  const Ended recorded = shell(kTool + " check " + file);
  INFO(recorded.text);
  CHECK(recorded.tells("warning: deadlock: "));
  CHECK_FALSE(recorded.tells("[ACL004]"));
  CHECK_FALSE(recorded.tells("[ACL013]"));
}

TEST_CASE("a check of a recording ends with what it did not check", "[verdict]") {
  if (!check::bugs_may_run()) return;
  const support::TempDir dir;
  const std::string file = quoted((dir.path() / "run.aclt.jsonl").string());
  run("undeclared_chain", "--record " + file);
  const Ended recorded = shell(kTool + " check " + file);
  INFO(recorded.text);
  CHECK(recorded.tells("aclsim: check: not checked: races: 2 of 2 kernels have no ranges\n"));
}

TEST_CASE("a helper of many callers is shown with its caller, and --stack shows more",
          "[verdict]") {
  if (!check::bugs_may_run()) return;
  const Ended plain = run("declared_chain");
  INFO(plain.text);
  CHECK(plain.tells("planted.cpp:"));
  CHECK(plain.tells("note: called from here, in "));
  CHECK(plain.tells("declared_chain(bool)"));
  CHECK_FALSE(plain.tells("called from here, in main"));
  const Ended deep = run("declared_chain", "--stack 8");
  INFO(deep.text);
  CHECK(deep.code == 1);
  CHECK(deep.tells("note: called from here, in main"));
  CHECK(run("declared_chain ok", "--stack 8 --fail-on warning").code == 0);
}

TEST_CASE("pictures of a run show in red which accesses nothing orders", "[verdict]") {
  if (!check::bugs_may_run()) return;
  const support::TempDir dir;
  const auto file = [&](const char* name) { return (dir.path() / name).string(); };
  const Ended drawn = run("declared_chain", "--timeline " + quoted(file("t.json")) + " --record " +
                                                quoted(file("t.aclt.jsonl")));
  INFO(drawn.text);
  CHECK(drawn.tells("t.json: 1 finding, in red\n"));
  const std::string timeline = dir.read("t.json");
  CHECK(timeline.find("\"name\":\"ACL007 data race\"") != std::string::npos);
  CHECK(timeline.find("\"ph\":\"s\",\"cat\":\"finding\"") != std::string::npos);
  CHECK(timeline.find("\"ph\":\"f\",\"cat\":\"finding\"") != std::string::npos);
  CHECK(timeline.substr(timeline.size() - 3) == "\n]\n");
  for (const char* const ok : {"", " ok"}) {
    run(std::string("declared_chain") + ok, "--record " + quoted(file("t.aclt.jsonl")));
    const Ended plotted = shell(kTool + " plot --check -q " + quoted(file("t.aclt.jsonl")) +
                                " -o " + quoted(file("t.svg")));
    INFO(plotted.text);
    CHECK(plotted.code == 0);
    CHECK((dir.read("t.svg").find("class=\"finding\"") == std::string::npos) == (*ok != 0));
  }
}

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
TEST_CASE("pictures of a run also show accesses by the host: copies, frees, touches", "[verdict]") {
  if (!check::bugs_may_run()) return;
  const support::TempDir dir;
  const auto file = [&](const char* name) { return (dir.path() / name).string(); };
  struct Row {
    const char* program;
    const char* name;
    int findings;
  };
  for (const Row& row : {Row{"wrong_stream_synchronised", "ACL007 data race", 1},
                         Row{"free_after_race", "ACL006 use after free", 3},
                         Row{"result_read_too_early", "ACL008 host buffer race", 1}}) {
    const Ended drawn = run(row.program, "--guard-reads --timeline " + quoted(file("t.json")) +
                                             " --record " + quoted(file("t.aclt.jsonl")));
    INFO(row.program << "\n" << drawn.text);
    CHECK(drawn.tells("t.json: " + std::to_string(row.findings) + " finding"));
    const std::string timeline = dir.read("t.json");
    INFO(timeline);
    const std::string arrow = R"("ph":"s","cat":"finding","name":")";
    CHECK(timeline.find(arrow + row.name) != std::string::npos);
    shell(kTool + " plot --check -q " + quoted(file("t.aclt.jsonl")) + " -o " +
          quoted(file("t.svg")));
    CHECK(dir.read("t.svg").find("class=\"finding\"") != std::string::npos);
  }
}
#endif

TEST_CASE("without aclsim run a variable decides about the exit code", "[verdict]") {
  if (!check::bugs_may_run()) return;
  const std::string prog = "ACLSIM_CHECK=1 " + kPlanted + " wait_before_record";
  CHECK(shell(prog).code == 0);
  CHECK(shell("ACLSIM_CHECK_FAIL_ON=error " + prog + " ok").code == 0);
  const Ended failed = shell("ACLSIM_CHECK_FAIL_ON=note " + prog);
  INFO(failed.text);
  CHECK(failed.code == 1);
  CHECK(failed.tells("findings at note or above (ACLSIM_CHECK_FAIL_ON)\n"));
  CHECK(shell("ACLSIM_CHECK_FAIL_ON=bad " + prog).tells("ACLSIM_CHECK_FAIL_ON"));
  CHECK(shell("ACLSIM_CHECK_FAIL_ON=error ACLSIM_CHECK_REPORT=/no/such.xml " + prog + " ok").code ==
        1);
  // For a run under the tool it is the default of the option, and the tool decides once for all.
  const std::string run = kTool + " run --check -- " + kPlanted + " undeclared_chain";
  CHECK(shell(run).code == 0);
  const Ended by_tool = shell("ACLSIM_CHECK_FAIL_ON=warning " + run);
  CHECK(by_tool.code == 1);
  CHECK_FALSE(by_tool.tells("(ACLSIM_CHECK_FAIL_ON)"));
}

TEST_CASE("a run says at its end how many kernels declare no ranges", "[verdict]") {
  if (!check::bugs_may_run()) return;
  const Ended guessed = run("undeclared_chain ok");
  INFO(guessed.text);
  CHECK(
      guessed.tells("2 of 2 kernels declare no ranges: findings about them are guesses, races "
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
  CHECK(refused.tells("aclsim: run: check: fix first: failed call at "));
  const Ended freed = run("free_after_race");
  INFO(freed.text);
  CHECK(freed.tells("note: probably a consequence of 1, the data race at "));
  CHECK(freed.tells("aclsim: run: check: fix first: data race at "));
  CHECK(run("read_after_refused_copy ok").code == 0);
  CHECK(run("free_after_race ok").code == 0);
}

TEST_CASE("two launches of a graph with a wait between them are two mistakes", "[verdict]") {
  if (!check::bugs_may_run()) return;
  const Ended raced = run("graph_raced_twice");
  INFO(raced.text);
  CHECK(raced.code == 1);
  CHECK(raced.tells("2 errors"));
  CHECK_FALSE(raced.tells("probably a consequence"));
  CHECK(run("graph_raced_twice ok").code == 0);
}

TEST_CASE("what a fault takes the order away from is a consequence of that fault", "[verdict]") {
  if (!check::bugs_may_run()) return;
  for (const char* const program : {"carries_on", "carries_on_stopping"}) {
    CHECK(run(program, "--fail-on warning").code == 0);
  }
  struct Row {
    const char* program;
    const char* fault;
    const char* cause;
  };
  for (const Row& row :
       {Row{"carries_on", "notify-timeout", "probably a consequence of 1, the wait timeout at "},
        Row{"carries_on", "task,op=notify-wait,code=507015", "the failed call at "},
        Row{"carries_on", "device-lost,op=copy", "of the failure of the device"},
        Row{"carries_on_stopping", "call,call=aclrtRecordEvent,code=507000", "the failed call at "},
        Row{"carries_on_stopping", "task,op=copy,code=507015", "the failed call at "},
        Row{"carries_on_stopping", "ecc", "the failed call at "}}) {
    // The program is as far as it can go when the fault fires.
    const Ended faulty =
        run(row.program, std::string("--seed 1 --strategy lazy --fault ") + row.fault);
    INFO(row.fault << "\n" << faulty.text);
    CHECK(faulty.tells("[ACL007]"));
    CHECK(faulty.tells(row.cause));
  }
  const Ended unwritten =
      run("carries_on_stopping", "--seed 1 --strategy eager --fault task,op=copy,code=507015");
  INFO(unwritten.text);
  CHECK(unwritten.tells("[ACL021]"));
  CHECK(unwritten.tells("note: probably a consequence of "));
}

#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
TEST_CASE("--guard-reads finds code of the host that touches what a pending task writes",
          "[verdict]") {
  const std::string guard = "--fail-on warning --guard-reads";
  struct Row {
    const char* program;
    const char* tells;
  };
  for (const Row& row :
       {Row{"result_read_too_early", "the host reads memory that the copy on stream 1 ("},
        Row{"result_copied_too_early", "the host reads memory that the copy on stream 1 ("},
        Row{"result_overwritten_too_early", "the host writes memory that the copy on stream 1"},
        Row{"device_read_too_early", "the host reads memory that the fill on stream 1"},
        Row{"kernel_result_read_too_early", "the host reads memory that set_first on stream 1"}}) {
    const Ended bug = run(row.program, guard);
    INFO(row.program << ": " << bug.text);
    CHECK(bug.code == 1);
    CHECK(bug.tells(row.tells));
    CHECK(bug.tells("fix: call aclrtSynchronizeStream for stream 1 before the host ("));
    CHECK(run(std::string(row.program) + " ok", guard).code == 0);
    CHECK(run(row.program).code == 0);  // nothing of it is seen without
  }
  for (const char* const right :
       {"result_read_after_query", "read_in_host_function", "other_buffer_read"}) {
    const Ended twin = run(right, guard);
    INFO(twin.text);
    CHECK(twin.code == 0);
  }
}

TEST_CASE("--guard-reads changes nothing for programs that are right, nor for their faults",
          "[verdict]") {
  const std::string guard = "--fail-on warning --guard-reads";
  for (const char* const program :
       {"undeclared_chain ok", "declared_chain ok", "free_after_race ok", "crash_in_kernel ok",
        "crash_in_callback ok"}) {
    const Ended twin = run(program, guard);
    INFO(program << ": " << twin.text);
    CHECK(twin.code == 0);
  }
  CHECK(run("crash_in_kernel", guard).code == 128 + SIGSEGV);
}

TEST_CASE("a signal is named with what it ended, and the report so far is there", "[verdict]") {
  const Ended kernel = run("crash_in_kernel");
  INFO(kernel.text);
  CHECK(kernel.code == 128 + SIGSEGV);
  CHECK(
      kernel.tells("error: crash: signal 11 (Segmentation fault) in kernel 'scale', block 3, "
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
  CHECK(waits.tells("no operation enqueued so far satisfies the notify wait on stream 1"));
  CHECK(waits.tells("fix: record the notify (aclrtRecordNotify"));
  CHECK_FALSE(waits.tells("cycle"));
#if defined(__SANITIZE_THREAD__)  // it has a thread that always runs
  CHECK(waits.tells("watchdog: still waiting; not proven to be a deadlock: aborted, exit code 3"));
#else
  CHECK(waits.tells("check: the program hangs: all its threads wait, and nothing can end a wait"));
#endif
  CHECK(run("notify_never_recorded ok", "--fail-on warning --watchdog 5,abort").code == 0);
}

#endif
