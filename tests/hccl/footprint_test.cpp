// SPDX-License-Identifier: Apache-2.0
// The memory and the libraries that communicators cost a process.
#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <vector>

#include "hccl/hccl_res.h"
#include "tests/hccl/process_rank.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"

using namespace hccltest;

namespace {

/// The resident memory of this process in bytes: touched pages, and the contents of its memory
/// files.
std::uint64_t resident_bytes() {
  std::uint64_t bytes = 0;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) bytes = std::stoull(line.substr(6)) * 1024;
  }
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    struct stat file {};
    const bool there = stat(entry.path().c_str(), &file) == 0;
    if (there && S_ISREG(file.st_mode) && file.st_nlink == 0)
      bytes += 512 * static_cast<std::uint64_t>(file.st_blocks);
  }
  return bytes;
}

std::uint64_t free_bytes() {
  std::size_t free = 0, total = 0;
  must(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total) == ACL_SUCCESS);
  return free;
}

/// Communicators on devices that are open, and their buffers, which take memory that is not yet
/// touched.
CHILD_PROGRAM(takes_default_buffers) {
  constexpr std::uint32_t kRanks = 8;
  constexpr std::uint64_t kBuffer = std::uint64_t{2 * HCCL_COMM_DEFAULT_BUFFSIZE} << 20;
  constexpr std::uint64_t kLittle = 16 << 20;  // half a hundredth of all buffers
  std::vector<std::int32_t> devices;
  std::vector<aclrtStream> streams(kRanks);
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    devices.push_back(static_cast<std::int32_t>(rank));
    must(aclrtSetDevice(devices.back()) == ACL_SUCCESS);
    must(aclrtCreateStream(&streams[rank]) == ACL_SUCCESS);
  }
  const std::uint64_t before = resident_bytes();
  std::vector<HcclComm> comms(kRanks);
  must(HcclCommInitAll(kRanks, devices.data(), comms.data()) == HCCL_SUCCESS);
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    must(aclrtSetDevice(devices[rank]) == ACL_SUCCESS);
    const std::uint64_t free = free_bytes();
    void* buffer = nullptr;
    std::uint64_t bytes = 0;
    must(HcclGetHcclBuffer(comms[rank], &buffer, &bytes) == HCCL_SUCCESS);
    CHILD_EXPECT(bytes == kBuffer);
    CHILD_EXPECT(free - free_bytes() >= kBuffer);
  }
  const std::uint64_t after = resident_bytes();
  std::cout << fmt::format("{} KiB more in memory\n", (after - before) / 1024);
  CHILD_EXPECT(after < before + kLittle);
  return 0;
}

/// "UCX" if that is loaded, after a collective.
CHILD_PROGRAM(says_what_is_loaded) {
  const auto loaded = [] {
    std::ostringstream maps;
    maps << std::ifstream("/proc/self/maps").rdbuf();
    return maps.str().find("/libucp") != std::string::npos ? "UCX" : "no UCX";
  };
  const Joined rank;
  StreamWithMemory work;
  for (const std::uint64_t count : {4, 200'000}) work.add_up(count, rank.comm);
  std::cout << work.synchronize() << loaded() << std::endl;
  return 0;
}

}  // namespace

TEST_CASE("buffers of communicators are addresses, until they are used", "[hccl]") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  WARN("skipped: sanitizers have memory of their own");
#else
  const support::ChildResult result = support::run_child("takes_default_buffers");
  INFO(result.output);
  CHECK(result.clean());
#endif
}

TEST_CASE("ranks of one host do without UCX, which those of several load", "[hccl][hosts]") {
  for (const auto& rank : start_ranks_here(2, "says_what_is_loaded"))
    CHECK(rank->hear() == "0 no UCX");
  const auto hosts = support::TwoHosts::make();
  if (!hosts) return;
  const RanksOfHosts ranks(*hosts, {0, 0, 1}, "says_what_is_loaded", 0);
  for (const auto& rank : ranks.children) CHECK(rank->hear() == "0 UCX");
}
