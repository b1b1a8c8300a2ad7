// SPDX-License-Identifier: Apache-2.0
// Operations that do not match, and ranks that do not arrive, die or give up: every rank reports
// it.
#include <fmt/format.h>

#include <iostream>

#include "tests/hccl/process_rank.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"
#include "tests/support/shared_memory.h"
#include "tests/support/waiting.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;
using support::RunningChild;

namespace {

/// Each rank fails, with a text that has these parts.
void check_all_fail(OneThread& world, aclError code, const std::vector<std::string>& parts) {
  for (std::uint32_t rank = 0; rank < world.ranks(); ++rank) {
    const auto [got, text] = world.synchronize(rank);
    CHECK(got == code);
    for (const std::string& part : parts) CHECK_THAT(text, ContainsSubstring(part));
  }
}

HcclResult async_error(HcclComm comm) {
  HcclResult error = HCCL_E_RESERVED;
  CHECK(HcclGetCommAsyncError(comm, &error) == HCCL_SUCCESS);
  return error;
}

}  // namespace

TEST_CASE("different operations are told on all ranks, with who called what where",
          "[hccl][fail]") {
  OneThread world(3);
  world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    std::int32_t* const memory = world.ints(rank, {1, 2, 3, 4});
    if (rank == 2) {
      CHECK(HcclBroadcast(memory, 4, kInt, 1, comm, stream) == HCCL_SUCCESS);
    } else {
      CHECK(HcclAllReduce(memory, memory, 4, kInt, kSum, comm, stream) == HCCL_SUCCESS);
    }
  });
  check_all_fail(world, ACL_ERROR_RT_INTERNAL_ERROR,
                 {"called HcclAllReduce(count 4, int32, sum) at ",
                  "rank 2 called HcclBroadcast(count 4, int32, root 1) at ", "operation 1"});
  world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    CHECK(async_error(comm) == HCCL_E_PARA);
    CHECK(HcclBarrier(comm, stream) == HCCL_SUCCESS);  // nothing goes on with this communicator
    CHECK(world.synchronize(rank).first == ACL_ERROR_RT_INTERNAL_ERROR);
  });
}

TEST_CASE("counts, types, reductions and roots have to be the same", "[hccl][fail]") {
  const auto check = [](auto&& odd, const char* text) {
    OneThread world(2);
    world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
      std::int32_t* const memory = world.ints(rank, std::vector<std::int32_t>(16));
      CHECK((rank == 1
                 ? odd(memory, comm, stream)
                 : HcclReduce(memory, memory, 4, kInt, kSum, 0, comm, stream)) == HCCL_SUCCESS);
    });
    check_all_fail(world, ACL_ERROR_RT_INTERNAL_ERROR,
                   {"HcclReduce(count 4, int32, sum, root 0)", text});
  };
  check([](auto* m, auto c, auto s) { return HcclReduce(m, m, 5, kInt, kSum, 0, c, s); },
        "HcclReduce(count 5, int32, sum, root 0)");
  check([](auto* m, auto c,
           auto s) { return HcclReduce(m, m, 4, HCCL_DATA_TYPE_FP32, kSum, 0, c, s); },
        "HcclReduce(count 4, fp32, sum, root 0)");
  check([](auto* m, auto c, auto s) { return HcclReduce(m, m, 4, kInt, HCCL_REDUCE_MAX, 0, c, s); },
        "HcclReduce(count 4, int32, max, root 0)");
  check([](auto* m, auto c, auto s) { return HcclReduce(m, m, 4, kInt, kSum, 1, c, s); },
        "HcclReduce(count 4, int32, sum, root 1)");
}

TEST_CASE("a small collective and a large one are told from each other", "[hccl][fail]") {
  for (const std::uint32_t large : {0, 1}) {
    OneThread world(2);
    world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
      std::int32_t* const memory = world.ints(rank, std::vector<std::int32_t>(5000));
      const std::uint64_t count = rank == large ? 5000 : 4;
      CHECK(HcclAllReduce(memory, memory, count, kInt, kSum, comm, stream) == HCCL_SUCCESS);
    });
    check_all_fail(world, ACL_ERROR_RT_INTERNAL_ERROR,
                   {"HcclAllReduce(count 4, int32, sum) at ",
                    "HcclAllReduce(count 5000, int32, sum) at ", "operation 1"});
  }
}

