// SPDX-License-Identifier: Apache-2.0
#include "tests/support/verdict.h"

#include <atomic>
#include <cstdio>

namespace support {
namespace {
std::atomic<int> failures{0};
}

void fail_run(const std::string& reason) {
  failures = 1;
  std::fprintf(stderr, "FAILED: %s\n", reason.c_str());
}

int verdict() { return failures; }

}  // namespace support
