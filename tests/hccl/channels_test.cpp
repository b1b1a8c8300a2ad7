// SPDX-License-Identifier: Apache-2.0
// HCOMM: channels between ranks, threads over streams, notifies; the flow of writing to a peer in
// three phases, for two and for eight ranks.
#include <fmt/format.h>

#include <iostream>

#include "hccl/hccl_channel.h"
#include "hccl/hccl_rank_graph.h"
#include "hccl/hccl_res.h"
#include "hcomm/hcomm_primitives.h"
#include "tests/hccl/process_rank.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"
#include "tests/support/two_hosts.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;
using support::RunningChild;

namespace {

constexpr std::uint32_t kTimeout = 30;
constexpr std::uint64_t kPart = 1000;

/// A communicator with small buffers, by root info.
HcclComm join(const HcclRootInfo& info, std::uint32_t rank, std::uint32_t ranks) {
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  config.hcclBufferSize = 1;
  HcclComm comm = nullptr;
  must(HcclCommInitRootInfoConfig(ranks, &info, rank, &config, &comm) == HCCL_SUCCESS);
  return comm;
}

/// The protocol of the rank graph: one link, in the layer of the server or of the network.
CommProtocol protocol_to(HcclComm comm, std::uint32_t from, std::uint32_t to) {
  CommLink* links = nullptr;
  std::uint32_t count = 0;
  must(HcclRankGraphGetLinks(comm, 0, from, to, &links, &count) == HCCL_SUCCESS);
  if (count == 0) must(HcclRankGraphGetLinks(comm, 1, from, to, &links, &count) == HCCL_SUCCESS);
  must(count == 1);
  return links->linkAttr.linkProtocol;
}

std::vector<ChannelHandle> channels_of(HcclComm comm, std::uint32_t rank, std::uint32_t ranks) {
  std::vector<HcclChannelDesc> descs(ranks - 1);
  HcclChannelDescInit(descs.data(), ranks - 1);
  for (std::uint32_t i = 0; i + 1 < ranks; ++i) {
    descs[i].remoteRank = (rank + 1 + i) % ranks;
    descs[i].channelProtocol = protocol_to(comm, rank, descs[i].remoteRank);
    descs[i].notifyNum = 3;
  }
  std::vector<ChannelHandle> channels(ranks - 1);
  must(HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, descs.data(), ranks - 1, channels.data()) ==
       HCCL_SUCCESS);
  return channels;
}

/// Sets all flags before it waits for the first: otherwise the ranks wait for each other in a
/// cycle.
void meet(ThreadHandle thread, const std::vector<ChannelHandle>& channels, std::uint32_t phase) {
  for (const ChannelHandle channel : channels) {
    must(HcommChannelNotifyRecordOnThread(thread, channel, phase) == 0);
  }
  for (const ChannelHandle channel : channels) {
    must(HcommChannelNotifyWaitOnThread(thread, channel, phase, kTimeout) == 0);
  }
}

