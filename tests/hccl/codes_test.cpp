// SPDX-License-Identifier: Apache-2.0
// The codes of HCOMM's functions, function by function: refused arguments, and arguments that have
// no effect.
#include <cmath>
#include <future>
#include <limits>

#include "hccl/hccl_rank_graph.h"
#include "tests/hccl/linked.h"
#include "tests/support/waiting.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;

namespace {

constexpr auto kI32 = HCOMM_DATA_TYPE_INT32;
constexpr auto kAdd = HCOMM_REDUCE_SUM;

}  // namespace

TEST_CASE("transfers refuse null handles and addresses, and nothing is to do for no bytes",
          "[hccl][channel][codes]") {
  Linked two;
  for (const auto transfer : {HcommWriteOnThread, HcommReadOnThread}) {
    const bool writes = transfer == HcommWriteOnThread;
    void* const to = writes ? two.theirs : two.mine;
    const void* const from = writes ? two.mine : two.theirs;
    CHECK(transfer(0, two.channel, to, from, 4) == HCCL_E_PTR);
    CHECK(transfer(two.thread, 0, to, from, 4) == HCCL_E_PTR);
    CHECK(transfer(two.thread, two.channel, nullptr, from, 4) == HCCL_E_PTR);
    CHECK(transfer(two.thread, two.channel, to, nullptr, 4) == HCCL_E_PTR);
    CHECK(transfer(12345, two.channel, to, from, 4) == HCCL_E_PARA);
    CHECK(transfer(two.thread, 12345, to, from, 4) == HCCL_E_PARA);
    CHECK(transfer(two.thread, two.channel, to, from, 0) == 0);
    CHECK(transfer(two.thread, two.channel, to, from, 16) == 0);
  }
  CHECK(HcommLocalCopyOnThread(0, two.mine, two.mine + 1, 4) == HCCL_E_PTR);
  CHECK(HcommLocalCopyOnThread(two.thread, nullptr, two.mine, 4) == HCCL_E_PTR);
  CHECK(HcommLocalCopyOnThread(two.thread, two.mine, nullptr, 4) == HCCL_E_PTR);
  CHECK(HcommLocalCopyOnThread(two.thread, two.mine, two.mine + 1, 0) == 0);
  CHECK(HcommLocalCopyOnThread(two.thread, two.mine, two.mine, 4) == 0);
  CHECK(two.synchronize(0).second == "");
}

TEST_CASE("reductions of threads take six types and three operations", "[hccl][channel][codes]") {
  Linked two;
  const auto all = [&](HcommDataType type, HcommReduceOp op, std::uint64_t count) {
    const std::int32_t codes[] = {
        HcommLocalReduceOnThread(two.thread, two.mine, two.mine + 2, count, type, op),
        HcommWriteReduceOnThread(two.thread, two.channel, two.theirs, two.mine, count, type, op),
        HcommReadReduceOnThread(two.thread, two.channel, two.mine, two.theirs, count, type, op),
        HcommWriteReduceWithNotifyOnThread(two.thread, two.channel, two.theirs, two.mine, count,
                                           type, op, 0)};
    for (const std::int32_t code : codes) CHECK(code == codes[0]);
    return codes[0];
  };
  for (const auto type : {HCOMM_DATA_TYPE_INT8, HCOMM_DATA_TYPE_INT16, HCOMM_DATA_TYPE_INT32,
                          HCOMM_DATA_TYPE_FP16, HCOMM_DATA_TYPE_FP32, HCOMM_DATA_TYPE_BFP16}) {
    for (const auto op : {HCOMM_REDUCE_SUM, HCOMM_REDUCE_MAX, HCOMM_REDUCE_MIN}) {
      CHECK(all(type, op, 1) == 0);
    }
    CHECK(all(type, HCOMM_REDUCE_PROD, 1) == HCCL_E_PARA);
  }
  for (const auto type : {HCOMM_DATA_TYPE_INT64, HCOMM_DATA_TYPE_UINT8, HCOMM_DATA_TYPE_FP64}) {
    CHECK(all(type, kAdd, 1) == HCCL_E_PARA);
  }
  CHECK(all(kI32, kAdd, 0) == 0);
  CHECK(HcommLocalReduceOnThread(two.thread, nullptr, two.mine, 1, kI32, kAdd) == HCCL_E_PTR);
  CHECK(HcommWriteReduceOnThread(two.thread, two.channel, two.theirs, nullptr, 1, kI32, kAdd) ==
        HCCL_E_PTR);
  CHECK(HcommReadReduceOnThread(two.thread, 0, two.mine, two.theirs, 1, kI32, kAdd) == HCCL_E_PTR);
  CHECK(two.synchronize(0).second == "");
}

