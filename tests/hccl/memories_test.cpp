// SPDX-License-Identifier: Apache-2.0
// HCOMM: memory that ranks register and expose to each other, contexts of engines, threads by
// configuration, notifies by number, and the lock of a communicator.
#include <fmt/format.h>

#include <future>
#include <iostream>

#include "hccl/hccl_channel.h"
#include "hccl/hccl_res.h"
#include "hcomm/hcomm_primitives.h"
#include "tests/hccl/process_rank.h"
#include "tests/hccl/world.h"
#include "tests/support/child.h"
#include "tests/support/two_hosts.h"
#include "tests/support/waiting.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;
using support::RunningChild;

namespace {

constexpr std::uint32_t kSeconds = 30;
constexpr std::uint64_t kPartBytes = 4096;

/// A channel to the other one of two ranks that exposes this memory.
HcclResult expose(HcclComm comm, std::uint32_t rank, std::vector<HcclMemHandle> handles,
                  CommProtocol protocol, ChannelHandle& channel) {
  HcclChannelDesc desc;
  HcclChannelDescInit(&desc, 1);
  desc.remoteRank = 1 - rank;
  desc.channelProtocol = protocol;
  desc.notifyNum = 2;
  desc.memHandles = handles.data();
  desc.memHandleNum = static_cast<std::uint32_t>(handles.size());
  return HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, &desc, 1, &channel);
}

/// The memory that the peer exposes under a tag.
CommMem memory_of_peer(HcclComm comm, ChannelHandle channel, const std::string& tag) {
  std::uint32_t count = 0;
  CommMem* memories = nullptr;
  char** tags = nullptr;
  must(HcclChannelGetRemoteMems(comm, channel, &count, &memories, &tags) == HCCL_SUCCESS);
  must(count > 0 && std::string(tags[0]) == "HcclBuffer");
  for (std::uint32_t i = 0; i < count; ++i) {
    if (tags[i] == tag) return memories[i];
  }
  return {};
}

