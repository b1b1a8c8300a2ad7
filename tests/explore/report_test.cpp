// SPDX-License-Identifier: Apache-2.0
// What `aclsim explore` says of a failure is so, costs little, and leaves nothing behind.
#include "tests/explore/tool.h"

TEST_CASE("strategies with wrong numbers are refused before anything runs") {
  for (const char* wrong : {"pct:99", "pct:0", "pct:2:0", "delays:65", "replay:5=1,4=1",
                            "replay:@/nonexistent", "round-robin:0"}) {
    for (const char* verb : {"explore", "run"}) {
      const std::string command = std::string("aclsim ") + verb + " --strategy " + wrong;
      const Result result = shell(command + " -- true");
      INFO(wrong << "\n" << result.text);
      CHECK(result.code == 2);
      CHECK_THAT(result.text, ContainsSubstring("is not valid; expected "));
    }
  }
  CHECK(explore("--runs 2 --strategy pct:2:1000000000", "true").code == 0);
  CHECK(shell("aclsim run --strategy round-robin:1000000000 -- true").code == 0);
}
