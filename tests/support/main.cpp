// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_RUNNER
#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/verdict.h"

// One program, two lives: the tests, or one of the child programs that tests start.
int main(int argc, char** argv) {
  int status = 0;
  if (support::is_child(status)) return status;
  const int failed = Catch::Session().run(argc, argv);
  return failed != 0 ? failed : support::verdict();
}
