// SPDX-License-Identifier: Apache-2.0
// counted FILE: adds a line to the file for each start of the program and each main(), and fails from
// seed 9 on in a way that only the process itself can bring about.
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>

#include "bug.h"

namespace {

void add_line(const char* file, const char* what) {
  std::ofstream(file, std::ios::app) << what << ' ' << ::getpid() << ' ' << ::getppid() << '\n';
}

void ignore(int) {}

}  // namespace

int main(int, char** argv) {
  add_line(argv[1], "main");
  Machine machine;
  machine.stream();
  // Its own number, as the C library knows it.
  ::signal(SIGUSR1, &ignore);
  if (::pthread_kill(::pthread_self(), SIGUSR1) != 0) return 2;
  const char* const seed = std::getenv("ACLSIM_SEED");
  if (std::getenv("ACLSIM_FORK_SERVER") || !seed) return 3;
  if (std::atoi(seed) >= 9) std::abort();
  return 0;
}
