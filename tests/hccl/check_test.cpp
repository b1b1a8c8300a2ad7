// SPDX-License-Identifier: Apache-2.0
// Operations between ranks in the checker. These run in processes of their own, as the checker is
// on for a whole process.
#include <fmt/format.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "acl/acl_sim.h"
#include "acl/acl_sim_check.h"
#include "hccl/hccl_channel.h"
#include "hccl/hccl_res.h"
#include "hcomm/hcomm_primitives.h"
#include "tests/hccl/process_rank.h"
#include "tests/hccl/world.h"
#include "tests/support/bugs_may_run.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace hccltest;
using catch_compat::ContainsSubstring;

namespace {

constexpr std::size_t kBytes = 8192;

/// Two ranks, a buffer each, and a second stream beside the one of the collectives.
struct Pair : OneThread {
  Pair() : OneThread(2) {
    each([&](std::uint32_t rank, HcclComm, aclrtStream) {
      memory[rank] = ints(rank, std::vector<std::int32_t>(kBytes / 4, 1));
      aclrtCreateStream(&others[rank]);
      aclrtCreateEvent(&events[rank]);
    });
  }
  HcclResult reduce(std::uint32_t rank) {
    on(rank);
    return HcclAllReduce(memory[rank], memory[rank], kBytes / 4, kInt, kSum, comms[rank],
                         streams[rank]);
  }
  void synchronize_all() {
    each([&](std::uint32_t rank, HcclComm, aclrtStream stream) {
      aclrtSynchronizeStream(stream);
      aclrtSynchronizeStream(others[rank]);
    });
  }
  std::int32_t* memory[2] = {};
  aclrtStream others[2] = {};
  aclrtEvent events[2] = {};
};

std::string text_of_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::uint64_t found() {
  std::uint64_t count = 0;
  aclsimCheckCount("error", &count);
  return count;
}

/// How many findings the body makes of a rule.
template <class Body>
std::uint64_t told(const char* rule, Body body) {
  std::uint64_t times = 0;
  aclsimCheckExpectBegin(rule);
  body();
  aclsimCheckExpectEnd(&times);
  return times;
}

/// Rank 0 zeroes its buffer on another stream, behind the collective if `waits`.
void touch_beside(Pair& pair, bool waits) {
  for (const std::uint32_t rank : {0u, 1u}) CHILD_EXPECT(pair.reduce(rank) == HCCL_SUCCESS);
  pair.on(0);
  if (waits) {
    aclrtRecordEvent(pair.events[0], pair.streams[0]);
    aclrtStreamWaitEvent(pair.others[0], pair.events[0]);
  }
  aclrtMemsetAsync(pair.memory[0], kBytes, 0, kBytes, pair.others[0]);
  pair.synchronize_all();
}

CHILD_PROGRAM(collective_beside_a_fill) {
  Pair pair;
  CHILD_EXPECT(told("ACL007", [&] { touch_beside(pair, false); }) == 1);
  CHILD_EXPECT(told("ACL007", [&] { touch_beside(pair, true); }) == 0);
  CHILD_EXPECT(found() == 0);
  return 0;
}

/// Rank 1's operations after a collective happen after rank 0's operations before it.
CHILD_PROGRAM(collective_orders_ranks) {
  Pair pair;
  pair.on(0);
  std::int32_t* const shared = pair.ints(0, std::vector<std::int32_t>(16));
  aclrtDeviceEnablePeerAccess(1, 0);
  pair.on(1);
  aclrtDeviceEnablePeerAccess(0, 0);
  const auto pass = [&](bool meets, bool pairwise) {
    pair.on(0);
    aclrtMemsetAsync(shared, 64, 1, 64, pair.streams[0]);
    if (meets && !pairwise) {
      for (const std::uint32_t rank : {0u, 1u}) pair.reduce(rank);
    }
    if (meets && pairwise) {
      HcclSend(pair.memory[0], 4, kInt, 1, pair.comms[0], pair.streams[0]);
      pair.on(1);
      HcclRecv(pair.memory[1], 4, kInt, 0, pair.comms[1], pair.streams[1]);
    }
    pair.on(1);
    aclrtMemcpyAsync(pair.memory[1], 64, shared, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, pair.streams[1]);
    pair.synchronize_all();
  };
  CHILD_EXPECT(told("ACL007", [&] { pass(false, false); }) == 1);
  CHILD_EXPECT(told("ACL007", [&] { pass(true, false); }) == 0);
  CHILD_EXPECT(told("ACL007", [&] { pass(true, true); }) == 0);
  CHILD_EXPECT(found() == 0);
  return 0;
}

/// A refused operation is the last call that the program makes; it leaves a stream behind.
CHILD_PROGRAM(refused_operation) {
  aclrtSetDevice(0);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  HcclAllReduce(nullptr, nullptr, 1, kInt, kSum, nullptr, stream);
  return 0;
}

/// One rank may go on while another still writes its result.
CHILD_PROGRAM(result_of_another_rank) {
  Pair pair;
  for (const std::int32_t peer : {1, 0}) {
    pair.on(static_cast<std::uint32_t>(1 - peer));
    aclrtDeviceEnablePeerAccess(peer, 0);
  }
  const auto pass = [&](bool waits) {
    for (int turn = 0; turn < (waits ? 2 : 1); ++turn) {
      for (const std::uint32_t rank : {0u, 1u}) {
        pair.on(rank);
        if (turn == 0) CHILD_EXPECT(pair.reduce(rank) == HCCL_SUCCESS);
        if (turn == 1) CHILD_EXPECT(HcclBarrier(pair.comms[rank], pair.streams[rank]) == 0);
      }
    }
    aclrtMemcpyAsync(pair.memory[1], 64, pair.memory[0], 64, ACL_MEMCPY_DEVICE_TO_DEVICE,
                     pair.streams[1]);
    pair.synchronize_all();
  };
  CHILD_EXPECT(told("ACL007", [&] { pass(false); }) == 1);
  CHILD_EXPECT(told("ACL007", [&] { pass(true); }) == 0);
  CHILD_EXPECT(found() == 0);
  return 0;
}

/// The same of captured ones, with each launch.
CHILD_PROGRAM(captured_collective_beside_a_fill) {
  Pair pair;
  aclmdlRI models[2] = {};
  pair.each([&](std::uint32_t rank, HcclComm, aclrtStream stream) {
    aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    CHILD_EXPECT(pair.reduce(rank) == HCCL_SUCCESS);
    CHILD_EXPECT(aclmdlRICaptureEnd(stream, &models[rank]) == ACL_SUCCESS);
  });
  const auto launch = [&](bool waits) {
    pair.each([&](std::uint32_t rank, HcclComm, aclrtStream stream) {
      CHILD_EXPECT(aclmdlRIExecuteAsync(models[rank], stream) == ACL_SUCCESS);
      if (rank != 0) return;
      if (waits) {
        aclrtRecordEvent(pair.events[0], stream);
        aclrtStreamWaitEvent(pair.others[0], pair.events[0]);
      }
      aclrtMemsetAsync(pair.memory[0], kBytes, 0, kBytes, pair.others[0]);
    });
    pair.synchronize_all();
  };
  CHILD_EXPECT(told("ACL007", [&] { launch(false); }) == 1);
  CHILD_EXPECT(told("ACL007", [&] { launch(true); }) == 0);
  CHILD_EXPECT(found() == 0);
  return 0;
}

CHILD_PROGRAM(collectives_in_another_order) {
  Pair pair;
  const auto run = [&] {
    for (const std::uint32_t rank : {0u, 1u}) {
      if (rank == 0) pair.reduce(rank);
      pair.on(rank);
      HcclBarrier(pair.comms[rank], pair.streams[rank]);
      if (rank == 1) pair.reduce(rank);
    }
    pair.synchronize_all();
  };
  CHILD_EXPECT(told("ACL009", run) == 1);
  return 0;
}

/// Two communicators share the stream of each rank.
CHILD_PROGRAM(communicators_in_another_order) {
  Pair pair;
  const std::int32_t devices[] = {0, 1};
  HcclComm seconds[2] = {};
  CHILD_EXPECT(HcclCommInitAll(2, const_cast<std::int32_t*>(devices), seconds) == HCCL_SUCCESS);
  const auto run = [&] {
    for (const std::uint32_t rank : {0u, 1u}) {
      if (rank == 0) pair.reduce(rank);
      pair.on(rank);
      HcclBarrier(seconds[rank], pair.streams[rank]);
      if (rank == 1) pair.reduce(rank);
    }
    pair.synchronize_all();
  };
  CHILD_EXPECT(told("ACL009", run) == 1);
  for (HcclComm comm : seconds) HcclCommDestroy(comm);
  return 0;
}

CHILD_PROGRAM(sends_to_a_rank_that_reduces) {
  Pair pair;
  const auto run = [&] {
    CHILD_EXPECT(pair.reduce(1) == HCCL_SUCCESS);
    pair.on(0);
    CHILD_EXPECT(HcclSend(pair.memory[0], kBytes / 4, kInt, 1, pair.comms[0], pair.streams[0]) ==
                 HCCL_SUCCESS);
    pair.synchronize_all();
  };
  CHILD_EXPECT(told("ACL009", run) == 1);
  CHILD_EXPECT(found() == 0);
  return 0;
}

/// Data that a peer has written into the communicator's buffer must not be reported as
/// uninitialised.
CHILD_PROGRAM(buffer_that_a_peer_writes) {
  Pair pair;
  ChannelHandle channel[2] = {};
  const auto acquire = [&](std::uint32_t rank) {
    pair.on(rank);
    HcclChannelDesc desc;
    HcclChannelDescInit(&desc, 1);
    desc.remoteRank = 1 - rank;
    desc.channelProtocol = COMM_PROTOCOL_HCCS;
    desc.notifyNum = 1;
    HcclChannelAcquire(pair.comms[rank], COMM_ENGINE_CPU_TS, &desc, 1, &channel[rank]);
  };
  std::thread other(acquire, 1);
  acquire(0);
  other.join();
  pair.on(0);
  ThreadHandle thread = 0;
  void* theirs = nullptr;
  std::uint64_t size = 0;
  HcclThreadAcquireWithStream(pair.comms[0], COMM_ENGINE_CPU_TS, pair.streams[0], 0, &thread);
  HcclChannelGetHcclBuffer(pair.comms[0], channel[0], &theirs, &size);
  CHILD_EXPECT(HcommWriteOnThread(thread, channel[0], theirs, pair.memory[0], 64) == 0);
  aclrtSynchronizeStream(pair.streams[0]);
  pair.on(1);
  std::int32_t value = 0;
  CHILD_EXPECT(
      told("ACL021", [&] { aclrtMemcpy(&value, 4, theirs, 4, ACL_MEMCPY_DEVICE_TO_HOST); }) == 0);
  CHILD_EXPECT(value == 1);
  return 0;
}

/// Two ranks with a channel, and a thread over the stream of each.
struct Channelled : Pair {
  Channelled() {
    const auto acquire = [&](std::uint32_t rank) {
      on(rank);
      HcclChannelDesc desc;
      HcclChannelDescInit(&desc, 1);
      desc.remoteRank = 1 - rank;
      desc.channelProtocol = COMM_PROTOCOL_HCCS;
      desc.notifyNum = 2;
      must(HcclChannelAcquire(comms[rank], COMM_ENGINE_CPU_TS, &desc, 1, &channel[rank]) == 0);
      must(HcclThreadAcquireWithStream(comms[rank], COMM_ENGINE_CPU_TS, streams[rank], 1,
                                       &thread[rank]) == 0);
    };
    std::thread other(acquire, 1);
    acquire(0);
    other.join();
    std::uint64_t size = 0;
    must(HcclChannelGetHcclBuffer(comms[0], channel[0], &buffer, &size) == 0);
  }
  /// Rank 1 copies out of its buffer.
  void read_buffer() {
    on(1);
    aclrtMemcpyAsync(memory[1], 64, buffer, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, streams[1]);
  }
  void wait(std::uint32_t rank, std::uint32_t index) {
    on(rank);
    CHILD_EXPECT(HcommChannelNotifyWaitOnThread(thread[rank], channel[rank], index, 30) == 0);
  }
  void record(std::uint32_t rank, std::uint32_t index) {
    on(rank);
    CHILD_EXPECT(HcommChannelNotifyRecordOnThread(thread[rank], channel[rank], index) == 0);
  }
  void write() {
    on(0);
    CHILD_EXPECT(HcommWriteOnThread(thread[0], channel[0], buffer, memory[0], 64) == 0);
  }
  ChannelHandle channel[2] = {};
  ThreadHandle thread[2] = {};
  void* buffer = nullptr;  // of rank 1
};

/// Rank 1 destroys its communicator, and with it the buffer that rank 0 writes into.
CHILD_PROGRAM(communicator_destroyed_in_use) {
  Channelled two;
  two.write();
  two.on(1);
  HcclCommDestroy(two.comms[1]);
  two.comms[1] = nullptr;
  two.synchronize_all();
  return 0;
}

/// Rank 0 writes into the buffer of rank 1, which reads it.
CHILD_PROGRAM(channel_notify_orders) {
  Channelled two;
  const auto pass = [&](bool waits, bool in_one) {
    if (in_one) {
      two.on(0);
      CHILD_EXPECT(HcommWriteWithNotifyOnThread(two.thread[0], two.channel[0], two.buffer,
                                                two.memory[0], 64, 0) == 0);
    } else {
      two.write();
      two.record(0, 0);
    }
    if (waits) two.wait(1, 0);
    two.read_buffer();
    if (!waits) two.wait(1, 0);  // too late
    two.synchronize_all();
  };
  CHILD_EXPECT(told("ACL007", [&] { pass(true, false); }) == 0);
  CHILD_EXPECT(told("ACL007", [&] { pass(true, true); }) == 0);
  CHILD_EXPECT(told("ACL007", [&] { pass(false, false); }) == 1);
  CHILD_EXPECT(told("ACL007", [&] { pass(false, true); }) == 1);
  CHILD_EXPECT(found() == 0);
  return 0;
}

/// The wait is for another flag than the one that is recorded behind the write.
CHILD_PROGRAM(wait_for_another_channel_notify) {
  Channelled two;
  const auto pass = [&](std::uint32_t index) {
    two.record(0, 1);
    two.write();
    two.record(0, 0);
    two.wait(1, index);
    two.read_buffer();
    two.wait(1, 1 - index);
    two.synchronize_all();
  };
  CHILD_EXPECT(told("ACL007", [&] { pass(0); }) == 0);
  CHILD_EXPECT(told("ACL007", [&] { pass(1); }) == 1);
  CHILD_EXPECT(found() == 0);
  return 0;
}

/// Rank 1 notifies rank 0 that it may write again, or does not.
CHILD_PROGRAM(buffer_is_written_again) {
  Channelled two;
  const auto pass = [&](bool tells) {
    for (int turn = 0; turn < 2; ++turn) {
      if (turn == 1 && tells) two.wait(0, 1);
      two.write();
      two.record(0, 0);
      two.wait(1, 0);
      two.read_buffer();
      if (turn == 0 && tells) two.record(1, 1);
      if (turn == 0) aclrtSynchronizeStream(two.streams[1]);  // flags are set once for each wait
    }
    two.synchronize_all();
  };
  CHILD_EXPECT(told("ACL007", [&] { pass(true); }) == 0);
  CHILD_EXPECT(found() == 0);
  return 0;
}

CHILD_PROGRAM(captured_channel_notify_orders) {
  Channelled two;
  aclmdlRI models[2] = {};
  two.each([&](std::uint32_t rank, HcclComm, aclrtStream stream) {
    aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED);
    if (rank == 0) {
      two.write();
      two.record(0, 0);
    } else {
      two.wait(1, 0);
      two.read_buffer();
    }
    CHILD_EXPECT(aclmdlRICaptureEnd(stream, &models[rank]) == ACL_SUCCESS);
  });
  for (int launch = 0; launch < 2; ++launch) {
    two.each([&](std::uint32_t rank, HcclComm, aclrtStream stream) {
      CHILD_EXPECT(aclmdlRIExecuteAsync(models[rank], stream) == ACL_SUCCESS);
    });
    two.synchronize_all();
  }
  CHILD_EXPECT(found() == 0);
  return 0;
}

