// SPDX-License-Identifier: Apache-2.0
// `aclsim explore` on a program whose ranks are threads: a training step, and the same without a
// wait.
#include "device_sim/base/sanitizer.h"
#include "tests/explore/tool.h"
#include "tests/support/share.h"

namespace {

std::string runs(const std::string& number) {
  return "--runs " + (sim::kSanitized ? "10" : number) + " --seed " +
         std::to_string(support::first_seed());
}

}  // namespace

TEST_CASE(
    "explore finds nothing in ranks that wait for what they sum, with the checker or without") {
  for (const std::string options : {"", " --check", " --fresh"}) {
    const Result result = explore(runs("60") + options, program("ranks_repaired"));
    INFO(result.text);
    CHECK(result.code == 0);
    CHECK_THAT(result.last_line(), ContainsSubstring("explore: nothing found after "));
  }
}

TEST_CASE(
    "explore finds the sum that does not wait for its gradient, by results and by the checker") {
  const Result by_result = explore(runs("200"), program("ranks"));
  INFO(by_result.text);
  CHECK(by_result.code == 1);
  CHECK_THAT(by_result.text, ContainsSubstring("wrong: element 0 is "));
  CHECK_FALSE(by_result.line("reproduce: ").empty());
  const Result by_check = explore(runs("200") + " --check", program("ranks"));
  INFO(by_check.text);
  CHECK(by_check.code == 1);
  CHECK_THAT(by_check.text, ContainsSubstring("fix first: data race") &&
                                ContainsSubstring("HcclAllReduce on stream"));
}
