// SPDX-License-Identifier: Apache-2.0
// Faults of links and ranks, in everything that goes over a link: collectives, sends, transfers of
// HCOMM. Each in a process of its own, whose two ranks one thread drives.
#include <iostream>

#include "acl/acl_sim.h"
#include "tests/hccl/linked.h"
#include "tests/hccl/process_rank.h"
#include "tests/support/child.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;
using support::RunningChild;

namespace {

constexpr auto kHcommInt = HCOMM_DATA_TYPE_INT32;
constexpr auto kHcommSum = HCOMM_REDUCE_SUM;

/// The code of the collective that one of the two ranks enqueues; 0: it was accepted.
int collective_of(std::string_view name, Linked& two, std::uint32_t rank, void* from, void* to) {
  HcclComm const comm = two.comms[rank];
  aclrtStream const stream = two.streams[rank];
  const std::uint32_t peer = 1 - rank;
  if (name == "AllReduce") return HcclAllReduce(from, to, 4, kInt, kSum, comm, stream);
  if (name == "Reduce") return HcclReduce(from, to, 4, kInt, kSum, 0, comm, stream);
  if (name == "ReduceScatter") return HcclReduceScatter(from, to, 2, kInt, kSum, comm, stream);
  if (name == "Broadcast") return HcclBroadcast(from, 4, kInt, 0, comm, stream);
  if (name == "Scatter") return HcclScatter(from, to, 2, kInt, 0, comm, stream);
  if (name == "AllGather") return HcclAllGather(from, to, 2, kInt, comm, stream);
  if (name == "AlltoAll") return HcclAlltoAll(from, 2, kInt, to, 2, kInt, comm, stream);
  if (name == "Large") return HcclAllReduce(from, to, 5000, kInt, kSum, comm, stream);
  if (name == "Barrier") return HcclBarrier(comm, stream);
  if (name == "SendRecv" && rank == 0) return HcclSend(from, 4, kInt, peer, comm, stream);
  if (name == "SendRecv") return HcclRecv(to, 4, kInt, peer, comm, stream);
  HcclSendRecvItem items[] = {{HCCL_SEND, from, 4, kInt, peer}, {HCCL_RECV, to, 4, kInt, peer}};
  return name == "BatchSendRecv" ? HcclBatchSendRecv(items, 2, comm, stream) : -1;
}

/// Rank 0 alone.
int transfer_of(std::string_view name, Linked& two, void* from, void* to) {
  ThreadHandle const thread = two.thread;
  ChannelHandle const channel = two.channel;
  if (name == "Write") return HcommWriteOnThread(thread, channel, two.theirs, from, 16);
  if (name == "Read") return HcommReadOnThread(thread, channel, to, two.theirs, 16);
  if (name == "WriteReduce") {
    return HcommWriteReduceOnThread(thread, channel, two.theirs, from, 4, kHcommInt, kHcommSum);
  }
  if (name == "ReadReduce") {
    return HcommReadReduceOnThread(thread, channel, to, two.theirs, 4, kHcommInt, kHcommSum);
  }
  if (name == "WriteWithNotify")
    return HcommWriteWithNotifyOnThread(thread, channel, two.theirs, from, 16, 0);
  if (name == "Record") return HcommChannelNotifyRecordOnThread(thread, channel, 0);
  if (name == "LocalCopy") return HcommLocalCopyOnThread(thread, to, from, 16);
  return -1;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// For each name that it hears: "CODE FAULTS TEXT" of each rank that took part.
CHILD_PROGRAM(goes_over_a_link) {
  Linked two;
  void* from[2];
  void* to[2];
  for (const std::uint32_t rank : {0u, 1u}) {
    from[rank] = two.ints(rank, std::vector<std::int32_t>(5000, 1));
    to[rank] = two.ints(rank, std::vector<std::int32_t>(5000));
  }
  for (std::string name; std::cin >> name;) {
    two.on(0);
    const bool transfers = transfer_of(name, two, from[0], to[0]) == 0;
    for (const std::uint32_t rank : {0u, 1u}) {
      if (transfers) break;
      two.on(rank);
      CHILD_EXPECT(collective_of(name, two, rank, from[rank], to[rank]) == 0);
    }
    std::string answer;
    for (std::uint32_t rank = 0; rank < (transfers ? 1 : 2); ++rank) {
      const auto [code, text] = two.synchronize(rank);
      aclsimStats stats{};
      stats.size = sizeof stats;
      CHILD_EXPECT(aclsimGetStats(&stats) == ACL_SUCCESS);
      answer += fmt::format("{} {} {}; ", code, stats.injectedFaults, first_line(text));
    }
    std::cout << answer << std::endl;
  }
  return 0;
}

std::string answer_of(const std::string& name, const std::string& fault) {
  RunningChild child("goes_over_a_link", {{"ACLSIM_FAULTS", fault}});
  return child.ask(name);
}

const std::vector<std::string> kCollectives = {
    "AllReduce", "Reduce", "ReduceScatter", "Broadcast", "Scatter",      "AllGather",
    "AlltoAll",  "Large",  "Barrier",       "SendRecv",  "BatchSendRecv"};
const std::vector<std::string> kTransfers = {
    "Write", "Read", "WriteReduce", "ReadReduce", "WriteWithNotify", "Record"};

/// The second of two processes: writes to the first and sets its flag, once for each line that it
/// reads.
CHILD_PROGRAM(writes_until_it_dies) {
  const RankArguments arguments;
  HcclComm comm = nullptr;
  CHILD_EXPECT(HcclCommInitRootInfo(2, &arguments.info, 1, &comm) == HCCL_SUCCESS);
  HcclChannelDesc desc;
  describe(desc, 0, COMM_PROTOCOL_HCCS);
  ChannelHandle channel = 0;
  CHILD_EXPECT(HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, &desc, 1, &channel) == HCCL_SUCCESS);
  ThreadHandle thread = 0;
  CHILD_EXPECT(HcclThreadAcquire(comm, COMM_ENGINE_CPU_TS, 1, 0, &thread) == HCCL_SUCCESS);
  void* own = nullptr;
  void* theirs = nullptr;
  std::uint64_t size = 0;
  CHILD_EXPECT(HcclGetHcclBuffer(comm, &own, &size) == HCCL_SUCCESS);
  CHILD_EXPECT(HcclChannelGetHcclBuffer(comm, channel, &theirs, &size) == HCCL_SUCCESS);
  for (std::string line; std::cin >> line;) {
    CHILD_EXPECT(HcommWriteWithNotifyOnThread(thread, channel, theirs, own, 16, 0) == 0);
  }
  return 0;
}

}  // namespace

