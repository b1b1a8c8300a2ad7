// SPDX-License-Identifier: Apache-2.0
// Values that functions refuse, and nulls and zeros that they accept, where no other file is about
// them.
#include <cstring>
#include <fstream>
#include <iostream>
#include <limits>

#include "hccl/hccl_launch.h"
#include "hccl/hccl_rank_graph.h"
#include "hccl/hccl_team.h"
#include "hcomm/hcomm_channel.h"
#include "tests/hccl/linked.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;

namespace {

constexpr std::uint64_t kPastMost = 0x800000000;
constexpr auto kUnknownType = static_cast<HcclDataType>(13);

HcclCommConfig named(const char* name) {
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  std::strcpy(config.hcclCommName, name);
  return config;
}

/// A communicator of one rank on device 0, destroyed at the end.
struct Alone {
  explicit Alone(const char* name) {
    REQUIRE(HcclGetRootInfo(&info) == HCCL_SUCCESS);
    const HcclCommConfig config = named(name);
    REQUIRE(HcclCommInitRootInfoConfig(1, &info, 0, &config, &comm) == HCCL_SUCCESS);
  }
  ~Alone() { HcclCommDestroy(comm); }
  OnDevice device{0};
  HcclRootInfo info;
  HcclComm comm = nullptr;
};

/// A rank table of one rank.
struct TableOfOne {
  TableOfOne() {
    std::ofstream(path) << R"({"status": "completed", "version": "1.0", "server_count": "1",
      "server_list": [{"server_id": "node", "device": [{"device_id": "0", "rank_id": "0"}]}]})";
  }
  support::TempDir dir;
  const std::string path = (dir.path() / "ranks.json").string();
};

CHILD_PROGRAM(asks_for_strict_order) {
  CHILD_EXPECT(aclrtSetDevice(0) == ACL_SUCCESS);
  HcclConfigValue value;
  value.value = 2;
  std::cout << HcclSetConfig(HCCL_DETERMINISTIC, value) << " " << message() << std::endl;
  value.value = 1;
  CHILD_EXPECT(HcclSetConfig(HCCL_DETERMINISTIC, value) == HCCL_SUCCESS);
  return 0;
}

}  // namespace

TEST_CASE("reductions in parts refuse counts, types and products that cannot be", "[hccl][codes]") {
  OneThread two(2);
  void* const a = two.ints(0, std::vector<std::int32_t>(16));
  void* const b = two.ints(0, std::vector<std::int32_t>(16));
  two.on(0);
  const std::uint64_t ones[] = {1, 1};
  const std::uint64_t many[] = {1, kPastMost};
  const std::uint64_t places[] = {0, 1};
  const auto each = [&](std::uint64_t count, HcclDataType type, HcclReduceOp op) {
    const HcclResult codes[] = {
        HcclReduceScatter(a, b, count, type, op, two.comms[0], two.streams[0]),
        HcclReduce(a, b, count, type, op, 0, two.comms[0], two.streams[0]),
        HcclReduceScatterV(a, ones, places, b, count, type, op, two.comms[0], two.streams[0])};
    CHECK(codes[0] == codes[1]);
    CHECK(codes[1] == codes[2]);
    return codes[0];
  };
  CHECK(each(kPastMost, kInt, kSum) == HCCL_E_PARA);
  CHECK(each(1, HCCL_DATA_TYPE_UINT32, kSum) == HCCL_E_NOT_SUPPORT);
  CHECK(each(1, kUnknownType, kSum) == HCCL_E_NOT_SUPPORT);
  CHECK(each(1, HCCL_DATA_TYPE_INT16, HCCL_REDUCE_PROD) == HCCL_E_NOT_SUPPORT);
  CHECK(each(1, HCCL_DATA_TYPE_BFP16, HCCL_REDUCE_PROD) == HCCL_E_NOT_SUPPORT);
  CHECK(HcclReduceScatterV(a, many, places, b, 1, kInt, kSum, two.comms[0], two.streams[0]) ==
        HCCL_E_PARA);
  CHECK(HcclReduceScatterV(a, ones, places, b, 2, kInt, kSum, two.comms[0], two.streams[0]) ==
        HCCL_E_PARA);
}

