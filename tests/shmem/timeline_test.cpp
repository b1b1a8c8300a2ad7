// SPDX-License-Identifier: Apache-2.0
// Timelines of calls that need no task.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "shmem/shmem_device.h"
#include "tests/shmem/world.h"

using namespace shmemtest;

CHILD_PROGRAM(shmem_seen) {
  return as_pe([] {
    const InJob job;
    auto* const data = static_cast<std::int64_t*>(aclshmem_calloc(64, 8));
    auto* const from = static_cast<std::int64_t*>(aclshmem_calloc(64, 8));
    auto* const word = static_cast<std::int32_t*>(aclshmem_calloc(2, 4));
    const int other = job.pes - 1 - job.me;
    write(from, std::vector<std::int64_t>(64, job.me + 1));
    aclshmem_putmem_nbi(data, from, 256, other);
    aclshmem_putmem_nbi(data + 32, from, 256, other);
    aclshmem_barrier_all();
    expect(read(data, 64) == std::vector<std::int64_t>(64, other + 1), "puts");
    aclshmemx_putmem_signal(data, data, 0, word, 7, ACLSHMEM_SIGNAL_SET, other);
    aclshmem_signal_wait_until(word, ACLSHMEM_CMP_EQ, 7);
    expect(aclshmem_int64_g(from, other) == other + 1, "get");
    expect(aclshmem_int64_atomic_swap(from + 1, 5, job.me) == job.me + 1, "atomic");
    aclshmem_int64_p(data, 9, job.me);
    expect(read(data, 1)[0] == 9, "p");
    aclshmem_barrier(99);
    expect(message().find("team 99") != std::string::npos, "a team that does not exist");
    aclshmem_barrier_all();
    aclshmem_finalize();
  });
}

TEST_CASE("a timeline shows transfers, signals, waits and barriers of the host",
          "[shmem][timeline]") {
  const auto folder =
      std::filesystem::temp_directory_path() / ("aclsim-shmem-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  Job job("shmem_seen", 2, {{"ACLSIM_TIMELINE", (folder / "%p.json").string()}});
  job.check_all_say("ok");
  for (auto& pe : job.processes) CHECK(pe->hear() == "(nothing)");  // it has ended
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    std::ostringstream text;
    text << std::ifstream(file.path()).rdbuf();
    for (const char* const name : {"shmem put", "shmem put signal", "shmem barrier", "shmem wait",
                                   "shmem get", "shmem atomic"}) {
      INFO(file.path() << " " << name);
      CHECK(text.str().find('"' + std::string(name) + '"') != std::string::npos);
    }
    ++files;
  }
  CHECK(files == 2);
  std::filesystem::remove_all(folder);
}
