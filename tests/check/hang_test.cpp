// SPDX-License-Identifier: Apache-2.0
// `aclsim run --check` over programs that hang, and over right programs that are only slow.
// ThreadSanitizer has a thread that always runs, so no hang is proven under it.
#if defined(ACLSIM_EXE) && !defined(__SANITIZE_THREAD__)

#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <optional>
#include <regex>
#include <string>

#include "tests/check/cases.h"
#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

namespace {

struct HangEnd {
  int code = -1;
  std::string text;
  bool tells(const std::string& what) const { return text.find(what) != std::string::npos; }
  bool matches(const std::string& pattern) const {
    return std::regex_search(text, std::regex(pattern));
  }
  std::string last_line() const {
    const std::size_t end = text.find_last_not_of('\n');
    return text.substr(text.rfind('\n', end) + 1, end - text.rfind('\n', end));
  }
};

/// A signal that the run receives as soon as its output contains a text.
struct Kill {
  int signal;
  const char* after;
};

HangEnd run_hanging(const std::string& way, const std::string& options = "",
                    const std::optional<Kill>& kill = {}) {
  const std::string command =
      "echo $$; exec env -u ACLSIM_CHECK_QUIET -u ACLSIM_CHECK_LEVEL -u ACLSIM_CHECK "
      "-u ACLSIM_SEED -u ACLSIM_SCHEDULE '" ACLSIM_EXE "' run --check " +
      options + " -- '" + ACLSIM_GUEST_DIR + "/hangs' '" + way + "' 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  int process = 0;
  REQUIRE(std::fscanf(pipe, "%d ", &process) == 1);
  HangEnd ended;
  bool killed = !kill;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) {
    ended.text += static_cast<char>(c);
    if (killed || !ended.tells(kill->after)) continue;
    killed = true;
    ::kill(process, kill->signal);
  }
  ended.code = WEXITSTATUS(pclose(pipe));
  return ended;
}

// A line, if libdw is installed, else library and offset.
const std::string kLine = R"(\S*hangs(\.cpp:\d+|\+0x[0-9a-f]+[^\n:]*))";
// The helper of several callers enqueues the operation.
const std::string kPlace = kLine + "(, called at " + kLine + ")?";

}  // namespace

TEST_CASE("a hang in any call that waits is reported at once, and ends the run with 3", "[hang]") {
  const std::string call =
      GENERATE("aclrtSynchronizeStream", "aclrtSynchronizeDevice", "aclrtSynchronizeEvent",
               "aclrtFreeWithDevSync", "aclrtFreeHostWithDevSync", "aclrtDestroyStream",
               "aclrtResetDevice", "aclrtDestroyContext");
  const HangEnd ended = run_hanging(call);
  INFO(call << "\n" << ended.text);
  CHECK(ended.code == 3);
  CHECK(
      ended.matches("(^|\n)" + kPlace + ": warning: deadlock: " + call +
                    " may never return; no operation enqueued so far satisfies the notify wait on "
                    "stream \\d+ \\(" +
                    kPlace + "\\) \\[ACL003\\]\n"));
  CHECK(ended.matches("\nblocked: thread \\d+: " + kPlace + ": " + call +
                      " waits for the notify wait on stream \\d+ \\(" + kPlace +
                      "\\); no operation enqueued so far satisfies that; a record of the notify "
                      "would complete it\n"));
  CHECK(ended.last_line() ==
        "aclsim: run: check: 0 errors, 1 warning, 0 notes; exit code 3: the program hangs");
}

TEST_CASE("a hang is proven when no thread, task or process is left that could end it", "[hang]") {
  struct Row {
    const char* way;
    const char* tells;  // part of the finding
  };
  const Row row =
      GENERATE(Row{"external event of a graph", "satisfies the wait in a graph \\("},
               Row{"notify in a graph", "satisfies the notify wait in a graph \\("},
               Row{"value in a graph", "satisfies the value wait in a graph \\("},
               Row{"graph behind a graph", "the notify wait in a graph \\("},
               Row{"value overwritten before", "satisfies the value wait on stream"},
               Row{"value skipped while it waits", "satisfies the value wait on stream"},
               Row{"bit overwritten", "satisfies the value wait on stream"},
               Row{"value too small", "satisfies the value wait on stream"},
               Row{"two threads", "satisfies the notify wait on stream"},
               Row{"two threads, and main joins them", "satisfies the notify wait on stream"},
               Row{"an idle thread", "satisfies the notify wait on stream"},
               Row{"a mutex that the waiting thread holds", "satisfies the notify wait on stream"},
               Row{"a callback whose thread has ended", "satisfies the callback on stream"},
               Row{"a stream that waits for a reset event", "satisfies the wait on stream"},
               Row{"a reset event", "aclrtSynchronizeEvent may never return; the event was reset"},
               Row{"a reset flag", "aclrtSynchronizeEvent may never return; the event was reset"},
               Row{"a reset event, in two threads", "satisfies the wait on stream"},
               Row{"a host function that waits", "aclrtSynchronizeStream may never return"});
  const HangEnd ended = run_hanging(row.way);
  INFO(row.way << "\n" << ended.text);
  CHECK(ended.code == 3);
  CHECK(ended.matches(": deadlock: [^\n]*" + std::string(row.tells)));
  CHECK(ended.tells("[ACL003]"));
  CHECK(ended.matches("\nblocked: thread \\d+: " + kPlace + ": acl\\w+ waits for "));
}

