// SPDX-License-Identifier: Apache-2.0
// Every function with one of its arguments null or 0, the others being right: 2, and the argument
// is named.
#include <set>
#include <tuple>
#include <type_traits>

#include "hccl/hccl_rank_graph.h"
#include "tests/hccl/linked.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;

namespace {

/// Passes null for each pointer of `arguments` in turn, except those in `optional`, and 0 for each
/// handle in `handles`.
template <class R, class... P>
void check_nulls(const char* name, R (*function)(P...), const std::tuple<P...>& arguments,
                 const std::set<std::size_t>& optional = {},
                 const std::set<std::size_t>& handles = {}) {
  constexpr bool kPointer[] = {std::is_pointer_v<P>...};
  const auto call_without = [&]<std::size_t... I>(std::size_t index, std::index_sequence<I...>) {
    return static_cast<int>(function((I == index ? P{} : std::get<I>(arguments))...));
  };
  for (std::size_t i = 0; i < sizeof...(P); ++i) {
    if (kPointer[i] ? optional.count(i) != 0 : handles.count(i) == 0) continue;
    INFO(name << " without parameter " << i);
    CHECK(call_without(i, std::index_sequence_for<P...>()) == HCCL_E_PTR);
    CHECK_THAT(message(), ContainsSubstring(kPointer[i] ? " is null" : " is 0"));
  }
}

}  // namespace

#define NULLS(function, ...) check_nulls(#function, function, __VA_ARGS__)

TEST_CASE("operations between ranks name what is null", "[hccl][codes]") {
  OneThread two(2);
  void* const a = two.ints(0, std::vector<std::int32_t>(16));
  void* const b = two.ints(0, std::vector<std::int32_t>(16));
  two.on(0);
  HcclComm const comm = two.comms[0];
  aclrtStream const stream = two.streams[0];
  const std::uint64_t ones[] = {1, 1, 1, 1};
  const std::uint64_t places[] = {0, 1};
  HcclSendRecvItem item = {HCCL_SEND, a, 1, kInt, 1};
  NULLS(HcclAllReduce, {a, b, 1, kInt, kSum, comm, stream});
  NULLS(HcclReduce, {a, b, 1, kInt, kSum, 0, comm, stream});
  NULLS(HcclReduceScatter, {a, b, 1, kInt, kSum, comm, stream});
  NULLS(HcclReduceScatterV, {a, ones, places, b, 1, kInt, kSum, comm, stream});
  NULLS(HcclBroadcast, {a, 1, kInt, 0, comm, stream});
  NULLS(HcclScatter, {a, b, 1, kInt, 0, comm, stream});
  NULLS(HcclAllGather, {a, b, 1, kInt, comm, stream});
  NULLS(HcclAllGatherV, {a, 1, b, ones, places, kInt, comm, stream});
  NULLS(HcclAlltoAll, {a, 1, kInt, b, 1, kInt, comm, stream});
  NULLS(HcclAlltoAllV, {a, ones, places, kInt, b, ones, places, kInt, comm, stream});
  NULLS(HcclAlltoAllVC, {a, ones, kInt, b, kInt, comm, stream});
  NULLS(HcclSend, {a, 1, kInt, 1, comm, stream});
  NULLS(HcclRecv, {a, 1, kInt, 1, comm, stream});
  NULLS(HcclBatchSendRecv, {&item, 1, comm, stream});
  NULLS(HcclBarrier, {comm, stream});
  CHECK(two.synchronize(0).second == "");  // nothing was enqueued
}

