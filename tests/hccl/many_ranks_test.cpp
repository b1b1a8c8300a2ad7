// SPDX-License-Identifier: Apache-2.0
// As many ranks as a job of eight servers has, on one host with as many devices; and without them.
#include <fmt/format.h>

#include <atomic>
#include <iostream>
#include <numeric>

#include "tests/hccl/process_rank.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;
using support::RunningChild;

namespace {

constexpr std::uint32_t kRanks = 64;
constexpr std::uint32_t kCount = 5000;  // more than goes over a board
const support::Environment kDevices = {{"ACLSIM_DEVICES", "64"}};

std::vector<std::int32_t> numbers_of(std::uint32_t rank) {
  std::vector<std::int32_t> numbers(kCount);
  std::iota(numbers.begin(), numbers.end(), static_cast<std::int32_t>(rank));
  return numbers;
}

std::string difference(const std::vector<std::int32_t>& sums, std::uint32_t rank,
                       std::uint32_t ranks) {
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const std::uint32_t wanted = ranks * i + ranks * (ranks - 1) / 2;
    if (sums[i] != static_cast<std::int32_t>(wanted)) {
      return fmt::format("rank {}: sum {} is {}, not {}", rank, i, sums[i], wanted);
    }
  }
  return "right";
}

CHILD_PROGRAM(sums_of_one_process) {
  OneThread world(kRanks);
  std::vector<std::int32_t*> memory;
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    memory.push_back(world.ints(rank, numbers_of(rank)));
  }
  world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    must(HcclAllReduce(memory[rank], memory[rank], kCount, kInt, kSum, comm, stream) ==
         HCCL_SUCCESS);
  });
  std::string said = "right";
  for (std::uint32_t rank = 0; rank < kRanks && said == "right"; ++rank) {
    said = world.synchronize(rank).second;
    if (said.empty()) said = difference(OneThread::read(memory[rank], kCount), rank, kRanks);
  }
  std::cout << said << std::endl;
  return 0;
}

/// Runs the calling thread as a rank: sums, then a barrier, at which threads count each other.
/// Returns "right" or the first difference.
std::string sums_of_rank(const HcclRootInfo& info, std::uint32_t rank, std::uint32_t ranks,
                         std::atomic<std::uint32_t>* came = nullptr) {
  HcclComm comm = nullptr;
  if (HcclCommInitRootInfo(ranks, &info, rank, &comm) != HCCL_SUCCESS) return message();
  void* memory = nullptr;
  constexpr std::size_t kSumBytes = kCount * sizeof(std::int32_t);
  must(aclrtMalloc(&memory, kSumBytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  const auto numbers = numbers_of(rank);
  must(aclrtMemcpy(memory, kSumBytes, numbers.data(), kSumBytes, ACL_MEMCPY_HOST_TO_DEVICE) ==
       ACL_SUCCESS);
  aclrtStream stream = nullptr;
  must(aclrtCreateStream(&stream) == ACL_SUCCESS);
  must(HcclAllReduce(memory, memory, kCount, kInt, kSum, comm, stream) == HCCL_SUCCESS);
  std::string said;
  if (aclrtSynchronizeStream(stream) != ACL_SUCCESS) said = message();
  if (came) ++*came;
  must(HcclBarrier(comm, stream) == HCCL_SUCCESS);
  if (aclrtSynchronizeStream(stream) != ACL_SUCCESS) said = message();
  if (came && *came != ranks) said = fmt::format("rank {} passed the barrier alone", rank);
  std::vector<std::int32_t> sums(kCount);
  aclrtMemcpy(sums.data(), kSumBytes, memory, kSumBytes, ACL_MEMCPY_DEVICE_TO_HOST);
  HcclCommDestroy(comm);
  aclrtDestroyStream(stream);
  aclrtFree(memory);
  return said.empty() ? difference(sums, rank, ranks) : said;
}

CHILD_PROGRAM(sums_of_many_processes) {
  const RankArguments arguments;
  std::cout << sums_of_rank(arguments.info, arguments.rank, arguments.ranks) << std::endl;
  return 0;
}

CHILD_PROGRAM(sums_of_many_threads) {
  HcclRootInfo info;
  must(aclrtSetDevice(0) == ACL_SUCCESS && HcclGetRootInfo(&info) == HCCL_SUCCESS);
  std::atomic<std::uint32_t> came = 0;
  const auto said = as_threads(
      kRanks, [&](std::uint32_t rank) { return sums_of_rank(info, rank, kRanks, &came); });
  for (const std::string& each : said) std::cout << each << std::endl;
  aclrtResetDevice(0);
  return 0;
}

}  // namespace

TEST_CASE("64 ranks of one thread add up their numbers", "[hccl][many]") {
  RunningChild child("sums_of_one_process", kDevices);
  CHECK(child.hear() == "right");
}

TEST_CASE("64 ranks that are threads add up their numbers, and wait for each other at a barrier",
          "[hccl][many]") {
  RunningChild child("sums_of_many_threads", kDevices);
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) CHECK(child.hear() == "right");
}

TEST_CASE("64 ranks that are processes add up their numbers", "[hccl][many]") {
  constexpr std::uint32_t kProcesses = kThreadSanitizer ? 12 : kRanks;
  const auto children = start_ranks_here(kProcesses, "sums_of_many_processes", kDevices);
  for (const auto& child : children) CHECK(child->hear() == "right");
}

TEST_CASE("ranks for which there are no devices are refused, with what gives more",
          "[hccl][many]") {
  std::vector<std::int32_t> devices(kRanks);
  std::iota(devices.begin(), devices.end(), 0);
  std::vector<HcclComm> comms(kRanks);
  const OnDevice device(0);
  CHECK(HcclCommInitAll(kRanks, devices.data(), comms.data()) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("ACLSIM_DEVICES"));
  CHECK(aclrtSetDevice(63) == ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK_THAT(message(), ContainsSubstring("ACLSIM_DEVICES"));
}

TEST_CASE("ranks that are threads and get no device are refused each, with what gives more",
          "[hccl][many]") {
  HcclRootInfo info;
  {
    const OnDevice device(0);
    REQUIRE(HcclGetRootInfo(&info) == HCCL_SUCCESS);
  }
  const auto said = as_threads(kRanks, [&](std::uint32_t rank) -> std::string {
    if (rank < 8) return "has one";
    const aclError code = aclrtSetDevice(static_cast<int>(rank));
    const std::string text = message();
    HcclComm comm = nullptr;
    const HcclResult joined = HcclCommInitRootInfo(kRanks, &info, rank, &comm);
    return fmt::format("{} {} {} {}", code, text, static_cast<int>(joined), message());
  });
  const std::string refused = fmt::format("{} aclrtSetDevice: ", ACL_ERROR_RT_INVALID_DEVICEID);
  for (std::uint32_t rank = 8; rank < kRanks; ++rank) {
    CHECK_THAT(
        said[rank],
        ContainsSubstring(fmt::format("deviceId is {}; expected 0 to 7 (ACLSIM_DEVICES", rank)) &&
            ContainsSubstring(refused) &&
            ContainsSubstring(fmt::format("{} HcclCommInitRootInfo: this thread has no device",
                                          static_cast<int>(HCCL_E_RUNTIME))));
  }
}
