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

HcclResult acquire(HcclComm comm, std::uint32_t peer, HcclMemHandle exposed, ChannelHandle& channel,
                   CommProtocol protocol = COMM_PROTOCOL_HCCS) {
  HcclChannelDesc desc;
  describe(desc, peer, protocol);
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

/// The peer's registered memory, at the address that this rank uses.
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
  /// The error of rank 0's stream after a write or a read of the whole part.
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

/// One of two ranks that are processes. Both expose memory, which makes the channel another one
/// each time.
struct Freeing : Joined {
  explicit Freeing(CommProtocol over) : protocol(over) {
    must(HcclThreadAcquireWithStream(comm, COMM_ENGINE_CPU_TS, work.stream, 0, &thread) ==
         HCCL_SUCCESS);
  }
  void expose(const char* tag) {
    memory = filled(1);
    const CommMem part{COMM_MEM_TYPE_DEVICE, memory, kFreedPart};
    HcclMemHandle handle = nullptr;
    must(HcclCommMemReg(comm, tag, &part, &handle) == HCCL_SUCCESS);
    must(acquire(comm, 1 - rank, handle, channel, protocol) == HCCL_SUCCESS);
  }
  void write(bool notifies) {
    void* const theirs = registered_by_peer(comm, channel);
    must((notifies
              ? HcommWriteWithNotifyOnThread(thread, channel, theirs, work.memory, kFreedPart, 0)
              : HcommWriteOnThread(thread, channel, theirs, work.memory, kFreedPart)) == 0);
  }
  void wait() { must(HcommChannelNotifyWaitOnThread(thread, channel, 0, 60) == 0); }
  void record() { must(HcommChannelNotifyRecordOnThread(thread, channel, 0) == 0); }

  const CommProtocol protocol;
  StreamWithMemory work;
  ThreadHandle thread = 0;
  ChannelHandle channel = 0;
  void* memory = nullptr;
};

/// The second rank frees its memory and reports it; then the first one writes there.
std::string write_into_freed(CommProtocol protocol) {
  Freeing rank(protocol);
  rank.expose("part");
  if (rank.rank == 0) {
    rank.wait();
    rank.write(false);
    return rank.work.synchronize();
  }
  must(aclrtFree(rank.memory) == ACL_SUCCESS);
  void* const next = filled(5);  // perhaps at the same address
  rank.record();
  const std::string said = rank.work.synchronize();
  std::string line;
  std::cin >> line;  // the other has written
  const bool touched = byte_at(next) != 5;
  aclrtFree(next);
  return touched ? "other memory was written" : said;
}

/// The second rank frees its memory as soon as the first one's bytes have arrived.
std::string free_what_was_written(CommProtocol protocol) {
  Freeing rank(protocol);
  for (int round = 0; round < 10; ++round) {
    rank.expose(fmt::format("part {}", round).c_str());
    rank.rank == 0 ? rank.write(true) : rank.wait();
    if (const std::string said = rank.work.synchronize(); said != "0 ") return said;
    must(aclrtFree(rank.memory) == ACL_SUCCESS);
  }
  return "0 ";
}

template <class Program>
int say_result(const Program& program, CommProtocol protocol) {
  std::cout << program(protocol) << std::endl;
  return 0;
}
CHILD_PROGRAM(writes_into_freed_here) { return say_result(write_into_freed, COMM_PROTOCOL_HCCS); }
CHILD_PROGRAM(writes_into_freed_there) { return say_result(write_into_freed, COMM_PROTOCOL_ROCE); }
CHILD_PROGRAM(frees_what_was_written_here) {
  return say_result(free_what_was_written, COMM_PROTOCOL_HCCS);
}
CHILD_PROGRAM(frees_what_was_written_there) {
  return say_result(free_what_was_written, COMM_PROTOCOL_ROCE);
}

using Children = std::vector<std::unique_ptr<RunningChild>>;

void expect_told(const Children& ranks) {
  CHECK_THAT(ranks[0]->hear(),
             ContainsSubstring("507000 ") &&
                 ContainsSubstring("4096 bytes are in memory of rank 1 (\"part\") that was freed"));
  CHECK(ranks[1]->ask("look") == "0 ");
}

void expect_well(const Children& ranks) {
  for (const auto& rank : ranks) CHECK(rank->hear() == "0 ");
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
    CHECK_THAT(text,
               ContainsSubstring("4096 bytes are in memory of rank 1 (\"part\") that was freed"));
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
  CHECK_THAT(two.synchronize(0).second,
             ContainsSubstring("memory of rank 1 (\"HcclBuffer\") that was freed") ||
                 ContainsSubstring("rank 1 has destroyed its communicator"));
}

TEST_CASE(
    "a write into memory that another process has exposed and freed fails, and touches nothing",
    "[hccl][channel][fail]") {
  expect_told(start_ranks_here(2, "writes_into_freed_here"));
}

TEST_CASE("so does one into memory of another host", "[hccl][channel][fail][hosts]") {
  const auto hosts = support::TwoHosts::make();
  if (hosts) expect_told(RanksOfHosts(*hosts, {0, 1}, "writes_into_freed_there", 0).children);
}

TEST_CASE("exposed memory may be freed as soon as the peer's bytes are there", "[hccl][channel]") {
  expect_well(start_ranks_here(2, "frees_what_was_written_here"));
}

TEST_CASE("so may that of another host", "[hccl][channel][hosts]") {
  const auto hosts = support::TwoHosts::make();
  if (hosts) expect_well(RanksOfHosts(*hosts, {0, 1}, "frees_what_was_written_there", 0).children);
}

TEST_CASE("a channel that exposes more memories than it can is refused", "[hccl][channel]") {
  OneThread two(2);
  two.on(0);
  std::int32_t* const memory = two.ints(0, std::vector<std::int32_t>(512));
  std::vector<HcclMemHandle> handles(512);
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const CommMem part{COMM_MEM_TYPE_DEVICE, memory + i, 4};
    REQUIRE(HcclCommMemReg(two.comms[0], fmt::format("part {}", i).c_str(), &part, &handles[i]) ==
            HCCL_SUCCESS);
  }
  HcclChannelDesc desc;
  describe(desc, 1, COMM_PROTOCOL_HCCS);
  desc.memHandles = handles.data();
  desc.memHandleNum = 512;
  ChannelHandle channel = 0;
  CHECK(HcclChannelAcquire(two.comms[0], COMM_ENGINE_CPU_TS, &desc, 1, &channel) == HCCL_E_UNAVAIL);
  CHECK_THAT(
      message(),
      ContainsSubstring("a channel exposes 512 memories beside the buffer; expected 511 at most"));
}