/// Each rank writes its number into its part of every other's buffer, again and again.
std::string write_to_all(const HcclRootInfo& info, std::uint32_t rank, std::uint32_t ranks) {
  HcclComm const comm = join(info, rank, ranks);
  aclrtStream stream = nullptr;
  must(aclrtCreateStream(&stream) == ACL_SUCCESS);
  ThreadHandle thread = 0;
  must(HcclThreadAcquireWithStream(comm, COMM_ENGINE_CPU_TS, stream, 2, &thread) == HCCL_SUCCESS);
  const auto channels = channels_of(comm, rank, ranks);
  void* buffer = nullptr;
  std::uint64_t size = 0;
  must(HcclGetHcclBuffer(comm, &buffer, &size) == HCCL_SUCCESS);
  void* source = nullptr;
  must(aclrtMalloc(&source, kPart, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  for (int round = 1; round <= 3; ++round) {
    must(aclrtMemsetAsync(source, kPart, static_cast<int>(rank) + round * 16, kPart, stream) ==
         ACL_SUCCESS);
    meet(thread, channels, 0);
    for (const ChannelHandle channel : channels) {
      void* theirs = nullptr;
      std::uint64_t their_size = 0;
      must(HcclChannelGetHcclBuffer(comm, channel, &theirs, &their_size) == HCCL_SUCCESS);
      must(HcommWriteOnThread(thread, channel, static_cast<char*>(theirs) + rank * kPart, source,
                              kPart) == 0);
    }
    meet(thread, channels, 1);
    meet(thread, channels, 2);
  }
  std::string problem;
  if (aclrtSynchronizeStreamWithTimeout(stream, 60000) != ACL_SUCCESS) problem = message();
  std::vector<unsigned char> got(kPart * ranks);
  aclrtMemcpy(got.data(), got.size(), buffer, got.size(), ACL_MEMCPY_DEVICE_TO_HOST);
  for (std::size_t i = 0; i < got.size() && problem.empty(); ++i) {
    const std::size_t from = i / kPart;
    if (from != rank && got[i] != from + 48) {
      problem = fmt::format("rank {}: byte {} is {}", rank, i, got[i]);
    }
  }
  HcclCommDestroy(comm);
  aclrtDestroyStream(stream);
  aclrtFree(source);
  return problem;
}

CHILD_PROGRAM(writes_to_all) {
  const RankArguments arguments;
  const std::string problem = write_to_all(arguments.info, arguments.rank, arguments.ranks);
  std::cout << (problem.empty() ? "right" : problem) << std::endl;
  return 0;
}

HcclRootInfo a_root_info() {
  const OnDevice device(0);
  HcclRootInfo info;
  REQUIRE(HcclGetRootInfo(&info) == HCCL_SUCCESS);
  return info;
}

}  // namespace

TEST_CASE("ranks write to each other in three phases: two and eight threads", "[hccl][channel]") {
  for (const std::uint32_t ranks : {2u, 8u}) {
    const HcclRootInfo info = a_root_info();
    const auto problems =
        as_threads(ranks, [&](std::uint32_t rank) { return write_to_all(info, rank, ranks); });
    for (const std::string& problem : problems) CHECK(problem == "");
  }
}

TEST_CASE("ranks write to each other in three phases: two and eight processes", "[hccl][channel]") {
  for (const std::uint32_t ranks : {2u, 8u}) {
    const HcclRootInfo info = a_root_info();
    std::vector<std::unique_ptr<RunningChild>> children;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      children.push_back(std::make_unique<RunningChild>("writes_to_all"));
      children.back()->say(fmt::format("{} {} 0 {}", rank, ranks, hex_of(info)));
    }
    for (const auto& child : children) CHECK(child->hear() == "right");
  }
}

TEST_CASE("ranks of two hosts write to each other in three phases", "[hccl][channel][hosts]") {
  const auto hosts = support::TwoHosts::make();
  if (!hosts) return;
  const RanksOfHosts ranks(*hosts, {0, 0, 1}, "writes_to_all", 0);
  for (const auto& child : ranks.children) CHECK(child->hear() == "right");
}