TEST_CASE("operations in another order are told, whatever the streams", "[hccl][fail]") {
  OneThread world(2);
  world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    aclrtStream other = nullptr;
    REQUIRE(aclrtCreateStream(&other) == ACL_SUCCESS);
    std::int32_t* const memory = world.ints(rank, std::vector<std::int32_t>(8));
    const auto reduce = [&](aclrtStream on) {
      return HcclAllReduce(memory, memory, 8, kInt, kSum, comm, on);
    };
    if (rank == 0) CHECK(reduce(stream) == HCCL_SUCCESS);
    CHECK(HcclBarrier(comm, rank == 0 ? other : stream) == HCCL_SUCCESS);
    if (rank == 1) CHECK(reduce(other) == HCCL_SUCCESS);
  });
  check_all_fail(world, ACL_ERROR_RT_INTERNAL_ERROR, {"HcclAllReduce", "HcclBarrier", "order"});
}

TEST_CASE("what is sent to a rank has to be what it expects", "[hccl][fail]") {
  OneThread world(2);
  world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    std::int32_t* const from = world.ints(rank, std::vector<std::int32_t>(8));
    std::int32_t* const to = world.ints(rank, std::vector<std::int32_t>(8));
    const std::uint64_t counts[] = {2, 2};
    const std::uint64_t wrong[] = {2, 3};
    const std::uint64_t offsets[] = {0, 3};
    CHECK(HcclAlltoAllV(from, counts, offsets, kInt, to, rank == 0 ? wrong : counts, offsets, kInt,
                        comm, stream) == HCCL_SUCCESS);
  });
  check_all_fail(world, ACL_ERROR_RT_INTERNAL_ERROR,
                 {"sends 8 bytes to rank 0", "expects 12", "HcclAlltoAllV"});
}

TEST_CASE("counts that ranks have to give alike are told", "[hccl][fail]") {
  const std::uint32_t ranks = GENERATE(2, 6);
  OneThread world(ranks);
  world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    std::int32_t* const from = world.ints(rank, std::vector<std::int32_t>(8));
    std::int32_t* const to = world.ints(rank, std::vector<std::int32_t>(64));
    std::vector<std::uint64_t> counts(ranks, 3), offsets;
    if (rank == 0) counts.back() = 5;
    for (std::uint64_t i = 0; i < ranks; ++i) offsets.push_back(i * 8);
    CHECK(HcclAllGatherV(from, counts[rank], to, counts.data(), offsets.data(), kInt, comm,
                         stream) == HCCL_SUCCESS);
  });
  if (ranks == 2) {
    check_all_fail(
        world, ACL_ERROR_RT_INTERNAL_ERROR,
        {"HcclAllGatherV(int32, counts [3, 5])", "HcclAllGatherV(int32, counts [3, 3])"});
  } else {
    check_all_fail(world, ACL_ERROR_RT_INTERNAL_ERROR,
                   {"HcclAllGatherV(int32, counts [3, 3, 3, 3 and 2 more, digest "});
  }
}

TEST_CASE("a receive that does not fit its send is told to both", "[hccl][fail]") {
  OneThread world(2);
  world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    std::int32_t* const memory = world.ints(rank, std::vector<std::int32_t>(8));
    CHECK((rank == 0 ? HcclSend(memory, 7, kInt, 1, comm, stream)
                     : HcclRecv(memory, 8, kInt, 0, comm, stream)) == HCCL_SUCCESS);
  });
  check_all_fail(
      world, ACL_ERROR_RT_INTERNAL_ERROR,
      {"send 1 from rank 0 to rank 1", "HcclSend(count 7, int32)", "HcclRecv(count 8, int32)"});
}

TEST_CASE("a rank that does not come in time is named", "[hccl][fail]") {
  const Variable limit("HCCL_EXEC_TIMEOUT", "1");
  OneThread world(3);
  std::vector<std::int32_t*> memory;
  for (std::uint32_t rank = 0; rank < 3; ++rank) memory.push_back(world.ints(rank, {1, 2}));
  const auto reduce = [&](std::uint32_t rank) {
    world.on(rank);
    return HcclAllReduce(memory[rank], memory[rank], 2, kInt, kSum, world.comms[rank],
                         world.streams[rank]);
  };
  CHECK(reduce(0) == HCCL_SUCCESS);
  CHECK(reduce(1) == HCCL_SUCCESS);
  const auto [code, text] = world.synchronize(0);
  CHECK(code == ACL_ERROR_RT_WAIT_TIMEOUT);
  CHECK_THAT(text, ContainsSubstring("waited for rank 2 longer than 1 s"));
  CHECK_THAT(text, ContainsSubstring("HcclAllReduce(count 2, int32, sum) at "));
  CHECK(world.synchronize(1).first == ACL_ERROR_RT_WAIT_TIMEOUT);
  CHECK(reduce(2) == HCCL_SUCCESS);  // too late
  CHECK_THAT(world.synchronize(2).second, ContainsSubstring("waited for rank 2"));
}