TEST_CASE("a link that is down fails every operation between its ranks, on all of them",
          "[hccl][fail]") {
  for (const std::string& name : kCollectives) {
    const std::string answer = answer_of(name, "link-down,device=0,peer=1");
    INFO(name << ": " << answer);
    CHECK(answer.substr(0, 7) == "507056 ");
    CHECK_THAT(answer, ContainsSubstring("; 507056 ") && ContainsSubstring("injected by fault 1"));
  }
}

TEST_CASE("a link that is down fails what HCOMM does over it, and nothing else",
          "[hccl][channel][fail]") {
  for (const std::string& name : kTransfers) {
    const std::string answer = answer_of(name, "link-down,device=0,peer=1");
    INFO(name << ": " << answer);
    CHECK(answer.substr(0, 9) == "507056 1 ");
    CHECK_THAT(answer, ContainsSubstring("the link between two devices is down") &&
                           ContainsSubstring("injected by fault 1"));
    CHECK(answer_of(name, "link-down,device=1,peer=2") == "0 0 ; ");
  }
  CHECK(answer_of("LocalCopy", "link-down,device=0,peer=1") == "0 0 ; ");
}

TEST_CASE("what goes over a slow link begins late, and is right", "[hccl][channel][fail]") {
  std::vector<std::string> all = kCollectives;
  all.insert(all.end(), kTransfers.begin(), kTransfers.end());
  for (const std::string& name : all) {
    for (const char* const fault :
         {"slow,op=collective,delay=1ms", "link-slow,device=0,peer=1,delay=1ms"}) {
      const std::string answer = answer_of(name, fault);
      INFO(name << ": " << answer);
      CHECK((answer == "0 1 ; 0 1 ; " || answer == "0 1 ; "));
    }
    CHECK_THAT(answer_of(name, "link-slow,device=1,peer=2"), Catch::Matchers::StartsWith("0 0 ; "));
  }
  CHECK(answer_of("Write", "slow,op=collective,name=HcommReadOnThread,delay=1ms") == "0 0 ; ");
  CHECK(answer_of("Read", "slow,op=collective,name=HcommReadOnThread,delay=1ms") == "0 1 ; ");
}

TEST_CASE("a rank that dies as it writes fails the peer that waits for its notify",
          "[hccl][channel][fail]") {
  const OnDevice device(0);
  HcclRootInfo info;
  REQUIRE(HcclGetRootInfo(&info) == HCCL_SUCCESS);
  RunningChild child("writes_until_it_dies",
                     {{"ACLSIM_FAULTS", "process-dies,op=collective,nth=2"}});
  child.say("1 2 0 " + hex_of(info));
  HcclComm comm = nullptr;
  REQUIRE(HcclCommInitRootInfo(2, &info, 0, &comm) == HCCL_SUCCESS);
  HcclChannelDesc desc;
  describe(desc, 1, COMM_PROTOCOL_HCCS);
  ChannelHandle channel = 0;
  REQUIRE(HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, &desc, 1, &channel) == HCCL_SUCCESS);
  ThreadHandle thread = 0;
  REQUIRE(HcclThreadAcquire(comm, COMM_ENGINE_CPU_TS, 1, 0, &thread) == HCCL_SUCCESS);
  void* stream = nullptr;
  REQUIRE(HcclThreadResGetInfo(comm, thread, THREAD_RES_TYPE_STREAM, 8, &stream) == HCCL_SUCCESS);
  for (const bool dies : {false, true}) {
    child.say("write");
    CHECK(HcommChannelNotifyWaitOnThread(thread, channel, 0, 60) == 0);
    const aclError code = aclrtSynchronizeStreamWithTimeout(stream, 60000);
    CHECK(code == (dies ? ACL_ERROR_RT_DRV_INTERNAL_ERROR : ACL_SUCCESS));
  }
  CHECK_THAT(message(), ContainsSubstring("rank 1") && ContainsSubstring("has died"));
  CHECK(HcclCommDestroy(comm) == HCCL_SUCCESS);
}