namespace {

/// Run by two ranks on two hosts: the first does everything that a channel can do with the other's
/// buffer.
std::string use_buffer_of_peer(const HcclRootInfo& info, std::uint32_t rank) {
  HcclComm const comm = join(info, rank, 2);
  aclrtStream stream = nullptr;
  must(aclrtCreateStream(&stream) == ACL_SUCCESS);
  ThreadHandle thread = 0;
  must(HcclThreadAcquireWithStream(comm, COMM_ENGINE_CPU_TS, stream, 2, &thread) == HCCL_SUCCESS);
  HcclChannelDesc desc;
  HcclChannelDescInit(&desc, 1);
  desc.remoteRank = 1 - rank;
  desc.channelProtocol = COMM_PROTOCOL_HCCS;  // not between hosts
  desc.notifyNum = 3;
  ChannelHandle channel = 0;
  if (HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, &desc, 1, &channel) != HCCL_E_PARA)
    return "HCCS";
  channel = channels_of(comm, rank, 2).front();
  std::string problem;
  if (rank == 1) {
    must(HcommChannelNotifyWaitOnThread(thread, channel, 2, kTimeout) == 0);
    if (aclrtSynchronizeStream(stream) != ACL_SUCCESS) problem = message();
    void* own = nullptr;
    std::uint64_t size = 0;
    must(HcclGetHcclBuffer(comm, &own, &size) == HCCL_SUCCESS);
    std::int32_t last = 0;
    aclrtMemcpy(&last, 4, static_cast<std::int32_t*>(own) + 2, 4, ACL_MEMCPY_DEVICE_TO_HOST);
    if (last != 6) problem += fmt::format("the third is {}", last);
  } else {
    void* theirs = nullptr;
    std::uint64_t size = 0;
    must(HcclChannelGetHcclBuffer(comm, channel, &theirs, &size) == HCCL_SUCCESS);
    std::int32_t host[8] = {1, 2, 3, 0, 10, 10, 10, 0};
    void* memory = nullptr;
    must(aclrtMalloc(&memory, sizeof host, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    aclrtMemcpy(memory, sizeof host, host, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE);
    auto* const values = static_cast<std::int32_t*>(memory);
    std::int32_t* const back = values + 4;
    constexpr auto kType = HCOMM_DATA_TYPE_INT32;
    must(HcommWriteOnThread(thread, channel, theirs, values, 12) == 0);
    must(HcommWriteReduceOnThread(thread, channel, theirs, values, 3, kType, HCOMM_REDUCE_SUM) ==
         0);
    if (HcommReadReduceOnThread(thread, channel, back, theirs, 3, kType, HCOMM_REDUCE_MAX) !=
        HCCL_E_NOT_SUPPORT) {
      problem += "ROCE reduces what it reads; ";
    }
    must(HcommReadOnThread(thread, channel, back, theirs, 12) == 0);
    must(HcommReadOnThread(thread, channel, values, theirs, 12) == 0);
    must(HcommWriteWithNotifyOnThread(thread, channel, theirs, values, 12, 2) == 0);
    if (aclrtSynchronizeStream(stream) != ACL_SUCCESS) problem += message();
    aclrtMemcpy(host, sizeof host, memory, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST);
    if (host[2] != 6 || host[6] != 6) problem += fmt::format("{} and {}", host[2], host[6]);
    must(HcommWriteOnThread(thread, channel, values, values, 12) == 0);
    if (aclrtSynchronizeStream(stream) == ACL_SUCCESS)
      problem += "what is not in the buffer was written";
    if (message().find("are not in the buffer of rank 1") == std::string::npos)
      problem += message();
    aclrtFree(memory);
  }
  HcclCommDestroy(comm);
  aclrtDestroyStreamForce(stream);
  return problem;
}

/// Asks for as many notifies as its number, and ends.
CHILD_PROGRAM(asks_for_other_notifies) {
  const RankArguments arguments;
  HcclComm comm = nullptr;
  must(HcclCommInitRootInfo(arguments.ranks, &arguments.info, arguments.rank, &comm) ==
       HCCL_SUCCESS);
  HcclChannelDesc desc;
  must(HcclChannelDescInit(&desc, 1) == HCCL_SUCCESS);
  desc.remoteRank = 1 - arguments.rank;
  desc.channelProtocol = COMM_PROTOCOL_HCCS;
  desc.notifyNum = arguments.rank;
  ChannelHandle channel = 0;
  const HcclResult result = HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, &desc, 1, &channel);
  std::cout << static_cast<int>(result) << " " << message() << std::endl;
  HcclCommDestroy(comm);
  return 0;
}

CHILD_PROGRAM(uses_buffer_of_peer) {
  const RankArguments arguments;
  const std::string problem = use_buffer_of_peer(arguments.info, arguments.rank);
  std::cout << (problem.empty() ? "right" : problem) << std::endl;
  return 0;
}

}  // namespace