TEST_CASE("a stream that is aborted takes its operations with it, and the others learn it",
          "[hccl][fail]") {
  OneThread world(2);
  std::int32_t* const memory = world.ints(0, {1, 2});
  world.on(0);
  CHECK(HcclAllReduce(memory, memory, 2, kInt, kSum, world.comms[0], world.streams[0]) ==
        HCCL_SUCCESS);
  CHECK(aclrtStreamAbort(world.streams[0]) == ACL_SUCCESS);
  std::int32_t* const other = world.ints(1, {1, 2});
  CHECK(HcclAllReduce(other, other, 2, kInt, kSum, world.comms[1], world.streams[1]) ==
        HCCL_SUCCESS);
  const auto [code, text] = world.synchronize(1);
  CHECK(code == ACL_ERROR_RT_STREAM_ABORT);
  CHECK_THAT(text, ContainsSubstring("rank 0 gave up: ") && ContainsSubstring("HcclAllReduce"));
}

TEST_CASE("who waits for a rank that has destroyed its communicator is told", "[hccl][fail]") {
  OneThread world(2);
  std::int32_t* const memory = world.ints(0, {1, 2});
  world.on(0);
  CHECK(HcclAllReduce(memory, memory, 2, kInt, kSum, world.comms[0], world.streams[0]) ==
        HCCL_SUCCESS);
  world.on(1);
  CHECK(HcclCommDestroy(world.comms[1]) == HCCL_SUCCESS);
  CHECK_THAT(world.synchronize(0).second,
             ContainsSubstring("rank 1 has destroyed its communicator"));
}

TEST_CASE("a rank that has what it needs may go while others still wait for each other",
          "[hccl][fail]") {
  OneThread world(3);
  std::vector<std::int32_t*> memory;
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    memory.push_back(world.ints(rank, std::vector<std::int32_t>(3000, 1)));
  }
  const auto reduce = [&](std::uint32_t rank) {
    world.on(rank);
    return HcclReduce(memory[rank], memory[rank], 4, kInt, kSum, 2, world.comms[rank],
                      world.streams[rank]);
  };
  const auto send = [&](std::uint32_t rank) {
    world.on(rank);
    return rank == 1 ? HcclSend(memory[1], 3000, kInt, 2, world.comms[1], world.streams[1])
                     : HcclRecv(memory[2], 3000, kInt, 1, world.comms[2], world.streams[2]);
  };
  for (const std::uint32_t rank : {2u, 1u, 0u}) CHECK(reduce(rank) == HCCL_SUCCESS);
  CHECK(send(2) == HCCL_SUCCESS);
  CHECK(world.synchronize(0).second == "");
  CHECK(HcclCommDestroy(world.comms[0]) == HCCL_SUCCESS);
  CHECK(aclrtSynchronizeStreamWithTimeout(world.streams[0], 100) == ACL_SUCCESS);
  CHECK(send(1) == HCCL_SUCCESS);
  CHECK(world.synchronize(2).second == "");
  CHECK(OneThread::read(memory[2], 1).front() == 1);
}

TEST_CASE("what was enqueued before a communicator is destroyed still completes", "[hccl][fail]") {
  OneThread world(2);
  std::vector<std::int32_t*> memory;
  for (std::uint32_t rank = 0; rank < 2; ++rank) memory.push_back(world.ints(rank, {3, 4}));
  world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    CHECK(HcclAllReduce(memory[rank], memory[rank], 2, kInt, kSum, comm, stream) == HCCL_SUCCESS);
    CHECK(HcclCommDestroy(comm) == HCCL_SUCCESS);
  });
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    CHECK(world.synchronize(rank).second == "");
    CHECK(OneThread::read(memory[rank], 2) == std::vector<std::int32_t>{6, 8});
  }
}