TEST_CASE("a channel over ROCE does not reduce what it reads", "[hccl][channel][codes]") {
  Linked two(COMM_PROTOCOL_ROCE);
  CHECK(HcommReadReduceOnThread(two.thread, two.channel, two.mine, two.theirs, 1, kI32, kAdd) ==
        HCCL_E_NOT_SUPPORT);
  CHECK_THAT(message(), ContainsSubstring("ROCE"));
  CHECK(HcommWriteReduceOnThread(two.thread, two.channel, two.theirs, two.mine, 1, kI32, kAdd) ==
        0);
  CHECK(two.synchronize(0).second == "");
}

TEST_CASE("an index past the end is 4 for notifies of channels and 2 for those of threads",
          "[hccl][channel][codes]") {
  Linked two;
  ThreadHandle const thread = two.thread;
  CHECK(HcommChannelNotifyRecordOnThread(thread, two.channel, 2) == HCCL_E_INTERNAL);
  CHECK(HcommChannelNotifyWaitOnThread(thread, two.channel, 2, 1) == HCCL_E_INTERNAL);
  CHECK(HcommChannelNotifyWaitOnThreadWithDefaultTimeout(thread, two.channel, 2) ==
        HCCL_E_INTERNAL);
  CHECK(HcommWriteWithNotifyOnThread(thread, two.channel, two.theirs, two.mine, 4, 2) ==
        HCCL_E_INTERNAL);
  CHECK(HcommThreadNotifyRecordOnThread(thread, thread, 2) == HCCL_E_PTR);
  CHECK(HcommThreadNotifyWaitOnThread(thread, 2, 1) == HCCL_E_PTR);
  CHECK(HcommThreadNotifyWaitOnThreadWithDefaultTimeout(thread, 2) == HCCL_E_PTR);
  CHECK(two.synchronize(0).second == "");
}

TEST_CASE("records and waits without a thread or a channel are refused", "[hccl][channel][codes]") {
  Linked two;
  CHECK(HcommChannelNotifyRecordOnThread(0, two.channel, 0) == HCCL_E_PTR);
  CHECK(HcommChannelNotifyRecordOnThread(two.thread, 0, 0) == HCCL_E_PTR);
  CHECK(HcommChannelNotifyWaitOnThread(0, two.channel, 0, 1) == HCCL_E_PTR);
  CHECK(HcommChannelNotifyWaitOnThread(two.thread, 0, 0, 1) == HCCL_E_PTR);
  CHECK(HcommChannelNotifyWaitOnThreadWithDefaultTimeout(0, two.channel, 0) == HCCL_E_PTR);
  CHECK(HcommThreadNotifyRecordOnThread(0, two.thread, 0) == HCCL_E_PTR);
  CHECK(HcommThreadNotifyRecordOnThread(two.thread, 0, 0) == HCCL_E_PTR);
  CHECK(HcommThreadNotifyWaitOnThread(0, 0, 1) == HCCL_E_PTR);
  CHECK(HcommThreadNotifyWaitOnThreadWithDefaultTimeout(0, 0) == HCCL_E_PTR);
  CHECK(HcommAclrtNotifyWaitOnThread(0, 0, 1) == HCCL_E_PTR);
  CHECK(HcommFenceOnThread(0) == HCCL_E_PTR);
  CHECK(HcommChannelFenceOnThread(two.thread, 0) == HCCL_E_PTR);
  CHECK(HcommChannelFenceOnThread(0, two.channel) == HCCL_E_PTR);
  CHECK(HcommFenceOnThread(two.thread) == 0);
  CHECK(HcommChannelFenceOnThread(two.thread, two.channel) == 0);
}