TEST_CASE("a channel between hosts reads, reduces, writes and notifies", "[hccl][channel][hosts]") {
  const auto hosts = support::TwoHosts::make();
  if (!hosts) return;
  const RanksOfHosts ranks(*hosts, {0, 1}, "uses_buffer_of_peer", 0);
  for (const auto& child : ranks.children) CHECK(child->hear() == "right");
}

namespace {

/// Two ranks of this thread, connected.
struct Connected : OneThread {
  Connected() : OneThread(2) {
    // Each end waits for the other, so they are acquired by two threads.
    const auto acquire = [&](std::uint32_t rank) {
      aclrtSetDevice(static_cast<int>(rank));
      channel[rank] = channels_of(comms[rank], rank, 2).front();
    };
    std::thread other(acquire, 1);
    acquire(0);
    other.join();
    each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
      must(HcclThreadAcquireWithStream(comm, COMM_ENGINE_CPU_TS, stream, 2, &thread[rank]) ==
           HCCL_SUCCESS);
    });
  }
  ChannelHandle channel[2] = {};
  ThreadHandle thread[2] = {};
};

}  // namespace

TEST_CASE("a flag that is set twice before its wait counts once", "[hccl][channel]") {
  Connected two;
  two.on(0);
  for (int i = 0; i < 2; ++i) {
    CHECK(HcommChannelNotifyRecordOnThread(two.thread[0], two.channel[0], 1) == 0);
  }
  CHECK(two.synchronize(0).second == "");
  two.on(1);
  CHECK(HcommChannelNotifyWaitOnThread(two.thread[1], two.channel[1], 1, kTimeout) == 0);
  CHECK(two.synchronize(1).second == "");
  CHECK(HcommChannelNotifyWaitOnThread(two.thread[1], two.channel[1], 1, 1) == 0);
  const auto [code, text] = two.synchronize(1);
  CHECK(code == ACL_ERROR_RT_WAIT_TIMEOUT);
  CHECK_THAT(text, ContainsSubstring("waited for rank 0 longer than 1 s"));
  CHECK_THAT(text, ContainsSubstring("HcommChannelNotifyWaitOnThread of rank 1"));
}

TEST_CASE("reads, reductions and writes with a notify reach the peer's buffer", "[hccl][channel]") {
  Connected two;
  void* theirs = nullptr;
  std::uint64_t size = 0;
  CHECK(HcclChannelGetHcclBuffer(two.comms[0], two.channel[0], &theirs, &size) == HCCL_SUCCESS);
  CHECK(size == std::uint64_t{400} << 20);
  void* own = nullptr;
  two.on(1);
  CHECK(HcclGetHcclBuffer(two.comms[1], &own, &size) == HCCL_SUCCESS);
  CHECK(own == theirs);  // threads of one process have one address for it
  std::int32_t* const values = two.ints(0, {1, 2, 3});
  std::int32_t* const back = two.ints(0, {10, 10, 10});
  two.on(0);
  ThreadHandle const thread = two.thread[0];
  ChannelHandle const channel = two.channel[0];
  constexpr auto kType = HCOMM_DATA_TYPE_INT32;
  CHECK(HcommWriteOnThread(thread, channel, theirs, values, 12) == 0);
  CHECK(HcommWriteReduceOnThread(thread, channel, theirs, values, 3, kType, HCOMM_REDUCE_SUM) == 0);
  CHECK(HcommReadReduceOnThread(thread, channel, back, theirs, 3, kType, HCOMM_REDUCE_MAX) == 0);
  CHECK(HcommLocalReduceOnThread(thread, back, values, 3, kType, HCOMM_REDUCE_SUM) == 0);
  CHECK(HcommReadOnThread(thread, channel, values, theirs, 12) == 0);
  CHECK(HcommWriteWithNotifyOnThread(thread, channel, theirs, values, 0, 2) == 0);
  CHECK(two.synchronize(0).second == "");
  CHECK(OneThread::read(values, 3) == std::vector<std::int32_t>{2, 4, 6});
  CHECK(OneThread::read(back, 3) == std::vector<std::int32_t>{11, 12, 13});
  two.on(1);
  CHECK(HcommChannelNotifyWaitOnThread(two.thread[1], two.channel[1], 2, kTimeout) == 0);
  CHECK(two.synchronize(1).second == "");
}

