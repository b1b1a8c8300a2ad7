// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/findings/exit_code.h"

#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

namespace acl {
namespace {

constexpr int kRuns = -1;  // the program has not called exit()

std::atomic<bool> fails{false};
std::atomic<int> status_of_program{kRuns};

void decide() {
  if (status_of_program != 0 || !fails) return;
  std::fflush(nullptr);
  _exit(1);
}

// Handlers run in the opposite order. If the library was loaded with the program, this one runs
// after the end of all libraries; if dlopen() loaded it, before that.
[[gnu::constructor]] void come_last() {
  on_exit(
      [](int status, void*) {
        status_of_program = status;
        decide();
      },
      nullptr);
}

}  // namespace

void fail_at_exit() noexcept { fails = true; }

void end_after_program() noexcept { decide(); }

}  // namespace acl
