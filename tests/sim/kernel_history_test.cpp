// SPDX-License-Identifier: Apache-2.0
#include "device_sim/drivers/kernel_history.h"

#include "tests/support/catch.h"

using sim::KernelHistory;

namespace {

const char functions[2] = {};

void note(KernelHistory& history, sim::Nanoseconds took, unsigned times) {
  for (unsigned i = 0; i < times; ++i) history.note(functions, took);
}

}  // namespace

TEST_CASE("a kernel is trusted once it was quick so often in a row", "[sim][kernel-history]") {
  KernelHistory history;
  CHECK_FALSE(history.trusts(functions));
  note(history, KernelHistory::kQuickNs - 1, KernelHistory::kRunsToTrust - 1);
  CHECK_FALSE(history.trusts(functions));
  note(history, KernelHistory::kQuickNs - 1, 1);
  CHECK(history.trusts(functions));
  CHECK_FALSE(history.trusts(functions + 1));
  note(history, KernelHistory::kQuickNs, 1);
  CHECK_FALSE(history.trusts(functions));
}

TEST_CASE("a kernel pays a thread while it is not trusted, and where it last took long enough",
          "[sim][kernel-history]") {
  KernelHistory history;
  CHECK(history.pays_a_thread(functions));
  note(history, KernelHistory::kPaysNs - 1, KernelHistory::kRunsToTrust);
  CHECK_FALSE(history.pays_a_thread(functions));
  note(history, KernelHistory::kPaysNs, 1);
  CHECK(history.trusts(functions));
  CHECK(history.pays_a_thread(functions));
  note(history, KernelHistory::kPaysNs - 1, 1);
  CHECK_FALSE(history.pays_a_thread(functions));
}
