// SPDX-License-Identifier: Apache-2.0
// Operations of two communicators on one stream, which ranks call in different orders.
#include <fmt/format.h>

#include <iostream>

#include "tests/hccl/process_rank.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;
using support::TwoHosts;

namespace {

/// Two communicators of the same ranks, and a second stream for each.
struct TwoComms : OneThread {
  explicit TwoComms(std::uint32_t ranks) : OneThread(ranks), seconds(ranks), others(ranks) {
    std::vector<std::int32_t> devices;
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
      devices.push_back(static_cast<std::int32_t>(rank));
    must(HcclCommInitAll(ranks, devices.data(), seconds.data()) == HCCL_SUCCESS);
    each([&](std::uint32_t rank, HcclComm, aclrtStream) {
      must(aclrtCreateStream(&others[rank]) == ACL_SUCCESS);
      memory.push_back(ints(rank, std::vector<std::int32_t>(8000)));
      numbers.push_back(ints(rank, std::vector<std::int32_t>(4)));
      other_numbers.push_back(ints(rank, std::vector<std::int32_t>(4)));
    });
  }
  ~TwoComms() {
    each([&](std::uint32_t rank, HcclComm, aclrtStream) {
      aclrtDestroyStreamForce(others[rank]);
      HcclCommDestroy(seconds[rank]);
    });
  }
  void reduce(std::uint32_t rank, std::uint64_t count) {
    on(rank);
    CHECK(HcclAllReduce(memory[rank], memory[rank], count, kInt, kSum, comms[rank],
                        streams[rank]) == HCCL_SUCCESS);
  }
  void broadcast(std::uint32_t rank) { broadcast(rank, numbers[rank], streams[rank]); }
  void broadcast_beside(std::uint32_t rank) { broadcast(rank, other_numbers[rank], others[rank]); }

  std::vector<HcclComm> seconds;
  std::vector<aclrtStream> others;
  std::vector<std::int32_t*> memory;
  // The buffers of the broadcasts, by stream. Broadcasts of one stream run concurrently with
  // operations of the other.
  std::vector<std::int32_t*> numbers;
  std::vector<std::int32_t*> other_numbers;

 private:
  void broadcast(std::uint32_t rank, std::int32_t* buffer, aclrtStream stream) {
    on(rank);
    CHECK(HcclBroadcast(buffer, 4, kInt, 0, seconds[rank], stream) == HCCL_SUCCESS);
  }
};

void check_all_told(TwoComms& world) {
  for (std::uint32_t rank = 0; rank < world.ranks(); ++rank) {
    const auto [code, text] = world.synchronize(rank);
    CHECK(code == ACL_ERROR_RT_INTERNAL_ERROR);
    CHECK_THAT(text, ContainsSubstring("wait for each other") &&
                         ContainsSubstring("HcclAllReduce(count ") &&
                         ContainsSubstring("HcclBroadcast(count 4, int32, root 0) at "));
  }
}

}  // namespace

TEST_CASE(
    "operations of two communicators that share a stream in another order are told on all ranks",
    "[hccl][fail][interleaved]") {
  const std::uint64_t count = GENERATE(4, 8000);  // a small one, and a large one
  const std::uint32_t ranks = GENERATE(2, 3);
  const std::uint32_t odd = ranks - 1;
  CAPTURE(count, ranks);
  SECTION("one rank after the other") {
    TwoComms world(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      if (rank == odd) world.broadcast(rank);
      world.reduce(rank, count);
      if (rank != odd) world.broadcast(rank);
    }
    check_all_told(world);
  }
  SECTION("the second one of each when the first of all wait") {
    TwoComms world(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      rank == odd ? world.broadcast(rank) : world.reduce(rank, count);
    }
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      world.on(rank);
      CHECK(aclrtSynchronizeStreamWithTimeout(world.streams[rank], 1) ==
            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    }
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      rank == odd ? world.reduce(rank, count) : world.broadcast(rank);
    }
    check_all_told(world);
  }
}

TEST_CASE("two communicators go on in one order, and on streams of their own in any",
          "[hccl][interleaved]") {
  const std::uint32_t ranks = 3;
  TwoComms world(ranks);
  for (int round = 0; round < 20; ++round) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      world.reduce(rank, 4);
      world.broadcast(rank);
      world.reduce(rank, 8000);
    }
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      if (rank == 1) world.broadcast_beside(rank);
      world.reduce(rank, 4);
      if (rank != 1) world.broadcast_beside(rank);
    }
  }
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    CHECK(world.synchronize(rank).first == ACL_SUCCESS);
    world.on(rank);
    CHECK(aclrtSynchronizeStream(world.others[rank]) == ACL_SUCCESS);
  }
}

namespace {

/// Two communicators of the same ranks; the last one calls their operations the other way around.
CHILD_PROGRAM(interleaves) {
  const RankArguments arguments;
  HcclComm one = nullptr;
  must(HcclCommInitRootInfo(arguments.ranks, &arguments.info, arguments.rank, &one) ==
       HCCL_SUCCESS);
  std::vector<std::uint32_t> all;
  for (std::uint32_t rank = 0; rank < arguments.ranks; ++rank) all.push_back(rank);
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  HcclComm two = nullptr;
  must(HcclCreateSubCommConfig(&one, arguments.ranks, all.data(), 7, arguments.rank, &config,
                               &two) == HCCL_SUCCESS);
  aclrtStream stream = nullptr;
  must(aclrtCreateStream(&stream) == ACL_SUCCESS);
  void* memory = nullptr;
  must(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  must(aclrtMemset(memory, 64, 0, 64) == ACL_SUCCESS);
  const bool odd = arguments.rank + 1 == arguments.ranks;
  for (const bool first : {true, false}) {
    must(first == odd ? HcclBarrier(two, stream) == HCCL_SUCCESS
                      : HcclAllReduce(memory, memory, 4, kInt, kSum, one, stream) == HCCL_SUCCESS);
  }
  const aclError code = aclrtSynchronizeStreamWithTimeout(stream, 60000);
  std::cout << fmt::format("{} {}", code, message()) << std::endl;
  std::string word;
  std::cin >> word;
  HcclCommDestroy(two);
  HcclCommDestroy(one);
  aclrtDestroyStreamForce(stream);
  aclrtFree(memory);
  return 0;
}

}  // namespace

TEST_CASE("so are those of processes and of two hosts", "[hccl][fail][interleaved][hosts]") {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  for (const std::vector<int>& layout :
       {std::vector{0, 0}, std::vector{0, 1}, std::vector{0, 0, 1}}) {
    CAPTURE(layout);
    const RanksOfHosts ranks(*hosts, layout, "interleaves", 0);
    for (const auto& child : ranks.children) {
      CHECK_THAT(child->hear(), ContainsSubstring(std::to_string(ACL_ERROR_RT_INTERNAL_ERROR)) &&
                                    ContainsSubstring("wait for each other") &&
                                    ContainsSubstring("HcclBarrier at "));
    }
    for (const auto& child : ranks.children) child->say("end");
  }
}
