// SPDX-License-Identifier: Apache-2.0
// The process id that the program reads before main() must be its own, else it ends with 7. Ends
// with 9 from seed 9 on.
#include <unistd.h>

#include "bug.h"

namespace {

pid_t process = 0;

void learn(int, char**, char**) { process = ::getpid(); }

[[gnu::section(".preinit_array"), gnu::used]] void (*early)(int, char**, char**) = &learn;

}  // namespace

int main() {
  if (process != ::getpid()) return 7;
  Machine machine;
  to_device(machine.device(), machine.host(1), machine.stream());
  return std::atoi(std::getenv("ACLSIM_SEED")) >= 9 ? 9 : 0;
}