// ---- processes ----

namespace {

/// Reads the root info, joins as rank 1, then does what lines say.
CHILD_PROGRAM(rank_that_may_die) {
  std::string hex;
  std::cin >> hex;
  aclrtSetDevice(1);
  const HcclRootInfo info = root_info_of(hex);
  HcclComm comm = nullptr;
  if (HcclCommInitRootInfo(2, &info, 1, &comm) != HCCL_SUCCESS) return 1;
  std::cout << "joined" << std::endl;
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  void* memory = nullptr;
  aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
  std::string line;
  while (std::cin >> line) {
    if (line == "broadcast") HcclBroadcast(memory, 4, kInt, 0, comm, stream);
    if (line == "synchronize") {
      const bool right = aclrtSynchronizeStream(stream) == ACL_SUCCESS;
      std::string text = right ? "right" : message();
      std::cout << text.substr(0, text.find('\n')) << std::endl;
    }
  }
  return 0;
}

struct WithChild {
  explicit WithChild(const std::string& faults = "")
      : child("rank_that_may_die", {{"ACLSIM_FAULTS", faults}}) {
    HcclRootInfo info;
    REQUIRE(HcclGetRootInfo(&info) == HCCL_SUCCESS);
    child.say(hex_of(info));
    REQUIRE(HcclCommInitRootInfo(2, &info, 0, &comm) == HCCL_SUCCESS);
    REQUIRE(child.hear() == "joined");
    REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
    REQUIRE(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  }
  ~WithChild() {
    aclrtDestroyStreamForce(stream);
    aclrtFree(memory);
    HcclCommDestroy(comm);
  }
  OnDevice device{0};
  RunningChild child;
  HcclComm comm = nullptr;
  aclrtStream stream = nullptr;
  void* memory = nullptr;
};

}  // namespace

TEST_CASE("a fault of a collective fails its rank, and the others are told", "[hccl][fail]") {
  WithChild with("task,op=collective,name=HcclBroadcast*,code=507000");
  with.child.say("broadcast");
  CHECK(HcclBroadcast(with.memory, 4, kInt, 0, with.comm, with.stream) == HCCL_SUCCESS);
  CHECK_THAT(with.child.ask("synchronize"), ContainsSubstring("injected by fault 1"));
  CHECK(aclrtSynchronizeStreamWithTimeout(with.stream, 60000) == ACL_ERROR_RT_STREAM_ABORT);
  CHECK_THAT(message(), ContainsSubstring("rank 1 gave up") && ContainsSubstring("HcclBroadcast"));
}

TEST_CASE("a link that is down fails a collective on all ranks, as a loss", "[hccl][fail]") {
  WithChild with("link-down,device=0,peer=1,nth=2");
  for (const bool broken : {false, true}) {
    with.child.say("broadcast");
    CHECK(HcclBroadcast(with.memory, 4, kInt, 0, with.comm, with.stream) == HCCL_SUCCESS);
    const std::string theirs = with.child.ask("synchronize");
    const aclError mine = aclrtSynchronizeStreamWithTimeout(with.stream, 60000);
    CHECK(mine == (broken ? ACL_ERROR_RT_LINK_ERROR : ACL_SUCCESS));
    CHECK(async_error(with.comm) == (broken ? HCCL_E_REMOTE : HCCL_SUCCESS));
    if (!broken) continue;
    const std::string ours = message();
    CHECK_THAT(ours, ContainsSubstring("rank 1 gave up"));
    for (const std::string& text : {theirs, ours}) {
      CHECK_THAT(text, ContainsSubstring("the link between two devices is down") &&
                           ContainsSubstring("injected by fault 1"));
    }
  }
}

TEST_CASE("a link that an operation does not go over is down for others only", "[hccl][fail]") {
  WithChild with("link-down,device=1,peer=2");
  with.child.say("broadcast");
  CHECK(HcclBroadcast(with.memory, 4, kInt, 0, with.comm, with.stream) == HCCL_SUCCESS);
  CHECK(with.child.ask("synchronize") == "right");
  CHECK(aclrtSynchronizeStreamWithTimeout(with.stream, 60000) == ACL_SUCCESS);
}

TEST_CASE("a rank whose collective begins late is waited for", "[hccl][fail]") {
  WithChild with("slow,op=collective,delay=20ms");
  with.child.say("broadcast");
  CHECK(HcclBroadcast(with.memory, 4, kInt, 0, with.comm, with.stream) == HCCL_SUCCESS);
  CHECK(with.child.ask("synchronize") == "right");
  CHECK(aclrtSynchronizeStreamWithTimeout(with.stream, 60000) == ACL_SUCCESS);
}

TEST_CASE("a fault kills a rank at a collective, and the others are told", "[hccl][fail]") {
  WithChild with("process-dies,op=collective");
  with.child.say("broadcast");
  CHECK(with.child.hear() == "(nothing)");
  CHECK(HcclBroadcast(with.memory, 4, kInt, 1, with.comm, with.stream) == HCCL_SUCCESS);
  CHECK(aclrtSynchronizeStreamWithTimeout(with.stream, 60000) == ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  CHECK_THAT(message(), ContainsSubstring("rank 1") && ContainsSubstring("has died") &&
                            ContainsSubstring("failures_test.cpp:"));
}

TEST_CASE("a rank that is killed in the middle of an operation fails the others", "[hccl][fail]") {
  WithChild with;
  CHECK(HcclAllReduce(with.memory, with.memory, 4, kInt, kSum, with.comm, with.stream) ==
        HCCL_SUCCESS);
  with.child.kill();
  CHECK(aclrtSynchronizeStreamWithTimeout(with.stream, 60000) == ACL_ERROR_RT_DRV_INTERNAL_ERROR);
  const std::string text = message();
  CHECK_THAT(text, ContainsSubstring("rank 1"));
  CHECK_THAT(text, ContainsSubstring("has died"));
  CHECK(async_error(with.comm) == HCCL_E_REMOTE);
}

TEST_CASE("ranks of different processes that differ both learn it, with places", "[hccl][fail]") {
  WithChild with;
  CHECK(HcclAllReduce(with.memory, with.memory, 4, kInt, kSum, with.comm, with.stream) ==
        HCCL_SUCCESS);
  with.child.say("broadcast");
  const std::string theirs = with.child.ask("synchronize");
  CHECK(aclrtSynchronizeStreamWithTimeout(with.stream, 60000) == ACL_ERROR_RT_INTERNAL_ERROR);
  const std::string mine = message();
  for (const std::string& text : {mine, theirs}) {
    CHECK_THAT(text, ContainsSubstring("rank 0 called HcclAllReduce(count 4, int32, sum) at "));
    CHECK_THAT(text, ContainsSubstring("rank 1 called HcclBroadcast(count 4, int32, root 0) at "));
  }
}

namespace {

/// Reads a count, calls an all-reduce, prints a line, synchronises, prints the result, and ends
/// after it has read a word.
CHILD_PROGRAM(reduces_when_told) {
  const Joined rank;
  StreamWithMemory work;
  std::uint64_t count = 0;
  std::cin >> count;
  work.add_up(count, rank.comm);
  std::cout << "called" << std::endl;
  std::cout << work.synchronize() << std::endl;
  std::string word;
  std::cin >> word;
  return 0;
}

}  // namespace

TEST_CASE(
    "a rank that is killed in a collective leaves no shared memory once the others have ended",
    "[hccl][fail]") {
  const auto before = support::shared_memory_files();
  const std::size_t dies = GENERATE(0, 2);            // with the store, and not
  const std::string count = GENERATE("4", "200000");  // over a board, and from memory of the user
  CAPTURE(dies, count);
  const auto ranks = start_ranks_here(3, "reduces_when_told");
  const std::size_t survivors[] = {1, 2 - dies};
  // The one that dies is in the collective for sure: rank 1 is not there yet.
  for (const std::size_t rank : {dies, survivors[1]}) CHECK(ranks[rank]->ask(count) == "called");
  ranks[dies]->kill();
  CHECK(ranks[1]->ask(count) == "called");
  for (const std::size_t rank : survivors) {
    const std::string told = ranks[rank]->hear();
    if (told == "0 " && count == "4") continue;  // its numbers were on the board already
    CHECK_THAT(told, ContainsSubstring(std::to_string(ACL_ERROR_RT_DRV_INTERNAL_ERROR)) &&
                         ContainsSubstring(fmt::format("rank {}", dies)));
  }
  for (const std::size_t rank : survivors) CHECK(ranks[rank]->ask("end") == "(nothing)");
  for (const auto& rank : ranks) rank->kill();
  CHECK(support::new_shared_memory_files(before) == "");
}
