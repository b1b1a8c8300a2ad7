// SPDX-License-Identifier: Apache-2.0
// Ranks of two hosts, which are network namespaces.
#include "tests/support/two_hosts.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "tests/hccl/process_rank.h"
#include "tests/support/child.h"
#include "tests/support/share.h"
#include "tests/support/shared_memory.h"
#include "tests/support/temp_dir.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;
using support::TwoHosts;

namespace {

CHILD_PROGRAM(exchanges_on_host) {
  const RankArguments arguments;
  const std::string problem =
      run_rank(arguments.info, arguments.rank, arguments.ranks, arguments.seed, true);
  std::cout << (problem.empty() ? "right" : problem) << std::endl;
  return problem.empty() ? 0 : 1;
}

void check_hosts(const std::vector<int>& layout) {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  const std::uint64_t seed = support::first_seed() + 200 + layout.size();
  CAPTURE(seed);
  const RanksOfHosts ranks(*hosts, layout, "exchanges_on_host", seed, share_of_run());
  for (const auto& child : ranks.children) CHECK(child->hear() == "right");
}

/// A communicator with one completed operation. For each line that it reads it calls an all-reduce,
/// or a broadcast for "odd", and prints the result.
CHILD_PROGRAM(reduces_on_host) {
  const RankArguments arguments;
  HcclComm comm = nullptr;
  must(HcclCommInitRootInfo(arguments.ranks, &arguments.info, arguments.rank, &comm) ==
       HCCL_SUCCESS);
  aclrtStream stream = nullptr;
  must(aclrtCreateStream(&stream) == ACL_SUCCESS);
  constexpr std::size_t kCount = 1 << 18;
  void* memory = nullptr;
  must(aclrtMalloc(&memory, kCount * 4, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  must(aclrtMemset(memory, kCount * 4, 0, kCount * 4) == ACL_SUCCESS);
  std::string word = "reduce";
  do {
    must((word == "odd"
              ? HcclBroadcast(memory, kCount, kInt, 0, comm, stream)
              : HcclAllReduce(memory, memory, kCount, kInt, kSum, comm, stream)) == HCCL_SUCCESS);
    const aclError code = aclrtSynchronizeStreamWithTimeout(stream, 60000);
    std::cout << (code == ACL_SUCCESS ? "done" : fmt::format("{} {}", code, message()))
              << std::endl;
  } while (std::cin >> word && word != "end");
  HcclCommDestroy(comm);
  aclrtDestroyStreamForce(stream);
  aclrtFree(memory);
  return 0;
}

/// Calls one collective by name, with the given count and root.
HcclResult call(const std::string& name, void* memory, std::uint64_t count, std::uint32_t root,
                HcclComm comm, aclrtStream stream) {
  if (name == "broadcast") return HcclBroadcast(memory, count, kInt, root, comm, stream);
  if (name == "barrier") return HcclBarrier(comm, stream);
  if (name == "scatter") return HcclScatter(memory, memory, count, kInt, root, comm, stream);
  return HcclAllReduce(memory, memory, count, kInt, kSum, comm, stream);
}

/// A communicator with completed small collectives; then it calls the collective that it reads.
CHILD_PROGRAM(calls_on_host) {
  const RankArguments arguments;
  HcclComm comm = nullptr;
  must(HcclCommInitRootInfo(arguments.ranks, &arguments.info, arguments.rank, &comm) ==
       HCCL_SUCCESS);
  aclrtStream stream = nullptr;
  must(aclrtCreateStream(&stream) == ACL_SUCCESS);
  void* memory = nullptr;
  must(aclrtMalloc(&memory, 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  must(aclrtMemset(memory, 1 << 20, 0, 1 << 20) == ACL_SUCCESS);
  for (int i = 0; i < 40; ++i) must(call("sum", memory, 4, 0, comm, stream) == HCCL_SUCCESS);
  must(aclrtSynchronizeStreamWithTimeout(stream, 60000) == ACL_SUCCESS);
  std::cout << "done" << std::endl;
  std::string name;
  std::uint64_t count = 0;
  std::uint32_t root = 0;
  std::cin >> name >> count >> root;
  must(call(name, memory, count, root, comm, stream) == HCCL_SUCCESS);
  const aclError code = aclrtSynchronizeStreamWithTimeout(stream, 60000);
  std::cout << fmt::format("{} {}", code, message()) << std::endl;
  std::cin >> name;
  HcclCommDestroy(comm);
  aclrtDestroyStreamForce(stream);
  aclrtFree(memory);
  return 0;
}

/// Collectives on two streams. Those on one stream wait for a receive, so all board entries are
/// used before the first has ended.
CHILD_PROGRAM(goes_round_on_two_streams) {
  const RankArguments arguments;
  HcclComm comm = nullptr;
  must(HcclCommInitRootInfo(arguments.ranks, &arguments.info, arguments.rank, &comm) ==
       HCCL_SUCCESS);
  aclrtStream held = nullptr, free = nullptr;
  must(aclrtCreateStream(&held) == ACL_SUCCESS && aclrtCreateStream(&free) == ACL_SUCCESS);
  std::int32_t* memory = nullptr;
  must(aclrtMalloc(reinterpret_cast<void**>(&memory), 1 << 20, ACL_MEM_MALLOC_HUGE_FIRST) ==
       ACL_SUCCESS);
  must(aclrtMemset(memory, 1 << 20, 0, 1 << 20) == ACL_SUCCESS);
  aclrtEvent fifteen = nullptr;
  must(aclrtCreateEvent(&fifteen) == ACL_SUCCESS);
  if (arguments.rank == 1) must(HcclRecv(memory, 4, kInt, 0, comm, held) == HCCL_SUCCESS);
  must(HcclAllReduce(memory, memory, arguments.seed, kInt, kSum, comm, held) == HCCL_SUCCESS);
  for (int i = 0; i < 40; ++i) {
    must(HcclAllReduce(memory + 16384, memory + 16384, 4, kInt, kSum, comm, free) == HCCL_SUCCESS);
    if (i == 14) must(aclrtRecordEvent(fifteen, free) == ACL_SUCCESS);
  }
  must(aclrtSynchronizeEventWithTimeout(fifteen, 60000) == ACL_SUCCESS);
  std::cout << "fifteen" << std::endl;
  std::string word;
  std::cin >> word;
  aclrtStream third = nullptr;
  must(aclrtCreateStream(&third) == ACL_SUCCESS);
  if (arguments.rank == 0) must(HcclSend(memory + 32768, 4, kInt, 1, comm, third) == HCCL_SUCCESS);
  aclError code = ACL_SUCCESS;
  for (const aclrtStream stream : {third, free, held}) {
    if (code == ACL_SUCCESS) code = aclrtSynchronizeStreamWithTimeout(stream, 60000);
  }
  std::cout << (code == ACL_SUCCESS ? "done" : fmt::format("{} {}", code, message())) << std::endl;
  std::cin >> word;
  HcclCommDestroy(comm);
  for (const aclrtStream stream : {third, free, held}) aclrtDestroyStreamForce(stream);
  aclrtDestroyEvent(fifteen);
  aclrtFree(memory);
  return 0;
}

CHILD_PROGRAM(exchanges_by_rank_table) {
  const Launched launched;
  const std::uint32_t ranks = Launched::number("RANK_SIZE");
  std::vector<Exchange> all = all_exchanges(ranks, 7);
  if (all.size() > 60) all.resize(60);
  const std::string problem = exchange_all(launched.comm, launched.rank, ranks, all, 7);
  std::cout << (problem.empty() ? "right" : problem) << std::endl;
  return problem.empty() ? 0 : 1;
}

}  // namespace

TEST_CASE("aclsim run starts each host's share of the ranks", "[hccl][exchange][hosts]") {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  const support::TempDir folder;
  const std::string list = folder.write(
      "hosts", fmt::format("{} slots=2\n{}:1\n", TwoHosts::kAddresses[0], TwoHosts::kAddresses[1]));
  const std::string command = fmt::format(
      "TEST_CHILD_PROGRAM=exchanges_by_rank_table {} run --ranks 3 --hosts {} -- "
      "/proc/{}/exe",
      ACLSIM_EXE, list, getpid());
  int status[2] = {-1, -1};
  std::vector<std::thread> shares;
  for (int host = 0; host < 2; ++host) {
    shares.emplace_back([&, host] {
      hosts->on(host, [&] {
        const std::string output = fmt::format(" >{}/{} 2>&1", folder.path().string(), host);
        status[host] = std::system((command + output).c_str());
      });
    });
  }
  for (std::thread& share : shares) share.join();
  const std::string first = folder.read("0");
  const std::string second = folder.read("1");
  CAPTURE(first, second);
  CHECK(status[0] == 0);
  CHECK(status[1] == 0);
  CHECK_THAT(first, ContainsSubstring("[0] right") && ContainsSubstring("[1] right"));
  CHECK_THAT(second, ContainsSubstring("[2] right"));
}

TEST_CASE("different operations are told on all ranks of two hosts", "[hccl][fail][hosts]") {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  const RanksOfHosts ranks(*hosts, {0, 0, 1}, "reduces_on_host", 0);
  for (const auto& child : ranks.children) CHECK(child->hear() == "done");
  const char* const words[] = {"reduce", "reduce", "odd"};
  for (std::size_t i = 0; i < 3; ++i) ranks.children[i]->say(words[i]);
  for (const auto& child : ranks.children) {
    const std::string text = child->hear();
    CHECK_THAT(text,
               ContainsSubstring(std::to_string(ACL_ERROR_RT_INTERNAL_ERROR)) &&
                   ContainsSubstring("called HcclAllReduce(count 262144, int32, sum) at ") &&
                   ContainsSubstring("rank 2 called HcclBroadcast(count 262144, int32, root 0)"));
    child->say("end");
  }
}

TEST_CASE("small calls that differ between hosts are told on all ranks, with who called what",
          "[hccl][fail][hosts]") {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  struct Odd {
    const char* call;
    const char* told;
  };
  const Odd all[] = {{"sum 5 0", "HcclAllReduce(count 5, int32, sum) at "},
                     {"barrier 0 0", "HcclBarrier at "},
                     {"broadcast 9000 1", "HcclBroadcast(count 9000, int32, root 1) at "},
                     {"scatter 4 2", "HcclScatter(count 4, int32, root 2) at "}};
  const std::size_t who = GENERATE(0, 2);  // with one of its host, and alone
  for (const Odd& odd : all) {
    CAPTURE(who, odd.call);
    const RanksOfHosts ranks(*hosts, {0, 0, 1}, "calls_on_host", 0);
    for (const auto& child : ranks.children) CHECK(child->hear() == "done");
    for (std::size_t i = 0; i < 3; ++i) ranks.children[i]->say(i == who ? odd.call : "sum 4 0");
    for (const auto& child : ranks.children) {
      const std::string text = child->hear();
      CHECK_THAT(text, ContainsSubstring(std::to_string(ACL_ERROR_RT_INTERNAL_ERROR)) &&
                           ContainsSubstring("operation 41: ") &&
                           ContainsSubstring("called HcclAllReduce(count 4, int32, sum) at ") &&
                           ContainsSubstring(fmt::format("rank {} called {}", who, odd.told)));
    }
    for (const auto& child : ranks.children) child->say("end");
  }
}

TEST_CASE("a rank that dies instead of a small call fails those of the other host",
          "[hccl][fail][hosts]") {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  const RanksOfHosts ranks(*hosts, {0, 1, 1}, "calls_on_host", 0);
  for (const auto& child : ranks.children) CHECK(child->hear() == "done");
  // Two ranks see that their calls differ; the third, whose call they have not seen, is gone.
  ranks.children[1]->say("sum 4 0");
  ranks.children[0]->say("sum 5 0");
  ranks.children[2]->kill();
  for (const std::size_t rank : {0, 1}) {
    CHECK_THAT(ranks.children[rank]->hear(), ContainsSubstring("rank 2 "));
  }
  for (const std::size_t rank : {0, 1}) ranks.children[rank]->say("end");
}

TEST_CASE("collectives of one stream go on between hosts when one of another has ended late",
          "[hccl][hosts]") {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  const std::uint64_t count = GENERATE(4, 5000);  // a small one, and a large one
  for (const std::vector<int>& layout : {std::vector{0, 1}, std::vector{0, 1, 0}}) {
    CAPTURE(count, layout.size());
    const RanksOfHosts ranks(*hosts, layout, "goes_round_on_two_streams", count);
    for (const char* const word : {"fifteen", "done"}) {
      for (const auto& child : ranks.children) CHECK(child->hear() == word);
      for (const auto& child : ranks.children) child->say("on");
    }
  }
}

TEST_CASE("the others fail when a rank of another host dies, and no shared memory is left",
          "[hccl][fail][hosts]") {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  const auto before = support::shared_memory_files();
  const std::size_t dies = GENERATE(0, 2);  // with the store, and not
  CAPTURE(dies);
  const RanksOfHosts ranks(*hosts, {0, 0, 1}, "reduces_on_host", 0);
  for (const auto& child : ranks.children) CHECK(child->hear() == "done");
  for (std::size_t rank = 0; rank < 3; ++rank) {
    if (rank != dies) ranks.children[rank]->say("reduce");
  }
  ranks.children[dies]->kill();
  for (std::size_t rank = 0; rank < 3; ++rank) {
    if (rank == dies) continue;
    CHECK_THAT(ranks.children[rank]->hear(), ContainsSubstring(fmt::format("rank {} ", dies)));
  }
  for (std::size_t rank = 0; rank < 3; ++rank) {
    if (rank != dies) CHECK(ranks.children[rank]->ask("end") == "(nothing)");
  }
  for (const auto& child : ranks.children) child->kill();
  CHECK(support::new_shared_memory_files(before) == "");
}

namespace {

/// Sums of large buffers; each rank writes over its own as soon as it has them.
CHILD_PROGRAM(overwrites_sums) {
  const RankArguments arguments;
  HcclComm comm = nullptr;
  must(HcclCommInitRootInfo(arguments.ranks, &arguments.info, arguments.rank, &comm) ==
       HCCL_SUCCESS);
  aclrtStream stream = nullptr;
  must(aclrtCreateStream(&stream) == ACL_SUCCESS);
  constexpr std::size_t kSums = 1 << 22;  // more than goes into the buffers of a connection
  const auto wanted = static_cast<std::int32_t>(arguments.ranks * (arguments.ranks + 1) / 2);
  std::vector<std::int32_t> numbers(kSums, static_cast<std::int32_t>(arguments.rank) + 1);
  const std::vector<std::int32_t> right(kSums, wanted);
  std::vector<std::int32_t> sums(kSums);
  void* memory = nullptr;
  must(aclrtMalloc(&memory, kSums * 4, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  std::string said;
  constexpr int kRounds = kThreadSanitizer ? 2 : 8;
  for (int round = 0; round < kRounds && said.empty(); ++round) {
    must(aclrtMemcpy(memory, kSums * 4, numbers.data(), kSums * 4, ACL_MEMCPY_HOST_TO_DEVICE) ==
         ACL_SUCCESS);
    must(HcclAllReduce(memory, memory, kSums, kInt, kSum, comm, stream) == HCCL_SUCCESS);
    if (aclrtSynchronizeStreamWithTimeout(stream, 60000) != ACL_SUCCESS) said = message();
    aclrtMemcpy(sums.data(), kSums * 4, memory, kSums * 4, ACL_MEMCPY_DEVICE_TO_HOST);
    aclrtMemset(memory, kSums * 4, 0xff, kSums * 4);
    if (!said.empty() || sums == right) continue;
    const auto wrong =
        std::find_if(sums.begin(), sums.end(), [&](std::int32_t sum) { return sum != wanted; });
    said = fmt::format("rank {}, round {}: sum {} is {}", arguments.rank, round,
                       wrong - sums.begin(), *wrong);
  }
  std::cout << (said.empty() ? "right" : said) << std::endl;
  HcclCommDestroy(comm);
  aclrtDestroyStream(stream);
  aclrtFree(memory);
  return 0;
}

/// Many concurrent large reductions, alternating between two streams. Prints the device memory that
/// they hold.
CHILD_PROGRAM(enqueues_many_reductions) {
  const RankArguments arguments;
  HcclComm comm = nullptr;
  must(HcclCommInitRootInfo(arguments.ranks, &arguments.info, arguments.rank, &comm) ==
       HCCL_SUCCESS);
  constexpr std::size_t kSums = 1 << 18;
  constexpr int kOperations = 60;
  std::vector<aclrtStream> streams(2);
  std::vector<void*> memories(2);
  const std::vector<std::int32_t> ones(kSums, 1);
  for (std::size_t i = 0; i < 2; ++i) {
    must(aclrtCreateStream(&streams[i]) == ACL_SUCCESS);
    must(aclrtMalloc(&memories[i], kSums * 4, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    must(aclrtMemcpy(memories[i], kSums * 4, ones.data(), kSums * 4, ACL_MEMCPY_HOST_TO_DEVICE) ==
         ACL_SUCCESS);
  }
  const auto free_bytes = [] {
    std::size_t free = 0, total = 0;
    must(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total) == ACL_SUCCESS);
    return free;
  };
  const std::size_t before = free_bytes();
  std::size_t least = before;
  for (int i = 0; i < kOperations; ++i) {
    const auto at = static_cast<std::size_t>(i % 2);
    must(HcclAllReduce(memories[at], memories[at], kSums, kInt, HCCL_REDUCE_MAX, comm,
                       streams[at]) == HCCL_SUCCESS);
    least = std::min(least, free_bytes());
  }
  std::string said = fmt::format("{} MiB", (before - least) >> 20);
  for (const aclrtStream stream : streams) {
    if (aclrtSynchronizeStreamWithTimeout(stream, 60000) != ACL_SUCCESS) said = message();
  }
  std::vector<std::int32_t> most(kSums);
  for (void* const memory : memories) {
    aclrtMemcpy(most.data(), kSums * 4, memory, kSums * 4, ACL_MEMCPY_DEVICE_TO_HOST);
    if (most != ones) said = "other values";
    aclrtFree(memory);
  }
  std::cout << said << std::endl;
  HcclCommDestroy(comm);
  for (const aclrtStream stream : streams) aclrtDestroyStream(stream);
  return 0;
}

/// Two reductions on two streams. Rank 0 has memory for one of them. Each rank reads when to
/// continue, and prints the result of the second one.
CHILD_PROGRAM(has_memory_for_one_of_two) {
  Joined rank;
  StreamWithMemory one, two;
  std::string line;
  std::cin >> line;
  constexpr std::uint64_t kSums = StreamWithMemory::kBytes / 4;
  one.add_up(kSums, rank.comm);
  std::vector<void*> taken;
  for (std::size_t bytes = rank.rank == 0 ? StreamWithMemory::kBytes : 0; bytes >= 4096;) {
    void* memory = nullptr;
    if (aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS) {
      taken.push_back(memory);
    } else {
      bytes /= 2;
    }
  }
  two.add_up(kSums, rank.comm);
  std::cout << two.synchronize() << std::endl;
  std::cin >> line;
  for (void* const memory : taken) aclrtFree(memory);
  return 0;
}

}  // namespace

TEST_CASE("collectives that wait in their streams hold no memory for what other hosts send",
          "[hccl][hosts]") {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  const RanksOfHosts ranks(*hosts, {0, 1}, "enqueues_many_reductions", 0);
  for (const auto& child : ranks.children) {
    const std::string said = child->hear();
    CAPTURE(said);
    // A block for each that runs; none may have begun when the last one is enqueued.
    CHECK((said == "0 MiB" || said == "1 MiB" || said == "2 MiB" || said == "3 MiB"));
  }
}

TEST_CASE("a collective without memory for what other hosts send fails on all ranks when it begins",
          "[hccl][fail][hosts]") {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  const RanksOfHosts ranks(*hosts, {0, 1}, "has_memory_for_one_of_two", 0,
                           {{"ACLSIM_MEMORY", "64MiB"}});
  for (const auto& child : ranks.children) {
    CHECK_THAT(child->ask("go on"), ContainsSubstring("207001 ") &&
                                        ContainsSubstring("bytes for what other hosts send"));
  }
}

TEST_CASE("a rank may write over its result as soon as it has it", "[hccl][hosts]") {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  for (const std::vector<int>& layout : {std::vector{0, 1}, std::vector{0, 0, 1, 1}}) {
    const RanksOfHosts ranks(*hosts, layout, "overwrites_sums", 0);
    for (const auto& child : ranks.children) CHECK(child->hear() == "right");
  }
}

TEST_CASE("the others fail in time when a host cannot be reached any more", "[hccl][fail][hosts]") {
  const auto hosts = TwoHosts::make();
  if (!hosts) return;
  const RanksOfHosts ranks(*hosts, {0, 1}, "reduces_on_host", 0, {{"HCCL_EXEC_TIMEOUT", "2"}});
  for (const auto& child : ranks.children) CHECK(child->hear() == "done");
  hosts->cut_cable();
  for (const auto& child : ranks.children) child->say("reduce");
  for (std::size_t rank = 0; rank < 2; ++rank) {
    CHECK_THAT(ranks.children[rank]->hear(), ContainsSubstring(fmt::format("rank {}", 1 - rank)));
  }
}

TEST_CASE("one rank on each of two hosts get what a plain reference gets",
          "[hccl][exchange][hosts]") {
  check_hosts({0, 1});
}
TEST_CASE("two ranks on each of two hosts get what a plain reference gets",
          "[hccl][exchange][hosts]") {
  check_hosts({0, 0, 1, 1});
}
TEST_CASE("two ranks on one host and one on another get what a plain reference gets",
          "[hccl][exchange][hosts]") {
  check_hosts({0, 0, 1});
}
TEST_CASE("ranks that alternate between two hosts get what a plain reference gets",
          "[hccl][exchange][hosts]") {
  check_hosts({0, 1, 0});
}

TEST_CASE("four ranks on each of two hosts get what a plain reference gets",
          "[hccl][exchange][hosts]") {
  check_hosts({0, 0, 0, 0, 1, 1, 1, 1});
}