TEST_CASE("moves of data refuse counts, types and buffers that cannot be", "[hccl][codes]") {
  OneThread two(2);
  void* const a = two.ints(0, std::vector<std::int32_t>(16));
  void* const b = two.ints(0, std::vector<std::int32_t>(16));
  two.on(0);
  HcclComm const comm = two.comms[0];
  aclrtStream const stream = two.streams[0];
  const std::uint64_t ones[] = {1, 1, 1, 1};
  const std::uint64_t many[] = {1, kPastMost, 1, 1};
  const std::uint64_t places[] = {0, 1};
  CHECK(HcclBroadcast(a, kPastMost, kInt, 0, comm, stream) == HCCL_E_PARA);
  CHECK(HcclScatter(a, b, kPastMost, kInt, 0, comm, stream) == HCCL_E_PARA);
  CHECK(HcclScatter(a, b, 1, kUnknownType, 0, comm, stream) == HCCL_E_NOT_SUPPORT);
  CHECK(HcclRecv(b, kPastMost, kInt, 1, comm, stream) == HCCL_E_PARA);
  CHECK(HcclAllGatherV(a, 1, a, ones, places, kInt, comm, stream) == HCCL_E_PARA);
  CHECK(HcclAllGatherV(a, 2, b, ones, places, kInt, comm, stream) == HCCL_E_PARA);
  CHECK_THAT(message(),
             ContainsSubstring("sendCount is 2; expected 1, this rank's count in recvCounts"));
  CHECK(HcclAllGatherV(a, 1, b, many, places, kInt, comm, stream) == HCCL_E_PARA);
  CHECK(HcclAllGatherV(a, 1, b, ones, places, kUnknownType, comm, stream) == HCCL_E_NOT_SUPPORT);
  for (const std::uint64_t count : {kPastMost, std::numeric_limits<std::uint64_t>::max() / 4}) {
    CHECK(HcclAlltoAll(a, count, kInt, b, count, kInt, comm, stream) == HCCL_E_PARA);
  }
  CHECK(HcclAlltoAll(a, 1, kUnknownType, b, 1, kUnknownType, comm, stream) == HCCL_E_NOT_SUPPORT);
  CHECK(HcclAlltoAllV(a, many, places, kInt, b, ones, places, kInt, comm, stream) == HCCL_E_PARA);
  CHECK(HcclAlltoAllVC(a, many, kInt, b, kInt, comm, stream) == HCCL_E_PARA);
  HcclSendRecvItem item = {HCCL_SEND, nullptr, 1, kInt, 1};
  CHECK(HcclBatchSendRecv(&item, 1, comm, stream) == HCCL_E_PTR);
  CHECK(two.synchronize(0).second == "");
}

TEST_CASE("a buffer may be null where nothing is sent from it, or received into it",
          "[hccl][codes]") {
  OneThread two(2);
  std::int32_t* const source = two.ints(0, {5, 6});
  std::int32_t* const target = two.ints(1, {0, 0});
  std::int32_t* const own = two.ints(0, {0, 0});
  const std::uint64_t none[] = {0, 0};
  const std::uint64_t to_second[] = {0, 2};
  const std::uint64_t from_first[] = {2, 0};
  const std::uint64_t matrix[] = {0, 2, 0, 0};
  two.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    const bool first = rank == 0;
    CHECK(HcclScatter(first ? source : nullptr, first ? own : target, 1, kInt, 0, comm, stream) ==
          0);
    CHECK(HcclAlltoAllV(first ? source : nullptr, first ? to_second : none, none, kInt,
                        first ? nullptr : target, first ? none : from_first, none, kInt, comm,
                        stream) == HCCL_SUCCESS);
    CHECK(HcclAlltoAllVC(first ? source : nullptr, matrix, kInt, first ? nullptr : target, kInt,
                         comm, stream) == HCCL_SUCCESS);
  });
  for (const std::uint32_t rank : {0u, 1u}) CHECK(two.synchronize(rank).second == "");
  CHECK(OneThread::read(own, 1).front() == 5);
  CHECK(OneThread::read(target, 2) == std::vector<std::int32_t>{5, 6});
}