/// Each of two ranks registers a part of an allocation, and writes into the registered part of the
/// other.
std::string write_to_registered(const HcclRootInfo& info, std::uint32_t rank) {
  HcclComm comm = nullptr;
  must(HcclCommInitRootInfo(2, &info, rank, &comm) == HCCL_SUCCESS);
  aclrtStream stream = nullptr;
  must(aclrtCreateStream(&stream) == ACL_SUCCESS);
  ThreadHandle thread = 0;
  must(HcclThreadAcquireWithStream(comm, COMM_ENGINE_CPU_TS, stream, 2, &thread) == HCCL_SUCCESS);
  void* memory = nullptr;
  must(aclrtMalloc(&memory, 3 * kPartBytes, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  must(aclrtMemset(memory, 3 * kPartBytes, static_cast<int>(rank) + 1, 3 * kPartBytes) ==
       ACL_SUCCESS);
  char* const exposed = static_cast<char*>(memory) + kPartBytes;
  const CommMem part{COMM_MEM_TYPE_DEVICE, exposed, kPartBytes};
  HcclMemHandle handle = nullptr;
  must(HcclCommMemReg(comm, "gradients", &part, &handle) == HCCL_SUCCESS);
  ChannelHandle channel = 0;
  must(expose(comm, rank, {handle}, COMM_PROTOCOL_ROCE, channel) == HCCL_SUCCESS);
  const CommMem theirs = memory_of_peer(comm, channel, "gradients");
  std::string problem;
  if (theirs.size != kPartBytes) problem = "the other's memory is not shown";
  must(HcommWriteWithNotifyOnThread(thread, channel, theirs.addr, memory, kPartBytes, 0) == 0);
  must(HcommChannelNotifyWaitOnThread(thread, channel, 0, kSeconds) == 0);
  if (aclrtSynchronizeStream(stream) != ACL_SUCCESS) problem += message();
  std::vector<char> got(3 * kPartBytes);
  aclrtMemcpy(got.data(), got.size(), memory, got.size(), ACL_MEMCPY_DEVICE_TO_HOST);
  for (std::size_t i = 0; i < got.size() && problem.empty(); ++i) {
    const bool written = i >= kPartBytes && i < 2 * kPartBytes;
    if (got[i] != static_cast<char>(written ? 2 - rank : rank + 1)) {
      problem = fmt::format("rank {}: byte {} is {}", rank, i, int{got[i]});
    }
  }
  must(HcommWriteOnThread(thread, channel, static_cast<char*>(theirs.addr) + 1, memory,
                          kPartBytes) == 0);
  if (aclrtSynchronizeStream(stream) == ACL_SUCCESS) problem += "a byte past the end was written";
  if (message().find("nor in 1 other memories of it") == std::string::npos) problem += message();
  HcclCommDestroy(comm);
  aclrtDestroyStreamForce(stream);
  aclrtFree(memory);
  return problem;
}

CHILD_PROGRAM(writes_to_registered) {
  const RankArguments arguments;
  const std::string problem = write_to_registered(arguments.info, arguments.rank);
  std::cout << (problem.empty() ? "right" : problem) << std::endl;
  return 0;
}

/// Registers pinned memory of the host and exposes it; what the second rank's channel answers.
HcclResult expose_host_memory(const HcclRootInfo& info, std::uint32_t rank) {
  HcclComm comm = nullptr;
  must(HcclCommInitRootInfo(2, &info, rank, &comm) == HCCL_SUCCESS);
  void* memory = nullptr;
  must(aclrtMallocHost(&memory, kPartBytes) == ACL_SUCCESS);
  const CommMem part{COMM_MEM_TYPE_HOST, memory, kPartBytes};
  HcclMemHandle handle = nullptr;
  must(HcclCommMemReg(comm, "of the host", &part, &handle) == HCCL_SUCCESS);
  ChannelHandle channel = 0;
  const HcclResult result = expose(comm, rank, {handle}, COMM_PROTOCOL_HCCS, channel);
  if (result == HCCL_SUCCESS) {
    aclrtStream stream = nullptr;
    must(aclrtCreateStream(&stream) == ACL_SUCCESS);
    ThreadHandle thread = 0;
    must(HcclThreadAcquireWithStream(comm, COMM_ENGINE_CPU_TS, stream, 0, &thread) == HCCL_SUCCESS);
    static_cast<char*>(memory)[rank] = static_cast<char>(rank + 5);
    const CommMem theirs = memory_of_peer(comm, channel, "of the host");
    must(HcommWriteWithNotifyOnThread(thread, channel, static_cast<char*>(theirs.addr) + rank,
                                      static_cast<char*>(memory) + rank, 1, 0) == 0);
    must(HcommChannelNotifyWaitOnThread(thread, channel, 0, kSeconds) == 0);
    must(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
    must(static_cast<char*>(memory)[1 - rank] == static_cast<char>(1 - rank + 5));
    aclrtDestroyStream(stream);
  }
  HcclCommDestroy(comm);
  aclrtFreeHost(memory);
  return result;
}

CHILD_PROGRAM(exposes_host_memory) {
  const RankArguments arguments;
  std::cout << expose_host_memory(arguments.info, arguments.rank) << std::endl;
  return 0;
}

HcclRootInfo root_info_of_device() {
  const OnDevice device(0);
  HcclRootInfo info;
  REQUIRE(HcclGetRootInfo(&info) == HCCL_SUCCESS);
  return info;
}

std::vector<std::string> two_processes(const char* program) {
  const HcclRootInfo info = root_info_of_device();
  std::vector<std::unique_ptr<RunningChild>> children;
  for (std::uint32_t rank = 0; rank < 2; ++rank) {
    children.push_back(std::make_unique<RunningChild>(program));
    children.back()->say(fmt::format("{} 2 0 {}", rank, hex_of(info)));
  }
  return {children[0]->hear(), children[1]->hear()};
}

}  // namespace

TEST_CASE("ranks that are threads write into memory that the other has registered",
          "[hccl][channel]") {
  const HcclRootInfo info = root_info_of_device();
  const auto problems =
      as_threads(2, [&](std::uint32_t rank) { return write_to_registered(info, rank); });
  for (const std::string& problem : problems) CHECK(problem == "");
}

TEST_CASE("ranks that are processes write into memory that the other has registered",
          "[hccl][channel]") {
  for (const std::string& said : two_processes("writes_to_registered")) CHECK(said == "right");
}

TEST_CASE("ranks of two hosts write into memory that the other has registered",
          "[hccl][channel][hosts]") {
  const auto hosts = support::TwoHosts::make();
  if (!hosts) return;
  const RanksOfHosts ranks(*hosts, {0, 1}, "writes_to_registered", 0);
  for (const auto& child : ranks.children) CHECK(child->hear() == "right");
}

TEST_CASE("memory of the host is exposed to ranks of the same process only", "[hccl][channel]") {
  const HcclRootInfo info = root_info_of_device();
  const auto results =
      as_threads(2, [&](std::uint32_t rank) { return expose_host_memory(info, rank); });
  for (const HcclResult result : results) CHECK(result == HCCL_SUCCESS);
  for (const std::string& said : two_processes("exposes_host_memory")) {
    CHECK(said == std::to_string(HCCL_E_NOT_SUPPORT));
  }
}

TEST_CASE("a channel with other memory is another channel", "[hccl][channel]") {
  OneThread world(2);
  const CommMem part{COMM_MEM_TYPE_DEVICE, world.ints(0, {1, 2}), 8};
  HcclMemHandle handle = nullptr;
  world.on(0);
  REQUIRE(HcclCommMemReg(world.comms[0], "a", &part, &handle) == HCCL_SUCCESS);
  ChannelHandle plain[2] = {};
  ChannelHandle exposing[2] = {};
  ChannelHandle again = 0;
  std::thread other([&] {
    world.on(1);
    must(expose(world.comms[1], 1, {}, COMM_PROTOCOL_HCCS, plain[1]) == HCCL_SUCCESS);
    // Which memory it exposes itself does not matter: it is its second channel of this kind.
    const CommMem own{COMM_MEM_TYPE_DEVICE, world.ints(1, {3}), 4};
    HcclMemHandle mine = nullptr;
    must(HcclCommMemReg(world.comms[1], "b", &own, &mine) == HCCL_SUCCESS);
    must(expose(world.comms[1], 1, {mine}, COMM_PROTOCOL_HCCS, exposing[1]) == HCCL_SUCCESS);
    aclrtResetDevice(1);
  });
  CHECK(expose(world.comms[0], 0, {}, COMM_PROTOCOL_HCCS, plain[0]) == HCCL_SUCCESS);
  CHECK(expose(world.comms[0], 0, {handle}, COMM_PROTOCOL_HCCS, exposing[0]) == HCCL_SUCCESS);
  CHECK(expose(world.comms[0], 0, {handle}, COMM_PROTOCOL_HCCS, again) == HCCL_SUCCESS);
  other.join();
  CHECK(plain[0] != exposing[0]);
  CHECK(again == exposing[0]);
  CHECK(memory_of_peer(world.comms[0], exposing[0], "b").size == 4);
  CHECK(memory_of_peer(world.comms[1], exposing[1], "a").size == 8);
  CHECK(memory_of_peer(world.comms[1], plain[1], "a").addr == nullptr);
}

TEST_CASE("memory that cannot be registered is refused", "[hccl][channel]") {
  OneThread world(1);
  HcclComm const comm = world.comms[0];
  CommMem part{COMM_MEM_TYPE_DEVICE, world.ints(0, {1, 2}), 8};
  HcclMemHandle handle = nullptr;
  const std::string longest(255, 'x');
  CHECK(HcclCommMemReg(nullptr, "a", &part, &handle) == HCCL_E_PTR);
  CHECK(HcclCommMemReg(comm, nullptr, &part, &handle) == HCCL_E_PTR);
  CHECK(HcclCommMemReg(comm, "a", nullptr, &handle) == HCCL_E_PTR);
  CHECK(HcclCommMemReg(comm, "a", &part, nullptr) == HCCL_E_PTR);
  CHECK(HcclCommMemReg(comm, "", &part, &handle) == HCCL_E_PARA);
  CHECK(HcclCommMemReg(comm, (longest + "x").c_str(), &part, &handle) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("memTag is longer than 255 characters"));
  CHECK(HcclCommMemReg(comm, "HcclBuffer", &part, &handle) == HCCL_E_PARA);
  CHECK(HcclCommMemReg(comm, longest.c_str(), &part, &handle) == HCCL_SUCCESS);
  CHECK(HcclCommMemReg(comm, longest.c_str(), &part, &handle) == HCCL_E_PARA);
  CHECK(HcclCommDeregMem(comm, longest.c_str(), handle) == HCCL_SUCCESS);
  CHECK(HcclCommDeregMem(comm, longest.c_str(), handle) == HCCL_SUCCESS);
  CHECK(HcclCommMemReg(comm, longest.c_str(), &part, &handle) == HCCL_SUCCESS);
  part.type = COMM_MEM_TYPE_INVALID;
  CHECK(HcclCommMemReg(comm, "a", &part, &handle) == HCCL_E_PARA);
  part = {COMM_MEM_TYPE_DEVICE, part.addr, 0};
  CHECK(HcclCommMemReg(comm, "a", &part, &handle) == HCCL_E_PARA);
  part = {COMM_MEM_TYPE_DEVICE, nullptr, 8};
  CHECK(HcclCommMemReg(comm, "a", &part, &handle) == HCCL_E_PTR);
  part = {COMM_MEM_TYPE_DEVICE, &part, 8};
  CHECK(HcclCommMemReg(comm, "a", &part, &handle) == HCCL_E_PARA);
  OneThread two(2);
  two.on(0);
  ChannelHandle channel = 0;
  CHECK(expose(two.comms[0], 0, {handle}, COMM_PROTOCOL_HCCS, channel) == HCCL_E_PARA);
  std::uint32_t count = 0;
  CommMem* memories = nullptr;
  char** tags = nullptr;
  CHECK(HcclChannelGetRemoteMems(comm, 12345, &count, &memories, &tags) == HCCL_E_PARA);
  CHECK(HcclChannelGetRemoteMems(comm, 12345, &count, &memories, nullptr) == HCCL_E_PTR);
}

TEST_CASE("contexts are kept by tag and engine, as zeros at first", "[hccl][channel]") {
  OneThread world(1);
  HcclComm const comm = world.comms[0];
  for (const CommEngine engine : {COMM_ENGINE_CPU_TS, COMM_ENGINE_AICPU_TS}) {
    void* made = nullptr;
    void* found = nullptr;
    std::uint64_t size = 0;
    CHECK(HcclEngineCtxGet(comm, "ring", engine, &found, &size) == HCCL_E_NOT_FOUND);
    CHECK(HcclEngineCtxCreate(comm, "ring", engine, 16, &made) == HCCL_SUCCESS);
    CHECK(HcclEngineCtxCreate(comm, "ring", engine, 16, &made) == HCCL_E_PARA);
    const std::uint64_t value = 0x0123456789abcdef;
    CHECK(HcclEngineCtxCopy(comm, engine, "ring", &value, 8, 8) == HCCL_SUCCESS);
    CHECK(HcclEngineCtxGet(comm, "ring", engine, &found, &size) == HCCL_SUCCESS);
    CHECK(found == made);
    CHECK(size == 16);
    std::uint64_t got[2] = {1, 1};
    const bool on_host = engine == COMM_ENGINE_CPU_TS;
    CHECK(aclrtMemcpy(got, 16, found, 16,
                      on_host ? ACL_MEMCPY_HOST_TO_HOST : ACL_MEMCPY_DEVICE_TO_HOST) ==
          ACL_SUCCESS);
    CHECK(got[0] == 0);
    CHECK(got[1] == value);
    CHECK(HcclEngineCtxCopy(comm, engine, "ring", &value, 8, 9) == HCCL_E_PARA);
    CHECK(HcclEngineCtxCopy(comm, engine, "ring", &value, 0, 0) == HCCL_E_PARA);
    CHECK(HcclEngineCtxCopy(comm, engine, "star", &value, 8, 0) == HCCL_E_NOT_FOUND);
    CHECK(HcclEngineCtxDestroy(comm, "ring", engine) == HCCL_SUCCESS);
    CHECK(HcclEngineCtxDestroy(comm, "ring", engine) == HCCL_E_PARA);
  }
  void* made = nullptr;
  std::uint64_t size = 0;
  CHECK(HcclEngineCtxCreate(comm, nullptr, COMM_ENGINE_CPU, 8, &made) == HCCL_SUCCESS);
  CHECK(HcclEngineCtxGet(comm, "", COMM_ENGINE_CPU, &made, &size) == HCCL_SUCCESS);
  CHECK(HcclEngineCtxCreate(comm, "a", COMM_ENGINE_CPU, 0, &made) == HCCL_E_PARA);
  CHECK(HcclEngineCtxCreate(comm, "a", COMM_ENGINE_RESERVED, 8, &made) == HCCL_E_PARA);
  CHECK(HcclEngineCtxCreate(comm, "a", COMM_ENGINE_CPU, 8, nullptr) == HCCL_E_PTR);
  CHECK(HcclEngineCtxCreate(nullptr, "a", COMM_ENGINE_CPU, 8, &made) == HCCL_E_PTR);
  const std::string too_long(256, 'x');
  CHECK(HcclEngineCtxCreate(comm, too_long.c_str(), COMM_ENGINE_CPU, 8, &made) == HCCL_E_PARA);
  CHECK(HcclEngineCtxCopy(comm, COMM_ENGINE_CPU, "a", nullptr, 8, 0) == HCCL_E_PTR);
}

TEST_CASE("threads are acquired by a configuration and serve every engine", "[hccl][channel]") {
  OneThread world(1);
  HcclComm const comm = world.comms[0];
  ThreadConfig config;
  ThreadConfigInit(&config, 1);
  config.notifyNumPerThread = 3;
  ThreadHandle threads[2] = {};
  const auto acquire = [&](CommEngine engine, std::uint32_t count) {
    return HcclThreadAcquireWithConfig(comm, engine, count, THREAD_TYPE_TS, &config, threads);
  };
  CHECK(acquire(COMM_ENGINE_CPU, 2) == HCCL_SUCCESS);
  std::uint32_t notifies = 0;
  CHECK(HcclGetNotifyNumInThread(comm, threads[1], COMM_ENGINE_CPU, &notifies) == HCCL_SUCCESS);
  CHECK(notifies == 3);
  CHECK(HcclGetNotifyNumInThread(comm, threads[1], COMM_ENGINE_RESERVED, &notifies) == HCCL_E_PARA);
  CHECK(HcclGetNotifyNumInThread(comm, threads[1], COMM_ENGINE_CPU, nullptr) == HCCL_E_PTR);
  ThreadHandle exported[2] = {};
  CHECK(HcclThreadExportToCommEngine(comm, 2, threads, COMM_ENGINE_AICPU, exported) ==
        HCCL_SUCCESS);
  CHECK(HcommThreadNotifyWaitOnThread(exported[0], 2, kSeconds) == 0);
  CHECK(HcommThreadNotifyRecordOnThread(exported[1], threads[0], 2) == 0);
  void* stream = nullptr;
  CHECK(HcclThreadResGetInfo(comm, threads[0], THREAD_RES_TYPE_STREAM, 8, &stream) == HCCL_SUCCESS);
  CHECK(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  CHECK(HcclThreadExportToCommEngine(comm, 2, threads, COMM_ENGINE_AICPU, nullptr) == HCCL_E_PTR);
  CHECK(acquire(COMM_ENGINE_CPU_TS, 1) == HCCL_E_PARA);
  CHECK(acquire(COMM_ENGINE_AIV, 1) == HCCL_E_PARA);
  CHECK(acquire(COMM_ENGINE_CPU, 0) == HCCL_E_PARA);
  config.header.magicWord = 1;
  CHECK(acquire(COMM_ENGINE_CPU, 1) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("ThreadConfigInit"));
}

TEST_CASE("a thread records and waits for notifies of aclrtCreateNotify by their ids",
          "[hccl][channel]") {
  OneThread world(1);
  ThreadHandle threads[2] = {};
  REQUIRE(HcclThreadAcquire(world.comms[0], COMM_ENGINE_CPU_TS, 2, 1, threads) == HCCL_SUCCESS);
  aclrtNotify notify = nullptr;
  REQUIRE(aclrtCreateNotify(&notify, 0) == ACL_SUCCESS);
  std::uint32_t id = 0;
  REQUIRE(aclrtGetNotifyId(notify, &id) == ACL_SUCCESS);
  std::int32_t* const a = world.ints(0, {7});
  std::int32_t* const b = world.ints(0, {0});
  CHECK(HcommAclrtNotifyWaitOnThread(threads[1], id, kSeconds) == 0);
  CHECK(HcommLocalCopyOnThread(threads[1], b, a, 4) == 0);
  CHECK(HcommAclrtNotifyRecordOnThread(threads[0], id) == 0);
  void* stream = nullptr;
  CHECK(HcclThreadResGetInfo(world.comms[0], threads[1], THREAD_RES_TYPE_STREAM, 8, &stream) ==
        HCCL_SUCCESS);
  CHECK(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  CHECK(OneThread::read(b, 1).front() == 7);
  CHECK(HcommAclrtNotifyRecordOnThread(threads[0], 1'000'000'000'000) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("no notify of the device has the id 1000000000000"));
  CHECK(HcommAclrtNotifyRecordOnThread(0, id) == HCCL_E_PTR);
  CHECK(aclrtDestroyNotify(notify) == ACL_SUCCESS);
}

TEST_CASE("a communicator is acquired by one thread at a time", "[hccl][channel]") {
  OneThread world(1);
  char name[128] = {};
  REQUIRE(HcclGetCommName(world.comms[0], name) == HCCL_SUCCESS);
  CHECK(HcommAcquireComm(name) == 0);
  {
    const Variable limit("ACLSIM_HCCL_CONNECT_TIMEOUT_MS", "50");
    CHECK(HcommAcquireComm(name) == HCCL_E_TIMEOUT);
    CHECK_THAT(message(), ContainsSubstring("was not released"));
  }
  std::promise<support::Caller> caller;
  std::int32_t acquired = -1;
  std::thread other([&] {
    caller.set_value(support::Caller());
    acquired = HcommAcquireComm(name);
  });
  caller.get_future().get().await_blocked();
  CHECK(HcommReleaseComm(name) == 0);
  other.join();
  CHECK(acquired == 0);
  CHECK(HcommReleaseComm(name) == 0);
  CHECK(HcommReleaseComm(name) == 0);
  CHECK(HcommAcquireComm(nullptr) == HCCL_E_PTR);
  CHECK(HcommAcquireComm("nobody") == HCCL_E_PTR);
  CHECK(HcommReleaseComm(nullptr) == HCCL_E_PTR);
}
