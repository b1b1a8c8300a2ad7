// SPDX-License-Identifier: Apache-2.0
// counted FILE: adds a line to the file: the process, its parent, and a number that the kernel
// draws each time it loads the program. Fails from seed 9 on.
#include <pthread.h>
#include <signal.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "bug.h"

namespace {

void add_line(const char* file) {
  std::uint64_t load = 0;
  std::memcpy(&load, reinterpret_cast<const void*>(::getauxval(AT_RANDOM)), sizeof load);
  std::ofstream(file, std::ios::app) << ::getpid() << ' ' << ::getppid() << ' ' << load << '\n';
}

void ignore(int) {}

}  // namespace

int main(int, char** argv) {
  add_line(argv[1]);
  Machine machine;
  machine.stream();
  // The C library must also have the process's own id.
  ::signal(SIGUSR1, &ignore);
  if (::pthread_kill(::pthread_self(), SIGUSR1) != 0) return 2;
  const char* const seed = std::getenv("ACLSIM_SEED");
  if (std::getenv("ACLSIM_FORK_SERVER") || !seed) return 3;
  if (std::atoi(seed) >= 9) std::abort();
  return 0;
}
