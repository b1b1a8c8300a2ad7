// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/all_processors.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace sim {
namespace {

bool membarrier(int command) noexcept { return syscall(SYS_membarrier, command, 0, 0) == 0; }

}  // namespace

bool can_order_all_processors() noexcept {
  static const bool can = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  return can;
}

// A child process may have to register again. If the program has since forbidden itself the call,
// this sleeps for longer than any processor keeps a store to itself.
void order_all_processors() noexcept {
  if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
  if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace sim
