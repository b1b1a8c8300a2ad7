// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <string>

#include "device_sim/base/error.h"
#include "device_sim/base/owned_fd.h"
#include "tests/support/catch.h"

namespace {

constexpr std::size_t kMemory = std::size_t{64} << 20;
constexpr rlim_t kLimit = 1 << 20;

/// In a process of its own, with files of 1 MiB at most; its exit code.
template <class Body>
int in_child(rlim_t hard, Body body) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{kLimit, hard};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(100);
    _exit(body());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("device memory may be larger than the soft limit of the size of files") {
  CHECK(in_child(RLIM_INFINITY, [] {
          const sim::OwnedFd file = sim::make_memory_file("memory", kMemory);
          struct stat info {};
          if (fstat(file.get(), &info) != 0 || info.st_size != static_cast<off_t>(kMemory))
            return 1;
          rlimit limit{};
          getrlimit(RLIMIT_FSIZE, &limit);
          return limit.rlim_cur == kLimit ? 0 : 2;  // as it was
        }) == 0);
}

TEST_CASE("device memory above the hard limit of the size of files is an error and no signal") {
  CHECK(in_child(kLimit, [] {
          try {
            const sim::OwnedFd file = sim::make_memory_file("memory", kMemory);
            return 1;
          } catch (const sim::MachineError& error) {
            const std::string text = error.what();
            return text.find("67108864 bytes") != text.npos && text.find("ulimit -f") != text.npos
                       ? 0
                       : 2;
          }
        }) == 0);
}