TEST_CASE("the threads of a communicator have 65536 notifies in all, and fail as a whole",
          "[hccl][codes]") {
  OneThread world(1);
  HcclComm const comm = world.comms[0];
  std::vector<ThreadHandle> threads(200);
  const auto acquire = [&](std::uint32_t count, std::uint32_t notifies) {
    return HcclThreadAcquire(comm, COMM_ENGINE_CPU_TS, count, notifies, threads.data());
  };
  CHECK(acquire(2, 40000) == HCCL_E_UNAVAIL);
  CHECK_THAT(message(), ContainsSubstring("0 notifies and are to have 80000 more; expected 65536"));
  CHECK(threads[0] == 0);
  CHECK(acquire(2, 32000) == HCCL_SUCCESS);  // nothing is left of the ones before
  ThreadHandle own = 0;
  const auto of_stream = [&](std::uint32_t notifies) {
    return HcclThreadAcquireWithStream(comm, COMM_ENGINE_CPU_TS, world.streams[0], notifies, &own);
  };
  CHECK(of_stream(1537) == HCCL_E_UNAVAIL);
  CHECK(of_stream(1500) == HCCL_SUCCESS);
  CHECK(of_stream(1535) == HCCL_SUCCESS);  // 35 more
  CHECK(of_stream(1536) == HCCL_E_UNAVAIL);
  CHECK_THAT(message(), ContainsSubstring("the device has no notify left"));  // it has 65535
  CHECK(acquire(1, 1) == HCCL_E_UNAVAIL);
  CHECK(acquire(197, 0) == HCCL_SUCCESS);
  CHECK(acquire(1, 0) == HCCL_E_UNAVAIL);
  CHECK_THAT(message(), ContainsSubstring("has 200 threads and is to have 1 more; expected 200"));
}

TEST_CASE("a name is one communicator's as long as it is alive", "[hccl][codes]") {
  const Alone alone("alive");
  HcclComm again = nullptr;
  const HcclCommConfig config = named("alive");
  HcclRootInfo other;
  REQUIRE(HcclGetRootInfo(&other) == HCCL_SUCCESS);
  CHECK(HcclCommInitRootInfoConfig(1, &other, 0, &config, &again) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("a communicator named 'alive' already"));
  std::uint32_t self[] = {0};
  HcclComm comm = alone.comm;
  CHECK(HcclCreateSubCommConfig(&comm, 1, self, 1, 0, const_cast<HcclCommConfig*>(&config),
                                &again) == HCCL_E_PARA);
  // One root info is one name, where no configuration gives another.
  HcclComm first = nullptr;
  REQUIRE(HcclCommInitRootInfo(1, &other, 0, &first) == HCCL_SUCCESS);
  CHECK(HcclCommInitRootInfo(1, &other, 0, &again) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("already"));
  CHECK(HcclCommDestroy(first) == HCCL_SUCCESS);
  CHECK(again == nullptr);
}

TEST_CASE("communicators of rank tables have one name, and their configurations are read",
          "[hccl][codes]") {
  const TableOfOne table;
  const OnDevice device(0);
  const char* const path = table.path.c_str();
  HcclComm comm = nullptr;
  HcclComm again = nullptr;
  HcclCommConfig config = named("by table");
  CHECK(HcclCommInitClusterInfoConfig("/no/such/table", 0, &config, &comm) == HCCL_E_INTERNAL);
  CHECK(HcclCommInitClusterInfoConfig(path, 1, &config, &comm) == HCCL_E_PARA);
  REQUIRE(HcclCommInitClusterInfo(path, 0, &comm) == HCCL_SUCCESS);
  CHECK(HcclCommInitClusterInfo(path, 0, &again) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("'hccl_world_group' already"));
  CHECK(HcclCommDestroy(comm) == HCCL_SUCCESS);
  REQUIRE(HcclCommInitClusterInfoConfig(path, 0, &config, &comm) == HCCL_SUCCESS);
  char name[COMM_NAME_MAX_LENGTH] = {};
  CHECK(HcclGetCommName(comm, name) == HCCL_SUCCESS);
  CHECK(std::string(name) == "by table");
  CHECK(HcclCommInitClusterInfoConfig(path, 0, &config, &again) == HCCL_E_PARA);
  config.reserved[8] = 0;
  CHECK(HcclCommInitClusterInfoConfig(path, 0, &config, &again) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("magic word"));
  std::uint32_t self[] = {0};
  CHECK(HcclCreateSubCommConfig(&comm, 1, self, 1, 0, &config, &again) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("magic word"));
  CHECK(HcclCommDestroy(comm) == HCCL_SUCCESS);
}

TEST_CASE("a configuration does not make up for numbers of ranks that cannot be", "[hccl][codes]") {
  const Alone alone("beside");
  HcclComm comm = nullptr;
  const HcclCommConfig config = named("other");
  CHECK(HcclCommInitRootInfoConfig(0, &alone.info, 0, &config, &comm) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("nRanks is 0"));
  CHECK(HcclCommInitRootInfoConfig(1, &alone.info, 1, &config, &comm) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("rank is 1; expected less than nRanks, 1"));
}