/// A rank of two, which are processes. Rank 0 writes into the buffer of rank 1, which reads it:
/// behind the notify, behind another one ("another"), or at once ("none").
CHILD_PROGRAM(channel_between_processes) {
  const std::string how = support::environment_variable("HOW");
  const Launched launched;
  aclrtStream stream = nullptr;
  must(aclrtCreateStream(&stream) == ACL_SUCCESS);
  void* memory = nullptr;
  must(aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) == ACL_SUCCESS);
  must(aclrtMemset(memory, 64, 7, 64) == ACL_SUCCESS);
  HcclChannelDesc desc;
  HcclChannelDescInit(&desc, 1);
  desc.remoteRank = 1 - launched.rank;
  desc.channelProtocol = COMM_PROTOCOL_HCCS;
  desc.notifyNum = 2;
  ChannelHandle channel = 0;
  ThreadHandle thread = 0;
  void* buffer = nullptr;
  std::uint64_t size = 0;
  must(HcclChannelAcquire(launched.comm, COMM_ENGINE_CPU_TS, &desc, 1, &channel) == 0);
  must(HcclThreadAcquireWithStream(launched.comm, COMM_ENGINE_CPU_TS, stream, 1, &thread) == 0);
  if (launched.rank == 0) {
    must(HcclChannelGetHcclBuffer(launched.comm, channel, &buffer, &size) == 0);
    must(HcommChannelNotifyRecordOnThread(thread, channel, 1) == 0);
    must(HcommWriteOnThread(thread, channel, buffer, memory, 64) == 0);
    must(HcommChannelNotifyRecordOnThread(thread, channel, 0) == 0);
  } else {
    must(HcclGetHcclBuffer(launched.comm, &buffer, &size) == 0);
    const std::uint32_t first = how == "another" ? 1 : 0;
    if (how != "none") must(HcommChannelNotifyWaitOnThread(thread, channel, first, 30) == 0);
    must(aclrtMemcpyAsync(memory, 64, buffer, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, stream) == 0);
    if (how == "none") must(HcommChannelNotifyWaitOnThread(thread, channel, first, 30) == 0);
    must(HcommChannelNotifyWaitOnThread(thread, channel, 1 - first, 30) == 0);
  }
  must(HcclBarrier(launched.comm, stream) == HCCL_SUCCESS);
  must(aclrtSynchronizeStream(stream) == ACL_SUCCESS);
  aclrtFree(memory);
  aclrtDestroyStream(stream);
  return 0;
}

