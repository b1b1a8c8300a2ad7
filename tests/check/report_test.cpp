// SPDX-License-Identifier: Apache-2.0
// Findings that a program asks for while it runs.
#include <utility>

#include "tests/check/cases.h"

using namespace check;

namespace {

struct Counts {
  std::uint64_t findings = 0;
  std::uint64_t occurrences = 0;
};

Counts counts(const char* level) {
  Counts now;
  REQUIRE_ACL(aclsimCheckCount(level, &now.findings));
  REQUIRE_ACL(aclsimCheckOccurrences(level, &now.occurrences));
  return now;
}

/// Two streams write the same bytes; always from the same lines.
void race(const Desk& desk) {
  fill(desk.a, desk.x);
  fill(desk.b, desk.x);
  join(desk.a);
  join(desk.b);
}

/// The host waits for an operation that is enqueued only later; always from the same line.
void stand(const Desk& desk) {
  const auto flag = world::Event::old(ACL_EVENT_SYNC);
  wait(desk.a, flag);
  CHECK(aclrtSynchronizeStreamWithTimeout(desk.a, 1) == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  record(flag, desk.b);
  join(desk.a);
}

[[gnu::noipa]] int rounds() { return 2; }

/// The counts after the first and after the second time. All calls have the same chain of callers.
std::pair<Counts, Counts> repeated(void (*program)(const Desk&), const Desk& desk,
                                   const char* level) {
  std::pair<Counts, Counts> after;
  for (int i = 0; i < rounds(); ++i) {
    program(desk);
    (i == 0 ? after.first : after.second) = counts(level);
  }
  return after;
}

}  // namespace

TEST_CASE("what is found again counts as another occurrence, and is the same finding") {
  if (!bugs_may_run()) return;
  const Desk desk;
  const Counts before = counts("error");
  const auto [once, twice] = repeated(race, desk, "error");
  CHECK(once.findings == before.findings + 1);
  CHECK(once.occurrences == before.occurrences + 1);
  CHECK(twice.findings == once.findings);
  CHECK(twice.occurrences > once.occurrences);
  REQUIRE_ACL(aclsimResetAll());
  CHECK(counts("error").findings == 0);
  CHECK(counts("error").occurrences == twice.occurrences);
}

TEST_CASE("a wait for ever at the same line counts each time, and is told once") {
  const Desk desk;
  const Counts before = counts("warning");
  const auto [once, twice] = repeated(stand, desk, "warning");
  CHECK(once.findings == before.findings + 1);
  CHECK(once.occurrences > before.occurrences);
  CHECK(twice.findings == once.findings);
  CHECK(twice.occurrences > once.occurrences);
  REQUIRE_ACL(aclsimResetAll());
}

TEST_CASE("what is expected is no occurrence") {
  if (!bugs_may_run()) return;
  const Desk desk;
  const Counts before = counts("error");
  REQUIRE_ACL(aclsimCheckExpectBegin("ACL007"));
  race(desk);
  std::uint64_t times = 0;
  REQUIRE_ACL(aclsimCheckExpectEnd(&times));
  CHECK(times == 1);
  CHECK(counts("error").occurrences == before.occurrences);
}

TEST_CASE("occurrences are asked for at a level that there is") {
  std::uint64_t count = 0;
  CHECK(aclsimCheckOccurrences("bad", &count) == ACL_ERROR_INVALID_PARAM);
  CHECK(aclsimCheckOccurrences("error", nullptr) == ACL_ERROR_INVALID_PARAM);
}