TEST_CASE("the default limit of waits is a number of seconds that fits", "[hccl][channel][codes]") {
  CHECK(HcommSetNotifyWaitTimeOut(-1.0F) == HCCL_E_PARA);
  CHECK(HcommSetNotifyWaitTimeOut(std::numeric_limits<float>::quiet_NaN()) == HCCL_E_PARA);
  CHECK(HcommSetNotifyWaitTimeOut(5e9F) == HCCL_E_PARA);
  CHECK(HcommSetNotifyWaitTimeOut(std::numeric_limits<float>::infinity()) == HCCL_E_PARA);
  CHECK(HcommSetNotifyWaitTimeOut(1.9F) == 0);
  {
    Linked two;
    CHECK(HcommChannelNotifyWaitOnThreadWithDefaultTimeout(two.thread, two.channel, 0) == 0);
    const auto [code, text] = two.synchronize(0);
    CHECK(code == ACL_ERROR_RT_WAIT_TIMEOUT);
    CHECK_THAT(text, ContainsSubstring("longer than 1 s"));
  }
  CHECK(HcommSetNotifyWaitTimeOut(0.0F) == 0);
}

TEST_CASE("what is issued in batch mode has run when the stream is synchronised after its end",
          "[hccl][channel][codes]") {
  Linked two;
  CHECK(HcommBatchModeStart("batch") == 0);
  CHECK(HcommWriteOnThread(two.thread, two.channel, two.theirs, two.mine, 16) == 0);
  CHECK(HcommWriteReduceOnThread(two.thread, two.channel, two.theirs, two.mine, 4, kI32, kAdd) ==
        0);
  CHECK(HcommReadOnThread(two.thread, two.channel, two.mine, two.theirs, 16) == 0);
  CHECK(HcommBatchModeEnd("batch") == 0);
  CHECK(two.synchronize(0).second == "");
  CHECK(OneThread::read(two.mine, 4) == std::vector<std::int32_t>{2, 4, 6, 8});
}

TEST_CASE("operations that return at once, or have no thread, say that they are not there",
          "[hccl][channel][codes]") {
  Linked two;
  ChannelHandle const channel = two.channel;
  void* const to = two.theirs;
  const void* const from = two.mine;
  const auto refused = [](std::int32_t code, const char* name) {
    CHECK(code == HCCL_E_NOT_SUPPORT);
    CHECK_THAT(message(), ContainsSubstring(std::string(name) + " is not emulated"));
  };
  refused(HcommWriteNbiOnThread(two.thread, channel, to, from, 4), "HcommWriteNbiOnThread");
  refused(HcommWriteNbi(channel, to, from, 4), "HcommWriteNbi");
  refused(HcommWriteWithNotifyNbiOnThread(two.thread, channel, to, from, 4, 0),
          "HcommWriteWithNotifyNbiOnThread");
  refused(HcommWriteWithNotifyNbi(channel, to, from, 4, 0), "HcommWriteWithNotifyNbi");
  refused(HcommReadNbiOnThread(two.thread, channel, to, from, 4), "HcommReadNbiOnThread");
  refused(HcommReadNbi(channel, to, from, 4), "HcommReadNbi");
  refused(HcommChannelNotifyRecord(channel, 0), "HcommChannelNotifyRecord");
  refused(HcommChannelNotifyWait(channel, 0, 1), "HcommChannelNotifyWait");
  refused(HcommChannelFence(channel), "HcommChannelFence");
  refused(HcommThreadResAcquireTimeOut(1.0F), "HcommThreadResAcquireTimeOut");
  HcommBatchTransferDesc desc{};
  refused(HcommBatchTransferOnThread(two.thread, channel, &desc, 1), "HcommBatchTransferOnThread");
}