/// Two ranks. The second one calls another collective if it reads "odd".
CHILD_PROGRAM(collectives_of_processes) {
  const Launched launched;
  StreamWithMemory work;
  if (launched.rank == 1 && support::environment_variable("HOW") == "odd") {
    must(HcclBroadcast(work.memory, 16, kInt, 0, launched.comm, work.stream) == HCCL_SUCCESS);
  } else {
    work.add_up(16, launched.comm);
  }
  work.synchronize();  // the checker reports the result
  return 0;
}

/// The report of `aclsim run` on a program, and its exit code.
std::pair<std::string, int> check_between_processes(const char* program, const char* how) {
  const support::TempDir folder;
  const std::string output = folder.path() / "output";
  const int status = std::system(
      fmt::format("HOW={} TEST_CHILD_PROGRAM={} {} run --ranks 2 --check -- /proc/{}/exe >{} 2>&1",
                  how, program, ACLSIM_EXE, getpid(), output)
          .c_str());
  return {text_of_file(output), WEXITSTATUS(status)};
}

void check_child(const char* program, support::Environment environment = {}) {
  environment.emplace_back("ACLSIM_CHECK", "1");
  environment.emplace_back("ACLSIM_CHECK_QUIET", "1");
  for (const char* const seed : {"", "1", "2"}) {
    if (!*seed && !bugs_may_run()) continue;
    support::Environment all = environment;
    if (*seed) {
      all.emplace_back("ACLSIM_SCHEDULE", "seeded");
      all.emplace_back("ACLSIM_SEED", seed);
    }
    const support::ChildResult result = support::run_child(program, all);
    INFO(result.output);
    CHECK(result.clean());
  }
}

}  // namespace