TEST_CASE("what is not in the peer's buffer is told when the stream is synchronised",
          "[hccl][channel]") {
  Connected two;
  std::int32_t* const values = two.ints(0, {1, 2, 3});
  two.on(0);
  CHECK(HcommWriteOnThread(two.thread[0], two.channel[0], values, values, 12) == 0);
  const auto [code, text] = two.synchronize(0);
  CHECK(code == ACL_ERROR_RT_INTERNAL_ERROR);
  CHECK_THAT(text, ContainsSubstring("are not in the buffer of rank 1"));
}

TEST_CASE("threads of one rank order each other by notifies", "[hccl][channel]") {
  OneThread world(1);
  ThreadHandle threads[2] = {};
  HcclComm const comm = world.comms[0];
  CHECK(HcclThreadAcquire(comm, COMM_ENGINE_CPU_TS, 2, 1, threads) == HCCL_SUCCESS);
  std::int32_t* const a = world.ints(0, {7});
  std::int32_t* const b = world.ints(0, {0});
  CHECK(HcommThreadNotifyWaitOnThread(threads[1], 0, kTimeout) == 0);
  CHECK(HcommLocalCopyOnThread(threads[1], b, a, 4) == 0);
  CHECK(HcommThreadNotifyRecordOnThread(threads[0], threads[1], 0) == 0);
  void* stream = nullptr;
  CHECK(HcclThreadResGetInfo(comm, threads[1], THREAD_RES_TYPE_STREAM, 8, &stream) == HCCL_SUCCESS);
  CHECK(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  CHECK(OneThread::read(b, 1).front() == 7);
  CHECK(HcommThreadNotifyWaitOnThread(threads[1], 1, 1) == HCCL_E_PTR);
  CHECK(HcommThreadNotifyRecordOnThread(threads[0], 0, 0) == HCCL_E_PTR);
  CHECK(HcclThreadAcquire(comm, COMM_ENGINE_CPU_TS, 0, 1, threads) == HCCL_E_PARA);
  CHECK(HcclThreadAcquire(comm, COMM_ENGINE_CPU_TS, 201, 1, threads) == HCCL_E_PARA);
  CHECK(HcclThreadAcquire(comm, COMM_ENGINE_AIV, 1, 1, threads) == HCCL_E_PARA);
  CHECK(HcclThreadAcquire(comm, COMM_ENGINE_CPU_TS, 1, 65536, threads) == HCCL_E_PARA);
  CHECK(HcclThreadAcquire(comm, COMM_ENGINE_CPU_TS, 1, 1, nullptr) == HCCL_E_PTR);
}

TEST_CASE("handles of threads and channels are never equal, so swapped ones are refused",
          "[hccl][channel]") {
  Connected two;
  two.on(0);
  const ThreadHandle thread = two.thread[0];
  const ChannelHandle channel = two.channel[0];
  void* theirs = nullptr;
  std::uint64_t size = 0;
  REQUIRE(HcclChannelGetHcclBuffer(two.comms[0], channel, &theirs, &size) == HCCL_SUCCESS);
  CHECK(HcommWriteOnThread(channel, thread, theirs, theirs, 4) == HCCL_E_PARA);
  CHECK(HcommReadOnThread(channel, thread, theirs, theirs, 4) == HCCL_E_PARA);
  CHECK(HcommChannelNotifyRecordOnThread(channel, thread, 0) == HCCL_E_PARA);
  CHECK(HcommChannelNotifyWaitOnThread(channel, thread, 0, kTimeout) == HCCL_E_PARA);
  CHECK(HcommThreadNotifyRecordOnThread(channel, channel, 0) == HCCL_E_PARA);
  CHECK(HcclChannelGetHcclBuffer(two.comms[0], thread, &theirs, &size) == HCCL_E_PARA);
  for (const ThreadHandle each : two.thread) {
    for (const ChannelHandle other : two.channel) CHECK(each != other);
  }
}

TEST_CASE("arguments of threads and channels that cannot be are refused", "[hccl][channel]") {
  Connected two;
  two.on(0);
  HcclComm const comm = two.comms[0];
  HcclChannelDesc desc;
  HcclChannelDescInit(&desc, 1);
  ChannelHandle channel = 0;
  const auto acquire = [&] {
    return HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, &desc, 1, &channel);
  };
  CHECK(acquire() == HCCL_E_PARA);  // no rank
  desc.remoteRank = 0;
  desc.channelProtocol = COMM_PROTOCOL_HCCS;
  CHECK(acquire() == HCCL_E_PARA);  // itself
  desc.remoteRank = 1;
  desc.notifyNum = 65;
  CHECK(acquire() == HCCL_E_PARA);
  desc.notifyNum = 3;
  CHECK(HcclChannelAcquire(comm, COMM_ENGINE_CCU, &desc, 1, &channel) == HCCL_E_PARA);
  CHECK(HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, &desc, 0, &channel) == HCCL_E_PARA);
  CHECK(acquire() == HCCL_SUCCESS);
  CHECK(channel == two.channel[0]);  // acquired again
  desc.header.magicWord = 1;
  CHECK(acquire() == HCCL_E_PARA);
  CHECK(HcommChannelNotifyRecordOnThread(two.thread[0], channel, 3) == HCCL_E_INTERNAL);
  CHECK(HcommChannelNotifyRecordOnThread(0, channel, 0) == HCCL_E_PTR);
  CHECK(HcommChannelNotifyRecordOnThread(two.thread[0], 0, 0) == HCCL_E_PTR);
  CHECK(HcommWriteOnThread(two.thread[0], 12345, &desc, &desc, 4) == HCCL_E_PARA);
  CHECK(HcommWriteOnThread(two.thread[0], channel, nullptr, &desc, 4) == HCCL_E_PTR);
  CHECK(HcommSetNotifyWaitTimeOut(-1.0F) == HCCL_E_PARA);
  std::uint32_t number = 0;
  CHECK(HcclChannelGetNotifyNum(comm, channel, &number) == HCCL_SUCCESS);
  CHECK(number == 3);
}

TEST_CASE("a channel that nobody acquires at the other end times out", "[hccl][channel]") {
  OneThread world(2);
  const Variable limit("ACLSIM_HCCL_CONNECT_TIMEOUT_MS", "50");
  world.on(0);
  HcclChannelDesc desc;
  HcclChannelDescInit(&desc, 1);
  desc.remoteRank = 1;
  desc.channelProtocol = COMM_PROTOCOL_HCCS;
  ChannelHandle channel = 0;
  CHECK(HcclChannelAcquire(world.comms[0], COMM_ENGINE_CPU_TS, &desc, 1, &channel) ==
        HCCL_E_TIMEOUT);
}

TEST_CASE("processes that ask for other numbers of notifies are told so, both of them",
          "[hccl][channel][fail]") {
  const auto ranks = start_ranks_here(2, "asks_for_other_notifies");
  CHECK_THAT(ranks[0]->hear(), ContainsSubstring("notifyNum is 0, but rank 1 asked for 1"));
  CHECK_THAT(ranks[1]->hear(), ContainsSubstring("notifyNum is 1, but rank 0 asked for 0"));
}