TEST_CASE("functions of communicators name what is null", "[hccl][codes]") {
  OneThread one(1);
  HcclComm comm = one.comms[0];
  HcclComm made = nullptr;
  HcclComm none = nullptr;
  HcclRootInfo info;
  REQUIRE(HcclGetRootInfo(&info) == HCCL_SUCCESS);
  HcclCommConfig config;
  HcclCommConfigInit(&config);
  std::int32_t devices[] = {0};
  std::uint32_t number = 0;
  char name[COMM_NAME_MAX_LENGTH] = {};
  HcclResult error = HCCL_SUCCESS;
  HcclCommStatus status = HCCL_COMM_STATUS_INVALID;
  bool open = false;
  HcclConfigValue value{};
  NULLS(HcclGetRootInfo, {&info});
  NULLS(HcclCommInitRootInfo, {1, &info, 0, &made});
  NULLS(HcclCommInitRootInfoConfig, {1, &info, 0, &config, &made});
  NULLS(HcclCommInitAll, {1, devices, &made});
  NULLS(HcclCommInitClusterInfo, {"/no/such/table", 0, &made});
  NULLS(HcclCommInitClusterInfoConfig, {"/no/such/table", 0, &config, &made});
  NULLS(HcclCreateSubCommConfig, {&comm, 1, &number, 1, 0, &config, &made}, {2});
  CHECK(HcclCreateSubCommConfig(&none, 1, &number, 1, 0, &config, &made) == HCCL_E_PTR);
  NULLS(HcclGetRankSize, {comm, &number});
  NULLS(HcclGetRankId, {comm, &number});
  NULLS(HcclGetCommName, {comm, name});
  NULLS(HcclGetCommAsyncError, {comm, &error});
  NULLS(HcclCommGetHandleWithName, {"name", &made});
  NULLS(HcclCommGetStatus, {"name", &status});
  NULLS(HcclGroupStatusGet, {&open});
  NULLS(HcclGetConfig, {HCCL_DETERMINISTIC, &value});
  CHECK(made == nullptr);
}

TEST_CASE("questions to the rank graph name what is null", "[hccl][codes]") {
  OneThread one(1);
  HcclComm const comm = one.comms[0];
  std::uint32_t* numbers = nullptr;
  std::uint32_t count = 0;
  CommTopo topology = COMM_TOPO_RESERVED;
  CommLink* links = nullptr;
  NULLS(HcclRankGraphGetLayers, {comm, &numbers, &count});
  NULLS(HcclRankGraphGetRanksByLayer, {comm, 0, &numbers, &count});
  NULLS(HcclRankGraphGetRankSizeByLayer, {comm, 0, &count});
  NULLS(HcclRankGraphGetTopoTypeByLayer, {comm, 0, &topology});
  NULLS(HcclRankGraphGetInstSizeListByLayer, {comm, 0, &numbers, &count});
  NULLS(HcclRankGraphGetLinks, {comm, 0, 0, 1, &links, &count});
}

TEST_CASE("functions of threads, memory and contexts name what is null", "[hccl][codes]") {
  Linked two;
  HcclComm const comm = two.comms[0];
  const ThreadHandle threads[] = {two.thread};
  ThreadHandle made = 0;
  ThreadConfig config;
  ThreadConfigInit(&config, 1);
  void* pointer = nullptr;
  std::uint64_t size = 0;
  std::uint32_t count = 0;
  const CommMem memory{COMM_MEM_TYPE_DEVICE, two.mine, 4};
  HcclMemHandle handle = nullptr;
  constexpr auto kEngine = COMM_ENGINE_CPU_TS;
  NULLS(HcclThreadAcquire, {comm, kEngine, 1, 1, &made});
  NULLS(HcclThreadAcquireWithConfig, {comm, COMM_ENGINE_CPU, 1, THREAD_TYPE_TS, &config, &made});
  NULLS(HcclThreadAcquireWithStream, {comm, kEngine, two.streams[0], 1, &made});
  NULLS(HcclThreadExportToCommEngine, {comm, 1, threads, kEngine, &made});
  NULLS(HcclThreadResGetInfo, {comm, two.thread, THREAD_RES_TYPE_STREAM, 8, &pointer});
  NULLS(HcclGetNotifyNumInThread, {comm, two.thread, kEngine, &count}, {}, {1});
  NULLS(HcclGetHcclBuffer, {comm, &pointer, &size});
  NULLS(HcclCommMemReg, {comm, "tag", &memory, &handle});
  NULLS(HcclCommDeregMem, {comm, "tag", two.mine});
  NULLS(HcclEngineCtxCreate, {comm, "tag", kEngine, 8, &pointer}, {1});
  NULLS(HcclEngineCtxGet, {comm, "tag", kEngine, &pointer, &size}, {1});
  NULLS(HcclEngineCtxCopy, {comm, kEngine, "tag", two.mine, 8, 0}, {2});
  NULLS(HcclEngineCtxDestroy, {comm, "tag", kEngine}, {1});
}

