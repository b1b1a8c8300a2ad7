// SPDX-License-Identifier: Apache-2.0
// Operations between ranks that are processes, in graphs: each launch is an occurrence of its own.
#include <iostream>

#include "tests/hccl/linked.h"
#include "tests/hccl/process_rank.h"
#include "tests/support/child.h"
#include "tests/support/two_hosts.h"

using namespace hccltest;
using support::RunningChild;

namespace {

constexpr std::uint32_t kLimit = 60;
constexpr int kLaunches = 5;
constexpr std::uint32_t kThere = 0, kTaken = 1;  // the channel's notifies

/// One of two ranks with its resources, and a graph of one round.
struct CapturedRank {
  explicit CapturedRank(const RankArguments& arguments) : rank(arguments.rank) {
    must(HcclCommInitRootInfo(2, &arguments.info, rank, &comm) == HCCL_SUCCESS);
    must(aclrtCreateStream(&stream) == ACL_SUCCESS);
    void* memory = nullptr;
    must(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
    number = static_cast<std::int32_t*>(memory);
    must(aclrtMemset(number, 64, 0, 64) == ACL_SUCCESS);
    HcclChannelDesc desc;
    describe(desc, 1 - rank, arguments.seed == 0 ? COMM_PROTOCOL_HCCS : COMM_PROTOCOL_ROCE);
    must(HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, &desc, 1, &channel) == HCCL_SUCCESS);
    must(HcclThreadAcquireWithStream(comm, COMM_ENGINE_CPU_TS, stream, 0, &thread) == HCCL_SUCCESS);
    std::uint64_t size = 0;
    must(HcclGetHcclBuffer(comm, &own, &size) == HCCL_SUCCESS);
    must(HcclChannelGetHcclBuffer(comm, channel, &theirs, &size) == HCCL_SUCCESS);
  }
  ~CapturedRank() {
    aclmdlRIDestroy(model);
    HcclCommDestroy(comm);
    aclrtDestroyStream(stream);
    aclrtFree(number);
  }
  /// Rank 0 adds one to its number, writes it to rank 1 and sets a flag there. Rank 1 waits for the
  /// flag, copies the number and sets a flag of rank 0. Then both ranks sum the number.
  void capture() {
    must(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED) == ACL_SUCCESS);
    if (rank == 0) {
      must(HcommLocalReduceOnThread(thread, number, number + 1, 1, HCOMM_DATA_TYPE_INT32,
                                    HCOMM_REDUCE_SUM) == 0);
      must(HcommWriteOnThread(thread, channel, theirs, number, 4) == 0);
      must(HcommChannelNotifyRecordOnThread(thread, channel, kThere) == 0);
      must(HcommChannelNotifyWaitOnThread(thread, channel, kTaken, kLimit) == 0);
    } else {
      must(HcommChannelNotifyWaitOnThread(thread, channel, kThere, kLimit) == 0);
      must(HcommLocalCopyOnThread(thread, number, own, 4) == 0);
      must(HcommChannelNotifyRecordOnThread(thread, channel, kTaken) == 0);
    }
    must(HcclAllReduce(number, number + 2, 1, kInt, kSum, comm, stream) == HCCL_SUCCESS);
    must(aclmdlRICaptureEnd(stream, &model) == ACL_SUCCESS);
  }
  std::string launch() {
    const std::int32_t one = 1;
    if (rank == 0)
      must(aclrtMemcpy(number + 1, 4, &one, 4, ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS);
    for (int i = 1; i <= kLaunches; ++i) {
      must(aclmdlRIExecuteAsync(model, stream) == ACL_SUCCESS);
      if (i % 2 == 0) continue;  // others wait behind each other in the stream
      if (aclrtSynchronizeStreamWithTimeout(stream, 60000) != ACL_SUCCESS) return message();
      std::int32_t got[3] = {};
      aclrtMemcpy(got, sizeof got, number, sizeof got, ACL_MEMCPY_DEVICE_TO_HOST);
      if (got[0] != i || got[2] != 2 * i) {
        return fmt::format("rank {}, launch {}: {} and {}", rank, i, got[0], got[2]);
      }
    }
    return {};
  }
  const std::uint32_t rank;
  HcclComm comm = nullptr;
  aclrtStream stream = nullptr;
  aclmdlRI model = nullptr;
  std::int32_t* number = nullptr;
  ChannelHandle channel = 0;
  ThreadHandle thread = 0;
  void* own = nullptr;
  void* theirs = nullptr;
};

CHILD_PROGRAM(launches_captured_rounds) {
  const RankArguments arguments;
  std::string problem;
  {
    CapturedRank self(arguments);
    self.capture();
    problem = self.launch();
  }
  std::cout << (problem.empty() ? "right" : problem) << std::endl;
  return 0;
}

}  // namespace

TEST_CASE("a graph that is launched after its communicator was destroyed fails", "[hccl][fail]") {
  OneThread two(2);
  void* const memory = two.ints(0, {1, 2});
  two.on(0);
  aclmdlRI model = nullptr;
  REQUIRE(aclmdlRICaptureBegin(two.streams[0], ACL_MODEL_RI_CAPTURE_MODE_RELAXED) == ACL_SUCCESS);
  REQUIRE(HcclAllReduce(memory, memory, 1, kInt, kSum, two.comms[0], two.streams[0]) ==
          HCCL_SUCCESS);
  REQUIRE(aclmdlRICaptureEnd(two.streams[0], &model) == ACL_SUCCESS);
  REQUIRE(HcclCommDestroy(two.comms[0]) == HCCL_SUCCESS);
  CHECK(aclmdlRIExecuteAsync(model, two.streams[0]) == ACL_SUCCESS);
  const auto [code, text] = two.synchronize(0);
  CHECK(code == ACL_ERROR_RT_INTERNAL_ERROR);
  CHECK_THAT(text, catch_compat::ContainsSubstring("the communicator was destroyed before; ") &&
                       catch_compat::ContainsSubstring("HcclAllReduce"));
  CHECK(aclmdlRIDestroy(model) == ACL_SUCCESS);
}

TEST_CASE("captured notifies, writes and sums of ranks that are processes run with each launch",
          "[hccl][channel]") {
  for (const char* const check : {"", "1"}) {
    const OnDevice device(0);
    HcclRootInfo info;
    REQUIRE(HcclGetRootInfo(&info) == HCCL_SUCCESS);
    std::vector<std::unique_ptr<RunningChild>> ranks;
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
      ranks.push_back(std::make_unique<RunningChild>(
          "launches_captured_rounds", support::Environment{{"ACLSIM_CHECK", check}}));
      ranks.back()->say(fmt::format("{} 2 0 {}", rank, hex_of(info)));
    }
    for (const auto& rank : ranks) CHECK(rank->hear() == "right");
  }
}

TEST_CASE("captured notifies, writes and sums of ranks of two hosts run with each launch",
          "[hccl][channel][hosts]") {
  const auto hosts = support::TwoHosts::make();
  if (!hosts) return;
  const RanksOfHosts ranks(*hosts, {0, 1}, "launches_captured_rounds", 1);
  for (const auto& rank : ranks.children) CHECK(rank->hear() == "right");
}
