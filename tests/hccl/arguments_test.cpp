// SPDX-License-Identifier: Apache-2.0
// The arguments that operations between ranks refuse, with the code of each; and the arguments that
// they accept.
#include "tests/hccl/world.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;

namespace {

constexpr std::uint64_t kTooMany = 0x800000000;
constexpr auto kNoType = static_cast<HcclDataType>(13);

struct Two {
  Two()
      : world(2),
        a(world.ints(0, std::vector<std::int32_t>(16))),
        b(world.ints(0, std::vector<std::int32_t>(16))) {
    world.on(0);
  }
  OneThread world;
  std::int32_t* a;
  std::int32_t* b;
  HcclComm comm() { return world.comms[0]; }
  aclrtStream stream() { return world.streams[0]; }
};

}  // namespace

TEST_CASE("a count of zero is accepted before any argument is looked at", "[hccl][arguments]") {
  CHECK(HcclAllReduce(nullptr, nullptr, 0, kNoType, kSum, nullptr, nullptr) == HCCL_SUCCESS);
  CHECK(HcclReduce(nullptr, nullptr, 0, kInt, kSum, 9, nullptr, nullptr) == HCCL_SUCCESS);
  CHECK(HcclReduceScatter(nullptr, nullptr, 0, kInt, kSum, nullptr, nullptr) == HCCL_SUCCESS);
  CHECK(HcclBroadcast(nullptr, 0, kInt, 9, nullptr, nullptr) == HCCL_SUCCESS);
  CHECK(HcclScatter(nullptr, nullptr, 0, kInt, 9, nullptr, nullptr) == HCCL_SUCCESS);
  CHECK(HcclAllGather(nullptr, nullptr, 0, kInt, nullptr, nullptr) == HCCL_SUCCESS);
  CHECK(HcclSend(nullptr, 0, kInt, 9, nullptr, nullptr) == HCCL_SUCCESS);
  CHECK(HcclRecv(nullptr, 0, kInt, 9, nullptr, nullptr) == HCCL_SUCCESS);
  CHECK(HcclBatchSendRecv(nullptr, 0, nullptr, nullptr) == HCCL_SUCCESS);
}

TEST_CASE("null pointers are refused by name", "[hccl][arguments]") {
  Two two;
  HcclComm const comm = two.comm();
  aclrtStream const stream = two.stream();
  CHECK(HcclAllReduce(two.a, two.b, 1, kInt, kSum, comm, nullptr) == HCCL_E_PTR);
  CHECK_THAT(message(), ContainsSubstring("stream is null"));
  CHECK(HcclAllReduce(two.a, two.b, 1, kInt, kSum, nullptr, stream) == HCCL_E_PTR);
  CHECK(HcclAllReduce(nullptr, two.b, 1, kInt, kSum, comm, stream) == HCCL_E_PTR);
  CHECK(HcclAllReduce(two.a, nullptr, 1, kInt, kSum, comm, stream) == HCCL_E_PTR);
  CHECK(HcclReduce(two.a, nullptr, 1, kInt, kSum, 0, comm, stream) == HCCL_E_PTR);
  CHECK(HcclReduceScatter(nullptr, two.b, 1, kInt, kSum, comm, stream) == HCCL_E_PTR);
  CHECK(HcclBroadcast(nullptr, 1, kInt, 0, comm, stream) == HCCL_E_PTR);
  CHECK(HcclScatter(nullptr, two.b, 1, kInt, 0, comm, stream) == HCCL_E_PTR);
  CHECK(HcclScatter(two.a, nullptr, 1, kInt, 1, comm, stream) == HCCL_E_PTR);
  CHECK(HcclAllGather(two.a, nullptr, 1, kInt, comm, stream) == HCCL_E_PTR);
  CHECK(HcclAlltoAll(nullptr, 1, kInt, two.b, 1, kInt, comm, stream) == HCCL_E_PTR);
  CHECK(HcclSend(nullptr, 1, kInt, 1, comm, stream) == HCCL_E_PTR);
  CHECK(HcclRecv(nullptr, 1, kInt, 1, comm, stream) == HCCL_E_PTR);
  CHECK(HcclBatchSendRecv(nullptr, 1, comm, stream) == HCCL_E_PTR);
  CHECK(HcclBarrier(comm, nullptr) == HCCL_E_PTR);
  CHECK(HcclBarrier(nullptr, stream) == HCCL_E_PTR);
  const std::uint64_t counts[] = {1, 1};
  const std::uint64_t zeros[] = {0, 0};
  CHECK(HcclAllGatherV(two.a, 1, two.b, nullptr, counts, kInt, comm, stream) == HCCL_E_PTR);
  CHECK(HcclAllGatherV(two.a, 1, two.b, counts, nullptr, kInt, comm, stream) == HCCL_E_PTR);
  CHECK(HcclReduceScatterV(two.a, nullptr, zeros, two.b, 1, kInt, kSum, comm, stream) ==
        HCCL_E_PTR);
  CHECK(HcclReduceScatterV(two.a, counts, zeros, nullptr, 1, kInt, kSum, comm, stream) ==
        HCCL_E_PTR);
  CHECK(HcclReduceScatterV(nullptr, zeros, zeros, nullptr, 0, kInt, kSum, comm, stream) ==
        HCCL_SUCCESS);
  CHECK(HcclAlltoAllV(nullptr, counts, zeros, kInt, two.b, counts, zeros, kInt, comm, stream) ==
        HCCL_E_PTR);
  CHECK(HcclAlltoAllV(two.a, counts, zeros, kInt, nullptr, counts, zeros, kInt, comm, stream) ==
        HCCL_E_PTR);
  CHECK(HcclAlltoAllVC(two.a, nullptr, kInt, two.b, kInt, comm, stream) == HCCL_E_PTR);
}