TEST_CASE("threads are acquired with what can be, and no more than 200", "[hccl][channel][codes]") {
  OneThread world(1);
  HcclComm const comm = world.comms[0];
  std::vector<ThreadHandle> threads(201);
  const auto of_stream = [&](HcclComm from, CommEngine engine, aclrtStream stream,
                             ThreadHandle* to) {
    return HcclThreadAcquireWithStream(from, engine, stream, 1, to);
  };
  aclrtStream const stream = world.streams[0];
  CHECK(of_stream(nullptr, COMM_ENGINE_CPU, stream, &threads[0]) == HCCL_E_PTR);
  CHECK(of_stream(comm, COMM_ENGINE_CPU, nullptr, &threads[0]) == HCCL_E_PTR);
  CHECK(of_stream(comm, COMM_ENGINE_CPU, stream, nullptr) == HCCL_E_PTR);
  CHECK(of_stream(comm, COMM_ENGINE_AIV, stream, &threads[0]) == HCCL_E_PARA);
  CHECK(of_stream(comm, COMM_ENGINE_CPU, stream, &threads[0]) == HCCL_SUCCESS);
  CHECK(HcclThreadAcquireWithStream(comm, COMM_ENGINE_CPU_TS, stream, 3, &threads[1]) == 0);
  CHECK(threads[0] == threads[1]);  // with more notifies
  CHECK(HcommThreadNotifyRecordOnThread(threads[0], threads[0], 2) == 0);
  CHECK(HcclThreadAcquire(nullptr, COMM_ENGINE_CPU_TS, 1, 0, threads.data()) == HCCL_E_PTR);
  CHECK(HcclThreadAcquire(comm, COMM_ENGINE_CPU_TS, 199, 0, threads.data()) == HCCL_SUCCESS);
  CHECK(HcclThreadAcquire(comm, COMM_ENGINE_CPU_TS, 1, 0, threads.data()) == HCCL_E_UNAVAIL);
}

TEST_CASE("a thread says its stream, and nothing else", "[hccl][channel][codes]") {
  Linked two;
  HcclComm const comm = two.comms[0];
  void* info = nullptr;
  const auto ask = [&](ThreadHandle thread, ThreadResType type, std::uint32_t bytes, void** to) {
    return HcclThreadResGetInfo(comm, thread, type, bytes, to);
  };
  CHECK(ask(two.thread, THREAD_RES_TYPE_STREAM, 8, &info) == HCCL_SUCCESS);
  CHECK(info == two.streams[0]);
  CHECK(ask(two.thread, THREAD_RES_TYPE_INVALID, 8, &info) == HCCL_E_NOT_SUPPORT);
  CHECK(ask(12345, THREAD_RES_TYPE_STREAM, 8, &info) == HCCL_E_NOT_FOUND);
  CHECK(ask(two.thread, THREAD_RES_TYPE_STREAM, 4, &info) == HCCL_E_PARA);
  CHECK(ask(two.thread, THREAD_RES_TYPE_STREAM, 8, nullptr) == HCCL_E_PTR);
  CHECK(HcclThreadResGetInfo(nullptr, two.thread, THREAD_RES_TYPE_STREAM, 8, &info) == HCCL_E_PTR);
}

TEST_CASE("buffers of the rank and of its peers are asked for with both places",
          "[hccl][channel][codes]") {
  Linked two;
  HcclComm const comm = two.comms[0];
  void* buffer = nullptr;
  void* again = nullptr;
  std::uint64_t size = 0;
  std::uint32_t number = 0;
  CHECK(HcclGetHcclBuffer(nullptr, &buffer, &size) == HCCL_E_PTR);
  CHECK(HcclGetHcclBuffer(comm, nullptr, &size) == HCCL_E_PTR);
  CHECK(HcclGetHcclBuffer(comm, &buffer, nullptr) == HCCL_E_PTR);
  CHECK(HcclGetHcclBuffer(comm, &buffer, &size) == HCCL_SUCCESS);
  CHECK(HcclGetHcclBuffer(comm, &again, &size) == HCCL_SUCCESS);
  CHECK(buffer == again);
  CHECK(buffer != two.theirs);
  CHECK(HcclChannelGetHcclBuffer(nullptr, two.channel, &buffer, &size) == HCCL_E_PTR);
  CHECK(HcclChannelGetHcclBuffer(comm, two.channel, nullptr, &size) == HCCL_E_PTR);
  CHECK(HcclChannelGetHcclBuffer(comm, two.channel, &buffer, nullptr) == HCCL_E_PTR);
  CHECK(HcclChannelGetHcclBuffer(comm, 12345, &buffer, &size) == HCCL_E_PARA);
  CHECK(HcclChannelGetNotifyNum(nullptr, two.channel, &number) == HCCL_E_PTR);
  CHECK(HcclChannelGetNotifyNum(comm, two.channel, nullptr) == HCCL_E_PTR);
  CHECK(HcclChannelGetNotifyNum(comm, 12345, &number) == HCCL_E_PARA);
}