TEST_CASE("a buffer that is touched while a collective uses it is a race", "[hccl][check]") {
  check_child("collective_beside_a_fill");
  check_child("captured_collective_beside_a_fill");
}

TEST_CASE("what follows an operation on one rank comes after what is before it on others",
          "[hccl][check]") {
  check_child("collective_orders_ranks");
}

TEST_CASE("what an operation writes on one rank is not before what follows it on another",
          "[hccl][check]") {
  check_child("result_of_another_rank");
}

TEST_CASE("memory that a peer writes is not reported as never written", "[hccl][check]") {
  check_child("buffer_that_a_peer_writes");
}

TEST_CASE("a wait for a channel's notify orders what a peer writes, and a missing one is found",
          "[hccl][check][channel]") {
  check_child("channel_notify_orders");
  check_child("wait_for_another_channel_notify");
}

TEST_CASE("a buffer is written again without a race when its reader has said so",
          "[hccl][check][channel]") {
  check_child("buffer_is_written_again");
}

TEST_CASE("a channel's notify orders in graphs too", "[hccl][check][channel]") {
  check_child("captured_channel_notify_orders");
}

TEST_CASE(
    "a channel's notify orders ranks that are processes, and a missing wait is a race between them",
    "[hccl][check][channel]") {
  const auto [right, code] = check_between_processes("channel_between_processes", "right");
  INFO(right);
  CHECK(code == 0);
  CHECK_THAT(right, ContainsSubstring("0 errors"));
  for (const char* const how : {"none", "another"}) {
    const auto [wrong, failed] = check_between_processes("channel_between_processes", how);
    INFO(wrong);
    CHECK(failed == 1);
    CHECK_THAT(wrong, ContainsSubstring("data race") &&
                          ContainsSubstring("64 bytes of device memory") &&
                          ContainsSubstring("HcommWriteOnThread") && ContainsSubstring("1 error"));
  }
}

