// SPDX-License-Identifier: Apache-2.0
// Runs one of the planted programs in a process of its own, for recordings.py.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/check/cases.h"
#include "tests/support/catch.h"

namespace {

std::vector<check::Case> all_cases() {
  std::vector<check::Case> all;
  for (const auto* rows : {&check::order_cases(), &check::host_cases(), &check::life_cases(),
                           &check::progress_cases(), &check::value_cases(), &check::number_cases(),
                           &check::over_cases(), &check::memory_cases(), &check::thread_cases()}) {
    all.insert(all.end(), rows->begin(), rows->end());
  }
  return all;
}

}  // namespace

// Without the variable PLANTED: lists the numbers and the rules.
TEST_CASE("one planted program runs", "[.planted]") {
  const char* const wanted = std::getenv("PLANTED");
  bool found = !wanted;
  for (const check::Case& row : all_cases()) {
    if (!wanted) std::printf("case %s\t%s\n", row.rule, row.number);
    if (!wanted || std::string(wanted) != row.number) continue;
    row.program(std::getenv("REPAIRED") != nullptr);
    found = true;
  }
  CHECK(found);
}