TEST_CASE("functions of channels name what is null", "[hccl][codes]") {
  Linked two;
  HcclComm const comm = two.comms[0];
  HcclChannelDesc desc;
  describe(desc, 1, COMM_PROTOCOL_HCCS);
  ChannelHandle made = 0;
  void* pointer = nullptr;
  std::uint64_t size = 0;
  std::uint32_t count = 0;
  CommMem* memories = nullptr;
  char** tags = nullptr;
  NULLS(HcclChannelAcquire, {comm, COMM_ENGINE_CPU_TS, &desc, 1, &made});
  NULLS(HcclChannelGetHcclBuffer, {comm, two.channel, &pointer, &size}, {}, {1});
  NULLS(HcclChannelGetRemoteMems, {comm, two.channel, &count, &memories, &tags}, {}, {1});
  NULLS(HcclChannelGetNotifyNum, {comm, two.channel, &count}, {}, {1});
  desc.memHandleNum = 1;
  CHECK(HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, &desc, 1, &made) == HCCL_E_PTR);
  CHECK_THAT(message(), ContainsSubstring("memHandles is null, but memHandleNum is 1"));
}

TEST_CASE("operations of threads name what is null or 0", "[hccl][channel][codes]") {
  Linked two;
  ThreadHandle const thread = two.thread;
  ChannelHandle const channel = two.channel;
  void* const mine = two.mine;
  void* const theirs = two.theirs;
  constexpr auto kType = HCOMM_DATA_TYPE_INT32;
  constexpr auto kOp = HCOMM_REDUCE_SUM;
  NULLS(HcommLocalCopyOnThread, {thread, mine, two.mine + 1, 4}, {}, {0});
  NULLS(HcommLocalReduceOnThread, {thread, mine, two.mine + 1, 1, kType, kOp}, {}, {0});
  NULLS(HcommWriteOnThread, {thread, channel, theirs, mine, 4}, {}, {0, 1});
  NULLS(HcommReadOnThread, {thread, channel, mine, theirs, 4}, {}, {0, 1});
  NULLS(HcommWriteReduceOnThread, {thread, channel, theirs, mine, 1, kType, kOp}, {}, {0, 1});
  NULLS(HcommReadReduceOnThread, {thread, channel, mine, theirs, 1, kType, kOp}, {}, {0, 1});
  NULLS(HcommWriteWithNotifyOnThread, {thread, channel, theirs, mine, 4, 0}, {}, {0, 1});
  NULLS(HcommWriteReduceWithNotifyOnThread, {thread, channel, theirs, mine, 1, kType, kOp, 0}, {},
        {0, 1});
  NULLS(HcommThreadNotifyRecordOnThread, {thread, thread, 0}, {}, {0, 1});
  NULLS(HcommThreadNotifyWaitOnThread, {thread, 0, 1}, {}, {0});
  NULLS(HcommThreadNotifyWaitOnThreadWithDefaultTimeout, {thread, 0}, {}, {0});
  NULLS(HcommChannelNotifyRecordOnThread, {thread, channel, 0}, {}, {0, 1});
  NULLS(HcommChannelNotifyWaitOnThread, {thread, channel, 0, 1}, {}, {0, 1});
  NULLS(HcommChannelNotifyWaitOnThreadWithDefaultTimeout, {thread, channel, 0}, {}, {0, 1});
  NULLS(HcommAclrtNotifyRecordOnThread, {thread, 1}, {}, {0});
  NULLS(HcommAclrtNotifyWaitOnThread, {thread, 1, 1}, {}, {0});
  NULLS(HcommFenceOnThread, {thread}, {}, {0});
  NULLS(HcommChannelFenceOnThread, {thread, channel}, {}, {0, 1});
  NULLS(HcommChannelDrainOnThread, {thread, channel}, {}, {0, 1});
  NULLS(HcommAcquireComm, {"name"});
  NULLS(HcommReleaseComm, {"name"});
  CHECK(two.synchronize(0).second == "");
}