TEST_CASE("another operation of a rank that is a process is a finding, and the exit code says so",
          "[hccl][check]") {
  const auto [right, code] = check_between_processes("collectives_of_processes", "even");
  INFO(right);
  CHECK(code == 0);
  CHECK_THAT(right, ContainsSubstring("0 errors"));
  const auto [wrong, failed] = check_between_processes("collectives_of_processes", "odd");
  INFO(wrong);
  CHECK(failed == 1);
  CHECK_THAT(wrong, ContainsSubstring("[ACL009]") &&
                        ContainsSubstring("HcclAllReduce(count 16, int32, sum)") &&
                        ContainsSubstring("HcclBroadcast(count 16, int32, root 0)"));
}

TEST_CASE("operations in another order on two ranks are a finding", "[hccl][check]") {
  check_child("collectives_in_another_order");
  check_child("communicators_in_another_order");
}

TEST_CASE("a send to a rank that waits in a collective is a finding, told once", "[hccl][check]") {
  check_child("sends_to_a_rank_that_reduces");
}

TEST_CASE("an operation that is refused is a failed call at the program's line", "[hccl][check]") {
  const support::TempDir folder;
  const std::string report = (folder.path() / "report.txt").string();
  const support::ChildResult result = support::run_child(
      "refused_operation", {{"ACLSIM_CHECK", "1"}, {"ACLSIM_CHECK_REPORT", report}});
  INFO(result.output);
  REQUIRE(result.clean());
  const std::string told = text_of_file(report);
  INFO(told);
  CHECK_THAT(told, ContainsSubstring("warning: failed call: HcclAllReduce failed with "));
  CHECK_THAT(told, ContainsSubstring("note: unreleased resources: "));
  std::istringstream lines(told);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("[ACL0") != std::string::npos)
      CHECK_THAT(line, ContainsSubstring("check_test.cpp:"));
  }
}

TEST_CASE("the end of a communicator is named by the call in the program", "[hccl][check]") {
  const support::TempDir folder;
  const std::string report = (folder.path() / "report.txt").string();
  support::run_child("communicator_destroyed_in_use",
                     {{"ACLSIM_CHECK", "1"}, {"ACLSIM_CHECK_REPORT", report}});
  const std::string text = text_of_file(report);
  CHECK_THAT(text, ContainsSubstring("HcclCommDestroy"));
  CHECK_THAT(text, !ContainsSubstring("resources.cpp"));
}