TEST_CASE("channels that cannot be are refused before anybody is waited for",
          "[hccl][channel][codes]") {
  OneThread world(2);
  world.on(0);
  HcclComm const comm = world.comms[0];
  HcclChannelDesc descs[2];
  describe(descs[0], 1, COMM_PROTOCOL_HCCS);
  descs[1] = descs[0];
  ChannelHandle channels[2] = {};
  CHECK(HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, descs, 2, channels) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("names rank 1 twice"));
  CHECK(HcclChannelAcquire(nullptr, COMM_ENGINE_CPU_TS, descs, 1, channels) == HCCL_E_PTR);
  CHECK(HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, nullptr, 1, channels) == HCCL_E_PTR);
  CHECK(HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, descs, 1, nullptr) == HCCL_E_PTR);
  CHECK(HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, descs, 1048577, channels) == HCCL_E_PARA);
  descs[0].channelProtocol = COMM_PROTOCOL_RESERVED;
  CHECK(HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, descs, 1, channels) == HCCL_E_PARA);
  descs[0] = descs[1];
  descs[0].remoteRank = 2;
  CHECK(HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, descs, 1, channels) == HCCL_E_PARA);
}

TEST_CASE("a communicator is not destroyed while another thread acquires its channels",
          "[hccl][channel][codes]") {
  OneThread world(2);
  std::promise<support::Caller> caller;
  ChannelHandle channels[2] = {};
  HcclResult code = HCCL_E_RESERVED;
  const auto acquire = [&](std::uint32_t rank) {
    HcclChannelDesc desc;
    describe(desc, 1 - rank, COMM_PROTOCOL_HCCS);
    return HcclChannelAcquire(world.comms[rank], COMM_ENGINE_CPU_TS, &desc, 1, &channels[rank]);
  };
  std::thread other([&] {
    aclrtSetDevice(0);
    caller.set_value(support::Caller());
    code = acquire(0);
    aclrtResetDevice(0);
  });
  caller.get_future().get().await_blocked();
  world.on(0);
  CHECK(HcclCommDestroy(world.comms[0]) == HCCL_E_AGAIN);
  CHECK_THAT(message(), ContainsSubstring("another thread acquires channels"));
  world.on(1);
  CHECK(acquire(1) == HCCL_SUCCESS);
  other.join();
  CHECK(code == HCCL_SUCCESS);
}

TEST_CASE("a communicator is destroyed by a thread with a device", "[hccl][codes]") {
  OneThread world(1);
  HcclResult code = HCCL_SUCCESS;
  std::thread([&] { code = HcclCommDestroy(world.comms[0]); }).join();
  CHECK(code == HCCL_E_RUNTIME);
}

TEST_CASE("descriptions are made of nothing by none of the inline functions", "[hccl][codes]") {
  CHECK(HcclChannelDescInit(nullptr, 1) == HCCL_E_PTR);
  CHECK(CommLinkInit(nullptr, 1) == HCCL_E_PTR);
  CHECK(ThreadConfigInit(nullptr, 1) == HCCL_E_PTR);
  CHECK(EndpointDescInit(nullptr, 1) == HCCL_E_PTR);
  HcclCommConfigInit(nullptr);
  HcclChannelDesc desc;
  CHECK(HcclChannelDescInit(&desc, 1) == HCCL_SUCCESS);
  CHECK(desc.header.magicWord == 0x0f0f0f0f);
  CHECK(desc.header.version == 1);
  CHECK(desc.remoteRank == 0xffffffff);
  CHECK(desc.channelProtocol == COMM_PROTOCOL_RESERVED);
  CHECK(desc.notifyNum == 0);
  CHECK(desc.memHandles == nullptr);
}
