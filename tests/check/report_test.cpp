// SPDX-License-Identifier: Apache-2.0
// What a program is told of findings while it runs.
#include "tests/check/cases.h"

using namespace check;

namespace {

struct Counts {
  std::uint64_t findings = 0;
  std::uint64_t occurrences = 0;
};

Counts errors() {
  Counts counts;
  REQUIRE_ACL(aclsimCheckCount("error", &counts.findings));
  REQUIRE_ACL(aclsimCheckOccurrences("error", &counts.occurrences));
  return counts;
}

/// Two streams write the same bytes; always from the same lines.
void race(const Desk& desk) {
  fill(desk.a, desk.x);
  fill(desk.b, desk.x);
  join(desk.a);
  join(desk.b);
}

}  // namespace

TEST_CASE("what is found again counts as another occurrence, and is the same finding") {
  if (!bugs_may_run()) return;
  const Desk desk;
  const Counts before = errors();
  race(desk);
  const Counts once = errors();
  race(desk);
  const Counts twice = errors();
  CHECK(once.findings == before.findings + 1);
  CHECK(once.occurrences == before.occurrences + 1);
  CHECK(twice.findings == once.findings);
  CHECK(twice.occurrences > once.occurrences);
  REQUIRE_ACL(aclsimResetAll());
  CHECK(errors().findings == 0);
  CHECK(errors().occurrences == twice.occurrences);
}

TEST_CASE("what is expected is no occurrence") {
  if (!bugs_may_run()) return;
  const Desk desk;
  const Counts before = errors();
  REQUIRE_ACL(aclsimCheckExpectBegin("ACL007"));
  race(desk);
  std::uint64_t times = 0;
  REQUIRE_ACL(aclsimCheckExpectEnd(&times));
  CHECK(times == 1);
  CHECK(errors().occurrences == before.occurrences);
}

TEST_CASE("occurrences are asked for at a level that there is") {
  std::uint64_t count = 0;
  CHECK(aclsimCheckOccurrences("bad", &count) == ACL_ERROR_INVALID_PARAM);
  CHECK(aclsimCheckOccurrences("error", nullptr) == ACL_ERROR_INVALID_PARAM);
}
