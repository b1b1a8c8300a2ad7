// SPDX-License-Identifier: Apache-2.0
#include "tests/check/cases.h"

using namespace check;

namespace {

std::uint64_t found_from(const char* level) {
  std::uint64_t count = 0;
  REQUIRE_ACL(aclsimCheckCount(level, &count));
  return count;
}

void require_told_and_silent(const std::vector<Case>& cases) {
  for (const Case& row : cases) {
    const std::string name = std::string(row.number) + ": " + row.name;
    if (bugs_may_run()) {
      DYNAMIC_SECTION(name << " is told") {
        REQUIRE_ACL(aclsimCheckExpectBegin(row.rule));
        row.program(false);
        std::uint64_t times = 0;
        REQUIRE_ACL(aclsimCheckExpectEnd(&times));
        CHECK(times != 0);
      }
    }
    DYNAMIC_SECTION(name << ", repaired, is not") {
      std::uint64_t times = 0;
      REQUIRE_ACL(aclsimCheckExpectBegin(row.rule));
      row.program(true);
      REQUIRE_ACL(aclsimCheckExpectEnd(&times));
      CHECK(times == 0);
      CHECK(found_from("warning") == 0);
    }
  }
}

}  // namespace

TEST_CASE("the checker is on") {
  std::int32_t on = 0;
  REQUIRE_ACL(aclsimCheckIsOn(&on));
  REQUIRE(on == 1);
}

TEST_CASE("streams without order are told") { require_told_and_silent(order_cases()); }

TEST_CASE("host memory that is touched under a copy is told") {
  require_told_and_silent(host_cases());
}

TEST_CASE("memory and handles that end too early are told") {
  require_told_and_silent(life_cases());
}

TEST_CASE("what cannot go on is told") { require_told_and_silent(progress_cases()); }

TEST_CASE("wrong bytes, directions and devices are told") {
  require_told_and_silent(value_cases());
}