TEST_CASE("counts, roots and ranks that cannot be are refused", "[hccl][arguments]") {
  Two two;
  HcclComm const comm = two.comm();
  aclrtStream const stream = two.stream();
  CHECK(HcclAllReduce(two.a, two.b, kTooMany, kInt, kSum, comm, stream) == HCCL_E_PARA);
  CHECK(HcclAllGather(two.a, two.b, kTooMany, kInt, comm, stream) == HCCL_E_PARA);
  CHECK(HcclSend(two.a, kTooMany, kInt, 1, comm, stream) == HCCL_E_PARA);
  CHECK(HcclBroadcast(two.a, 1, kInt, 2, comm, stream) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("root is 2; expected less than 2"));
  CHECK(HcclReduce(two.a, two.b, 1, kInt, kSum, 2, comm, stream) == HCCL_E_PARA);
  CHECK(HcclScatter(two.a, two.b, 1, kInt, 2, comm, stream) == HCCL_E_PARA);
  CHECK(HcclSend(two.a, 1, kInt, 2, comm, stream) == HCCL_E_PARA);
  CHECK(HcclRecv(two.a, 1, kInt, 2, comm, stream) == HCCL_E_PARA);
  CHECK(HcclSend(two.a, 1, kInt, 0, comm, stream) == HCCL_E_NOT_SUPPORT);
  CHECK(HcclRecv(two.a, 1, kInt, 0, comm, stream) == HCCL_E_NOT_SUPPORT);
  CHECK(HcclAlltoAll(two.a, 1, kInt, two.b, 2, kInt, comm, stream) == HCCL_E_PARA);
  CHECK(HcclAlltoAll(two.a, 1, kInt, two.b, 1, HCCL_DATA_TYPE_FP32, comm, stream) == HCCL_E_PARA);
  CHECK(HcclAlltoAll(two.a, 1, kInt, two.a, 1, kInt, comm, stream) == HCCL_E_PARA);
  const std::uint64_t ones[] = {1, 1, 1, 1};
  CHECK(HcclAlltoAllV(two.a, ones, ones, kInt, two.a, ones, ones, kInt, comm, stream) ==
        HCCL_E_PARA);
  CHECK(HcclAlltoAllVC(two.a, ones, kInt, two.a, kInt, comm, stream) == HCCL_E_PARA);
  HcclSendRecvItem item = {HCCL_SEND, two.a, 1, kInt, 2};
  CHECK(HcclBatchSendRecv(&item, 1, comm, stream) == HCCL_E_PARA);
  item.remoteRank = 0;  // without a receive for it
  CHECK(HcclBatchSendRecv(&item, 1, comm, stream) == HCCL_E_PARA);
  CHECK(HcclAllReduce(two.a, two.b, 1, kInt, kSum, two.a, stream) == HCCL_E_PARA);
  CHECK(HcclAllReduce(two.a, two.b, 1, kInt, kSum, comm, two.a) == HCCL_E_RUNTIME);
}