TEST_CASE("a slow program that is right has no finding, and does not hang", "[hang]") {
  const char* const way =
      GENERATE("a thread that calls late", "a thread behind a mutex", "a slow kernel",
               "a slow host function", "a host function that records",
               "a thread that records a reset event late",
               "a host function that records a reset flag", "calls with a limit until it is done");
  const HangEnd ended = run_hanging(way, "--fail-on warning");
  INFO(way << "\n" << ended.text);
  CHECK(ended.code == 0);
  CHECK_FALSE(ended.tells("ACL003"));
  CHECK_FALSE(ended.tells("ACL025"));
}

TEST_CASE("a wait of the device that has a limit is no hang", "[hang]") {
  const HangEnd ended = run_hanging("a wait with a limit on the device");
  INFO(ended.text);
  CHECK(ended.code != 3);
  CHECK_FALSE(ended.tells("ACL003"));
}

// The time itself is the subject: the list comes after 5 s.
TEST_CASE("a list says after 5 s what each thread waits for, and the report has it", "[hang]") {
  const support::TempDir dir;
  const std::string report = (dir.path() / "report.json").string();
  const std::string line = "thread \\d+: " + kPlace +
                           ": aclrtSynchronizeStream waits for the notify wait on stream \\d+ \\(" +
                           kPlace +
                           "\\); no operation enqueued so far satisfies that; a record of "
                           "the notify would complete it";
  for (const int signal : {SIGTERM, SIGINT}) {
    const HangEnd ended =
        run_hanging("for ever, with a thread that may call", "--report '" + report + "'",
                    Kill{signal, "a record of the notify would complete it"});
    INFO(signal << "\n" << ended.text);
    CHECK(
        ended.matches("check: a host thread waits for 5 s; a deadlock is not proven:\n  " + line));
    CHECK(ended.matches("\nblocked: " + line));
    CHECK_FALSE(ended.tells("ACL003"));
    CHECK_FALSE(ended.tells("no ACL call"));
    const std::string json = dir.read("report.json");
    CHECK(json.find("\"blocked\"") != std::string::npos);
    CHECK(json.find("waits for the notify wait on stream") != std::string::npos);
  }
}

TEST_CASE("the watchdog's end has the same list in the report", "[hang]") {
  const HangEnd ended = run_hanging("for ever, with a thread that may call", "--watchdog 1,abort");
  INFO(ended.text);
  CHECK(ended.code == 3);
  CHECK(ended.matches("\nblocked: thread \\d+: " + kPlace + ": aclrtSynchronizeStream waits for "));
}

TEST_CASE("a call whose time limit passes is a warning that says what it waits for", "[hang]") {
  const HangEnd ended = run_hanging("a call whose limit passes", "--fail-on warning");
  INFO(ended.text);
  CHECK(ended.code == 1);
  CHECK(
      ended.matches(": warning: wait timeout: aclrtSynchronizeStreamWithTimeout waits for the "
                    "value wait on stream \\d+ \\(" +
                    kPlace + "\\); [^\n]*; its time limit has passed \\[ACL025\\]"));
  CHECK(run_hanging("a call whose limit passes", "--fail-on error").code == 0);
}

TEST_CASE("the last line says that the program made no ACL call only if that is true", "[hang]") {
  const HangEnd without = run_hanging("no call");
  INFO(without.text);
  CHECK(without.code == 4);
  CHECK(without.tells("the program made no ACL call (exit code 4)"));
  const HangEnd killed =
      run_hanging("for ever, with a thread that may call", "", Kill{SIGTERM, "ready"});
  INFO(killed.text);
  CHECK_FALSE(killed.tells("no ACL call"));
}

#endif
