// SPDX-License-Identifier: Apache-2.0
// Memory that is freed while peers may still reach it.
#include <iostream>

#include "tests/hccl/linked.h"
#include "tests/hccl/process_rank.h"
#include "tests/support/child.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;
using support::RunningChild;

namespace {

constexpr std::size_t kFreedPart = 4096;

HcclResult acquire(HcclComm comm, std::uint32_t peer, HcclMemHandle exposed, ChannelHandle& channel) {
  HcclChannelDesc desc;
  describe(desc, peer, COMM_PROTOCOL_HCCS);
  desc.memHandles = &exposed;
  desc.memHandleNum = exposed ? 1 : 0;
  return HcclChannelAcquire(comm, COMM_ENGINE_CPU_TS, &desc, 1, &channel);
}

void* filled(char value) {
  void* memory = nullptr;
  must(aclrtMalloc(&memory, kFreedPart, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  must(aclrtMemset(memory, kFreedPart, value, kFreedPart) == ACL_SUCCESS);
  return memory;
}

char byte_at(const void* memory) {
  char byte = 0;
  must(aclrtMemcpy(&byte, 1, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS);
  return byte;
}

/// Where the peer's registered memory is, as this rank addresses it.
void* registered_by_peer(HcclComm comm, ChannelHandle channel) {
  std::uint32_t count = 0;
  CommMem* memories = nullptr;
  char** tags = nullptr;
  must(HcclChannelGetRemoteMems(comm, channel, &count, &memories, &tags) == HCCL_SUCCESS);
  must(count == 2);
  return memories[1].addr;
}

/// Two ranks of one thread; rank 1 exposes memory of its own.
struct Exposing : OneThread {
  Exposing() : OneThread(2) {
    on(1);
    memory = filled(1);
    const CommMem part{COMM_MEM_TYPE_DEVICE, memory, kFreedPart};
    must(HcclCommMemReg(comms[1], "part", &part, &handle) == HCCL_SUCCESS);
    std::thread other([&] {
      on(1);
      must(acquire(comms[1], 0, handle, ends[1]) == HCCL_SUCCESS);
      aclrtResetDevice(1);
    });
    on(0);
    must(acquire(comms[0], 1, nullptr, ends[0]) == HCCL_SUCCESS);
    other.join();
    must(HcclThreadAcquireWithStream(comms[0], COMM_ENGINE_CPU_TS, streams[0], 0, &thread) == 0);
    own = ints(0, std::vector<std::int32_t>(kFreedPart / 4));
  }
  /// What rank 0's stream says of a write or a read of the whole part.
  std::pair<aclError, std::string> transfer(bool writes) {
    on(0);
    must((writes ? HcommWriteOnThread(thread, ends[0], memory, own, kFreedPart)
                 : HcommReadOnThread(thread, ends[0], own, memory, kFreedPart)) == 0);
    return synchronize(0);
  }
  void* memory = nullptr;
  HcclMemHandle handle = nullptr;
  ChannelHandle ends[2] = {};
  ThreadHandle thread = 0;
  std::int32_t* own = nullptr;
};

/// Rank 1 of two processes: exposes memory, frees it when told, and takes part in a barrier then.
CHILD_PROGRAM(frees_what_it_exposed) {
  const Told told;
  HcclComm comm = nullptr;
  CHILD_EXPECT(HcclCommInitRootInfo(2, &told.info, 1, &comm) == HCCL_SUCCESS);
  void* const memory = filled(1);
  const CommMem part{COMM_MEM_TYPE_DEVICE, memory, kFreedPart};
  HcclMemHandle handle = nullptr;
  CHILD_EXPECT(HcclCommMemReg(comm, "part", &part, &handle) == HCCL_SUCCESS);
  ChannelHandle channel = 0;
  CHILD_EXPECT(acquire(comm, 0, handle, channel) == HCCL_SUCCESS);
  std::string line;
  std::cin >> line;
  aclrtFree(memory);
  std::cout << "freed" << std::endl;
  std::cin >> line;
  aclrtStream stream = nullptr;
  CHILD_EXPECT(aclrtCreateStream(&stream) == ACL_SUCCESS);
  CHILD_EXPECT(HcclBarrier(comm, stream) == HCCL_SUCCESS);
  CHILD_EXPECT(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  CHILD_EXPECT(HcclCommDestroy(comm) == HCCL_SUCCESS);
  std::cout << "well" << std::endl;
  return 0;
}

}  // namespace

TEST_CASE("a transfer with exposed memory that its rank has freed fails, and touches nothing",
          "[hccl][channel][fail]") {
  for (const bool writes : {true, false}) {
    Exposing two;
    CHECK(two.transfer(writes).second == "");
    two.on(1);
    CHECK(aclrtFree(two.memory) == ACL_SUCCESS);
    void* const next = filled(5);  // perhaps at the same address
    const auto [code, text] = two.transfer(writes);
    CHECK(code == ACL_ERROR_RT_INTERNAL_ERROR);
    CHECK_THAT(text, ContainsSubstring("4096 bytes are in memory of rank 1 (\"part\") that was freed"));
    CHECK(byte_at(next) == 5);
    two.on(1);
    CHECK(aclrtFree(next) == ACL_SUCCESS);
  }
}

TEST_CASE("memory that was registered and freed is not exposed", "[hccl][channel]") {
  OneThread two(2);
  two.on(0);
  void* const memory = filled(1);
  const CommMem part{COMM_MEM_TYPE_DEVICE, memory, kFreedPart};
  HcclMemHandle handle = nullptr;
  REQUIRE(HcclCommMemReg(two.comms[0], "part", &part, &handle) == HCCL_SUCCESS);
  CHECK(aclrtFree(memory) == ACL_SUCCESS);
  ChannelHandle channel = 0;
  CHECK(acquire(two.comms[0], 1, handle, channel) == HCCL_E_PARA);
  CHECK_THAT(message(), ContainsSubstring("the memory of \"part\" was freed"));
}

TEST_CASE("a rank whose peer has destroyed its communicator does not write into its buffer",
          "[hccl][channel][fail]") {
  Linked two;
  two.on(1);
  CHECK(HcclCommDestroy(two.comms[1]) == HCCL_SUCCESS);
  two.on(0);
  CHECK(HcommWriteOnThread(two.thread, two.channel, two.theirs, two.mine, 16) == 0);
  CHECK_THAT(two.synchronize(0).second, ContainsSubstring("memory of rank 1 (\"HcclBuffer\") that was freed") ||
                                            ContainsSubstring("rank 1 has destroyed its communicator"));
}

TEST_CASE("a process that frees what it exposed goes on, whatever its peers write", "[hccl][channel][fail]") {
  const OnDevice device(0);
  HcclRootInfo info;
  REQUIRE(HcclGetRootInfo(&info) == HCCL_SUCCESS);
  RunningChild child("frees_what_it_exposed");
  child.say("1 2 0 " + hex_of(info));
  HcclComm comm = nullptr;
  REQUIRE(HcclCommInitRootInfo(2, &info, 0, &comm) == HCCL_SUCCESS);
  ChannelHandle channel = 0;
  REQUIRE(acquire(comm, 1, nullptr, channel) == HCCL_SUCCESS);
  aclrtStream stream = nullptr;
  REQUIRE(aclrtCreateStream(&stream) == ACL_SUCCESS);
  ThreadHandle thread = 0;
  REQUIRE(HcclThreadAcquireWithStream(comm, COMM_ENGINE_CPU_TS, stream, 0, &thread) == HCCL_SUCCESS);
  void* const own = filled(7);
  REQUIRE(child.ask("free") == "freed");
  CHECK(HcommWriteOnThread(thread, channel, registered_by_peer(comm, channel), own, kFreedPart) == 0);
  CHECK(aclrtSynchronizeStream(stream) == ACL_SUCCESS);  // what others have freed is not known here
  child.say("go on");
  CHECK(HcclBarrier(comm, stream) == HCCL_SUCCESS);
  CHECK(aclrtSynchronizeStreamWithTimeout(stream, 60000) == ACL_SUCCESS);
  CHECK(child.hear() == "well");
  CHECK(HcclCommDestroy(comm) == HCCL_SUCCESS);
  CHECK(aclrtDestroyStream(stream) == ACL_SUCCESS);
  CHECK(aclrtFree(own) == ACL_SUCCESS);
}