TEST_CASE("types without a size, and types that are not reduced, are refused",
          "[hccl][arguments]") {
  Two two;
  HcclComm const comm = two.comm();
  aclrtStream const stream = two.stream();
  for (const HcclDataType type :
       {HCCL_DATA_TYPE_UINT8, HCCL_DATA_TYPE_UINT16, HCCL_DATA_TYPE_UINT32, HCCL_DATA_TYPE_INT128,
        HCCL_DATA_TYPE_HIF8, HCCL_DATA_TYPE_FP8E4M3, HCCL_DATA_TYPE_FP8E5M2, HCCL_DATA_TYPE_FP8E8M0,
        HCCL_DATA_TYPE_RESERVED, kNoType}) {
    CHECK(HcclAllReduce(two.a, two.b, 1, type, kSum, comm, stream) == HCCL_E_NOT_SUPPORT);
    CHECK(HcclReduce(two.a, two.b, 1, type, kSum, 0, comm, stream) == HCCL_E_NOT_SUPPORT);
    CHECK(HcclReduceScatter(two.a, two.b, 1, type, kSum, comm, stream) == HCCL_E_NOT_SUPPORT);
  }
  for (const HcclDataType type : {HCCL_DATA_TYPE_INT16, HCCL_DATA_TYPE_BFP16}) {
    CHECK(HcclAllReduce(two.a, two.b, 1, type, HCCL_REDUCE_PROD, comm, stream) ==
          HCCL_E_NOT_SUPPORT);
  }
  CHECK(HcclAllReduce(two.a, two.b, 1, kInt, HCCL_REDUCE_RESERVED, comm, stream) ==
        HCCL_E_NOT_SUPPORT);
  for (const HcclDataType type : {HCCL_DATA_TYPE_INT128, HCCL_DATA_TYPE_RESERVED, kNoType}) {
    CHECK(HcclBroadcast(two.a, 1, type, 0, comm, stream) == HCCL_E_NOT_SUPPORT);
    CHECK(HcclAllGather(two.a, two.b, 1, type, comm, stream) == HCCL_E_NOT_SUPPORT);
    CHECK(HcclSend(two.a, 1, type, 1, comm, stream) == HCCL_E_NOT_SUPPORT);
    CHECK(HcclRecv(two.a, 1, type, 1, comm, stream) == HCCL_E_NOT_SUPPORT);
    HcclSendRecvItem item = {HCCL_SEND, two.a, 1, type, 1};
    CHECK(HcclBatchSendRecv(&item, 1, comm, stream) == HCCL_E_NOT_SUPPORT);
  }
}

TEST_CASE("buffers that no device reaches, or that are too small, are refused",
          "[hccl][arguments]") {
  Two two;
  std::int32_t on_host[4] = {};
  CHECK(HcclAllReduce(on_host, two.b, 4, kInt, kSum, two.comm(), two.stream()) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("sendBuf"));
  CHECK(HcclAllReduce(two.a, two.b, 100000, kInt, kSum, two.comm(), two.stream()) == HCCL_E_PARA);
}

TEST_CASE("a communicator of one rank copies", "[hccl][arguments]") {
  OneThread world(1);
  std::int32_t* const from = world.ints(0, {1, 2, 3});
  std::int32_t* const to = world.ints(0, {0, 0, 0});
  CHECK(HcclBarrier(world.comms[0], world.streams[0]) == HCCL_SUCCESS);
  CHECK(HcclAllReduce(from, to, 3, kInt, kSum, world.comms[0], world.streams[0]) == HCCL_SUCCESS);
  CHECK(world.synchronize(0).second == "");
  CHECK(OneThread::read(to, 3) == std::vector<std::int32_t>{1, 2, 3});
}

