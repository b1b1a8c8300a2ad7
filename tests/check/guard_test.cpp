// SPDX-License-Identifier: Apache-2.0
// `aclsim run --check --guard-reads` on programs whose host code, callbacks and host functions
// touch memory that tasks use (tests/guests/guarded.cpp).
#if defined(ACLSIM_EXE) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)

#include <sys/wait.h>

#include <cstdio>
#include <string>

#include "tests/support/catch.h"

namespace {

struct GuardedEnd {
  int code;
  std::string text;
  bool tells(const std::string& what) const { return text.find(what) != std::string::npos; }
};

std::string quoted(const std::string& word) { return "'" + word + "'"; }

GuardedEnd aclsim(const std::string& words, const std::string& program) {
  const std::string command = "unset ACLSIM_CHECK_QUIET ACLSIM_CHECK_LEVEL; exec 2>&1; " +
                              quoted(ACLSIM_EXE) + " " + words + " -- " +
                              quoted(std::string(ACLSIM_GUEST_DIR) + "/guarded") + " " + program;
  std::FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  return {WEXITSTATUS(pclose(pipe)), text};
}

GuardedEnd run_guarded(const std::string& program) {
  return aclsim("run --check --guard-reads --fail-on warning", program);
}

struct PlantedTouch {
  const char* program;
  const char* finding;
  const char* repair;
};

}  // namespace

TEST_CASE("host code and functions that touch what a task uses out of order are found",
          "[verdict][guard]") {
  for (const PlantedTouch& row : {
           PlantedTouch{"host_function_fills",
                        "error: host buffer race: the host function writes memory that the copy on "
                        "stream 2 (",
                        "fix: let the copy on stream 2 ("},
           PlantedTouch{"host_function_adds",
                        "error: host buffer race: the host function writes memory that the copy on "
                        "stream 2 (",
                        "fix: let the copy on stream 2 ("},
           PlantedTouch{
               "callback_reads",
               "error: host buffer race: the callback reads memory that the copy on stream 1 (",
               "fix: launch the callback with ACL_CALLBACK_BLOCK"},
           PlantedTouch{
               "callback_fills",
               "error: host buffer race: the callback writes memory that the copy on stream 1 (",
               "fix: launch the callback with ACL_CALLBACK_BLOCK"},
           PlantedTouch{
               "source_overwritten",
               "error: host buffer race: the host writes memory that the copy on stream 1 (",
               "fix: call aclrtSynchronizeStream for stream 1 before the host ("},
       }) {
    const GuardedEnd bug = run_guarded(row.program);
    INFO(row.program << ": " << bug.text);
    CHECK(bug.code == 1);
    CHECK(bug.tells(row.finding));
    CHECK(bug.tells(row.repair));
    CHECK(bug.text.find("guarded.cpp:") < bug.text.find(row.finding));
    const GuardedEnd twin = run_guarded(std::string(row.program) + " ok");
    INFO(twin.text);
    CHECK(twin.code == 0);
  }
}

TEST_CASE("functions may touch what their stream, and streams that wait for it, use in order",
          "[verdict][guard]") {
  for (const char* const program :
       {"host_function_reads", "system_call_in_callback", "system_call_after_wait",
        "other_stream_waits", "function_in_graph"}) {
    const GuardedEnd right = run_guarded(program);
    INFO(program << ": " << right.text);
    CHECK(right.code == 0);
    CHECK(right.tells("0 errors, 0 warnings"));
  }
}

TEST_CASE("a buffer that a callback returns to a thread is at most a note", "[verdict][guard]") {
  const GuardedEnd right = run_guarded("buffer_returned_by_callback");
  INFO(right.text);
  CHECK(right.code == 0);
  CHECK(right.tells("0 errors, 0 warnings"));
}

TEST_CASE("explore takes the option, and its commands repeat it", "[verdict][guard]") {
  const GuardedEnd bug =
      aclsim("explore --check --guard-reads --runs 2 --no-shrink", "callback_reads");
  INFO(bug.text);
  CHECK(bug.code == 1);
  CHECK(bug.tells("[ACL008]"));
  CHECK(bug.tells("reproduce: "));
  CHECK(bug.tells("aclsim run --check --guard-reads --seed "));
  const GuardedEnd twin = aclsim("explore --check --guard-reads --runs 2", "callback_reads ok");
  INFO(twin.text);
  CHECK(twin.code == 0);
  CHECK(aclsim("explore --guard-reads", "callback_reads").code == 2);
}

#endif
