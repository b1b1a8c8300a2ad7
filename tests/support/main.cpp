// SPDX-License-Identifier: Apache-2.0
#define CATCH_CONFIG_RUNNER
#include <cstdio>

#include "tests/support/catch.h"
#include "tests/support/child.h"
#include "tests/support/share.h"
#include "tests/support/verdict.h"

// The program runs the tests, or one of the child programs that tests start.
// UCX is not built with the sanitizers: they ignore races between its threads, and memory that it
// keeps until the process exits. The sanitizers find these functions only if they are exported.
extern "C" const char* __tsan_default_suppressions();
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions() {
  // The writes of a process of another host through fabric::obey are ordered by messages that pass
  // through other processes, which ThreadSanitizer does not see. Kernels with a planted mistake
  // read memory that another core of the group writes: nothing orders them, as on hardware.
  return "race:libucs.so\nrace:fabric::obey\nrace:ascendc::GroupMemory::receive\nmutex:_dl_call_"
         "fini\ncalled_from_lib:libucs."
         "so\ncalled_from_lib:libuct.so\ncalled_from_lib:libucp.so\n";
}
extern "C" const char* __lsan_default_suppressions();
extern "C" __attribute__((visibility("default"))) const char* __lsan_default_suppressions() {
  return "leak:libucs.so\nleak:libuct.so\nleak:libucp.so\n";
}

int main(int argc, char** argv) {
  int status = 0;
  if (support::is_child(status)) return status;
  if (!support::row_in_share()) {
    std::puts("skipped: this run is in another share");
    return support::kSkipped;
  }
  support::keep_run_settings();
  // Catch2's status counts failures, so it might be kSkipped.
  return Catch::Session().run(argc, argv) != 0 ? 1 : support::verdict();
}