TEST_CASE("one thread that drives all ranks is never blocked", "[hccl][arguments]") {
  OneThread world(8);
  std::vector<std::int32_t*> memory;
  for (std::uint32_t rank = 0; rank < 8; ++rank) memory.push_back(world.ints(rank, {1}));
  constexpr int kRounds = 60;  // more than the ranks show of each other at a time
  world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    for (int round = 0; round < kRounds; ++round) {
      REQUIRE(HcclAllReduce(memory[rank], memory[rank], 1, kInt, HCCL_REDUCE_MAX, comm, stream) ==
              HCCL_SUCCESS);
      HcclSendRecvItem items[] = {{HCCL_SEND, memory[rank], 1, kInt, rank},
                                  {HCCL_RECV, memory[rank], 1, kInt, rank}};
      REQUIRE(HcclBatchSendRecv(items, 2, comm, stream) == HCCL_SUCCESS);
    }
    REQUIRE(HcclAllReduce(memory[rank], memory[rank], 1, kInt, kSum, comm, stream) == HCCL_SUCCESS);
  });
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    CHECK(world.synchronize(rank).second == "");
    CHECK(OneThread::read(memory[rank], 1).front() == 8);
  }
}

TEST_CASE("a captured operation runs with each launch, beside others", "[hccl][arguments]") {
  OneThread world(2);
  std::vector<std::int32_t*> memory;
  std::vector<aclmdlRI> models(2);
  for (std::uint32_t rank = 0; rank < 2; ++rank) memory.push_back(world.ints(rank, {1, 10}));
  world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    REQUIRE(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED) == ACL_SUCCESS);
    CHECK(HcclAllReduce(memory[rank], memory[rank], 2, kInt, kSum, comm, stream) == HCCL_SUCCESS);
    REQUIRE(aclmdlRICaptureEnd(stream, &models[rank]) == ACL_SUCCESS);
  });
  world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    for (int launch = 0; launch < 3; ++launch) {
      CHECK(aclmdlRIExecuteAsync(models[rank], stream) == ACL_SUCCESS);
    }
    CHECK(HcclBroadcast(memory[rank], 1, kInt, 0, comm, stream) == HCCL_SUCCESS);
    CHECK(aclmdlRIExecuteAsync(models[rank], stream) == ACL_SUCCESS);
  });
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    CHECK(world.synchronize(rank).second == "");
    CHECK(OneThread::read(memory[rank], 2) == std::vector<std::int32_t>{16, 160});
    CHECK(aclmdlRIDestroy(models[rank]) == ACL_SUCCESS);
  }
}

TEST_CASE("sends and receives of a group go on at once, and other streams come behind them",
          "[hccl][arguments]") {
  OneThread world(2);
  std::vector<std::int32_t*> from, to;
  std::vector<aclrtStream> others(2);
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    from.push_back(world.ints(rank, {static_cast<std::int32_t>(rank) + 5}));
    to.push_back(world.ints(rank, {0}));
    REQUIRE(aclrtCreateStream(&others[rank]) == ACL_SUCCESS);
  }
  CHECK(HcclGroupStart() == HCCL_SUCCESS);
  world.each([&](std::uint32_t rank, HcclComm comm, aclrtStream stream) {
    // In this order two ranks would wait for each other for ever, one after the other.
    CHECK(HcclSend(from[rank], 1, kInt, 1 - rank, comm, stream) == HCCL_SUCCESS);
    CHECK(HcclRecv(to[rank], 1, kInt, 1 - rank, comm, others[rank]) == HCCL_SUCCESS);
    HcclSendRecvItem item = {HCCL_SEND, from[rank], 1, kInt, 1 - rank};
    CHECK(HcclBatchSendRecv(&item, 1, comm, stream) == HCCL_E_NOT_SUPPORT);
  });
  std::int32_t current = -1;
  CHECK(HcclGroupEnd() == HCCL_SUCCESS);
  CHECK(aclrtGetDevice(&current) == ACL_SUCCESS);
  CHECK(current == 1);
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    world.on(rank);
    CHECK(aclrtSynchronizeStreamWithTimeout(others[rank], 60000) == ACL_SUCCESS);
    CHECK(OneThread::read(to[rank], 1).front() == 6 - static_cast<std::int32_t>(rank));
  }
}