TEST_CASE("communicators that one call could not make are null", "[hccl][codes]") {
  const OnDevice device(0);
  int something = 0;
  HcclComm comms[] = {&something, &something};
  std::int32_t missing[] = {0, 99};
  CHECK(HcclCommInitAll(2, missing, comms) == HCCL_E_INTERNAL);
  for (const HcclComm comm : comms) CHECK(comm == nullptr);
}

TEST_CASE("the release of a communicator that is gone is let pass", "[hccl][codes]") {
  const OnDevice device(0);
  CHECK(HcommReleaseComm("nobody") == HCCL_SUCCESS);
}

TEST_CASE("sums in a strict order are for the chips that have them", "[hccl][codes]") {
  const auto answer = [](const char* soc) {
    support::RunningChild child("asks_for_strict_order", {{"ACLSIM_SOC", soc}});
    return child.hear();
  };
  CHECK_THAT(answer("Ascend910B3"), ContainsSubstring("0 "));
  for (const std::string soc : {"Ascend910_9391", "Ascend950"}) {
    CHECK_THAT(
        answer(soc.c_str()),
        ContainsSubstring("5 ") && ContainsSubstring("is 2 (strict), which " + soc + " has not"));
  }
}

TEST_CASE("contexts have tags of 255 characters or less in every call", "[hccl][codes]") {
  OneThread world(1);
  HcclComm const comm = world.comms[0];
  const std::string tag(256, 'x');
  void* address = nullptr;
  std::uint64_t size = 0;
  constexpr auto kEngine = COMM_ENGINE_CPU;
  CHECK(HcclEngineCtxGet(comm, tag.c_str(), kEngine, &address, &size) == HCCL_E_PARA);
  CHECK(HcclEngineCtxCopy(comm, kEngine, tag.c_str(), &size, 8, 0) == HCCL_E_PARA);
  CHECK(HcclEngineCtxDestroy(comm, tag.c_str(), kEngine) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("ctxTag is longer than 255 characters"));
}

TEST_CASE("threads by configuration serve the engines of the host and of the AI CPU",
          "[hccl][codes]") {
  OneThread world(1);
  ThreadConfig config;
  ThreadConfigInit(&config, 1);
  ThreadHandle thread = 0;
  for (const CommEngine engine : {COMM_ENGINE_CPU_TS, COMM_ENGINE_AICPU_TS, COMM_ENGINE_AIV,
                                  COMM_ENGINE_CCU, COMM_ENGINE_RESERVED}) {
    CHECK(HcclThreadAcquireWithConfig(world.comms[0], engine, 1, THREAD_TYPE_TS, &config,
                                      &thread) == HCCL_E_PARA);
  }
  CHECK(HcclThreadAcquireWithConfig(world.comms[0], COMM_ENGINE_AICPU, 1, THREAD_TYPE_INVALID,
                                    &config, &thread) == HCCL_E_PARA);
  CHECK(HcclThreadAcquireWithConfig(world.comms[0], COMM_ENGINE_AICPU, 1, THREAD_TYPE_TS, &config,
                                    &thread) == HCCL_SUCCESS);
}

TEST_CASE("links are asked for between two ranks in a layer that there is", "[hccl][codes]") {
  OneThread two(2);
  CommLink* links = nullptr;
  std::uint32_t count = 9;
  CHECK(HcclRankGraphGetLinks(two.comms[0], 1, 0, 1, &links, &count) == HCCL_SUCCESS);
  CHECK(count == 0);  // of one server
  CHECK(HcclRankGraphGetLinks(two.comms[0], 2, 0, 1, &links, &count) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("netLayer is 2; expected 0 or 1"));
  CHECK(HcclRankGraphGetLinks(two.comms[0], 0, 2, 1, &links, &count) == HCCL_E_PARA);
  CHECK(HcclRankGraphGetLinks(two.comms[0], 0, 0, 1, &links, &count) == HCCL_SUCCESS);
  CHECK(count == 1);
}

TEST_CASE("descriptions of what is not emulated are made too, of something", "[hccl][codes]") {
  CHECK(HcclOpDescInit(nullptr) == HCCL_E_PTR);
  CHECK(HcclKernelLaunchCfgInit(nullptr) == HCCL_E_PTR);
  CHECK(HcclTeamCreateDescInit(nullptr) == HCCL_E_PTR);
  CHECK(HcclTeamCreateChannelsDescInit(nullptr) == HCCL_E_PTR);
  CHECK(HcommChannelDescInit(nullptr, 1) == HCCL_E_PTR);
  HcommChannelDesc desc;
  CHECK(HcommChannelDescInit(&desc, 1) == HCCL_SUCCESS);
}
