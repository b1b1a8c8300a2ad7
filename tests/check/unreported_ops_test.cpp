// SPDX-License-Identifier: Apache-2.0
// Events that need not be reported one by one, and state that need not be kept: ops that touch
// nothing, repeated notes, records that no thread can wait for any more, threads that have ended.
#include <malloc.h>

#include <atomic>
#include <thread>

#include "tests/acl/graph.h"
#include "tests/check/cases.h"
#include "tests/support/child.h"

using namespace check;

namespace {

int32_t nothing(const aclsimKernelContext*, const void*) { return 0; }

/// Launches a kernel that has one argument, or none, and touches nothing in fact.
aclError launch(aclrtStream stream, void* argument) {
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "kernel";
  launch.kernel = &nothing;
  launch.numBlocks = 1;
  launch.args = &argument;
  launch.argsSize = argument ? sizeof argument : 0;
  return aclsimLaunchKernel(&launch, stream);
}

void kernel(aclrtStream stream, void* argument = nullptr) { REQUIRE_ACL(launch(stream, argument)); }

void row(aclrtStream stream) {
  for (int i = 0; i < 5; ++i) kernel(stream);
}

constexpr const char* kNotNeeded = "ACL010";
constexpr const char* kFreedInUse = "ACL006";
constexpr const char* kRace = "ACL007";

}  // namespace

TEST_CASE("to wait for kernels that touch nothing is needed, however many they are") {
  const Desk desk;
  CHECK(told(kNotNeeded, [&] {
          for (int i = 0; i < 3; ++i) {
            row(desk.a);
            join(desk.a);
          }
        }) == 0);
  CHECK(told(kNotNeeded, [&] { join(desk.a); }) == 1);
}

TEST_CASE("to wait for kernels that touch nothing is needed when another thread has waited") {
  const Desk desk;
  const auto join_elsewhere = [&, context = this_context()] {
    REQUIRE_ACL(aclrtSetCurrentContext(context));
    join(desk.a);
  };
  CHECK(told(kNotNeeded, [&] {
          row(desk.a);
          std::jthread(join_elsewhere).join();
          row(desk.a);
          std::jthread(join_elsewhere).join();
          join(desk.a);
        }) == 0);
}

TEST_CASE("a stream that ends with kernels that touch nothing ends with work") {
  const Desk desk;
  CHECK(told(kFreedInUse, [&] {
          world::Stream stream;
          join(stream);
          row(stream);
          REQUIRE_ACL(aclrtDestroyStreamForce(stream.release()));
        }) == 1);
}

TEST_CASE("a kernel that is given memory is told in a row of those that touch nothing") {
  if (!bugs_may_run()) return;
  const Desk desk;
  fill(desk.b, desk.x);
  CHECK(told(kRace, [&] {
          row(desk.a);
          kernel(desk.a, desk.x);
          row(desk.a);
        }) == 1);
  join(desk.a);
  join(desk.b);
}

TEST_CASE("a kernel of a graph that is given memory later is told") {
  if (!bugs_may_run()) return;
  const Desk desk;
  const auto graph = world::capture(desk.a, [&] { kernel(desk.a); });
  aclrtStream stream = nullptr;
  std::uint32_t count = 1;
  REQUIRE_ACL(aclmdlRIGetStreams(graph, &stream, &count));
  aclmdlRITask task = nullptr;
  REQUIRE_ACL(aclmdlRIGetTasksByStream(stream, &task, &count));
  aclmdlRITaskParams params{};
  REQUIRE_ACL(aclmdlRITaskGetParams(task, &params));
  void* memory = desk.x;
  params.kernelTaskParams.args = &memory;
  params.kernelTaskParams.argsSize = sizeof memory;
  REQUIRE_ACL(aclmdlRITaskSetParams(task, &params));
  const auto race = [&] {
    fill(desk.b, desk.x);
    world::run(graph, desk.a);
    join(desk.b);
  };
  CHECK(told(kRace, race) == 0);  // not yet
  REQUIRE_ACL(aclmdlRIUpdate(graph));
  CHECK(told(kRace, race) == 1);
}

TEST_CASE("a note that comes again counts each time, also where others come between") {
  const Desk desk;
  row(desk.a);
  join(desk.a);
  const auto occurrences = [] {
    std::uint64_t count = 0;
    REQUIRE_ACL(aclsimCheckOccurrences("note", &count));
    return count;
  };
  const std::uint64_t before = occurrences();
  for (int i = 0; i < 10; ++i) {
    join(desk.a);
    REQUIRE_ACL(aclrtSynchronizeStream(desk.a));
  }
  CHECK(occurrences() == before + 20);
  CHECK(told(kNotNeeded, [&] {
          for (int i = 0; i < 10; ++i) join(desk.a);
        }) == 1);
  CHECK(occurrences() == before + 20);
}

TEST_CASE("a thread that waits for a record is behind that when the event is recorded again") {
  const Desk desk;
  const auto event = world::Event::ex();
  world::Gate gate;
  CHECK(told(kRace, [&] {
          gate.hold(desk.a);
          fill(desk.a, desk.x);
          record(event, desk.a);
          std::atomic<bool> begun{false};
          std::jthread waiter([&, context = this_context()] {
            REQUIRE_ACL(aclrtSetCurrentContext(context));
            begun = true;
            REQUIRE_ACL(aclrtSynchronizeEvent(event));
            REQUIRE_ACL(aclsimCheckRead(desk.x, kSize));
          });
          while (!begun) std::this_thread::yield();
          record(event, desk.a);
          gate.open();
        }) == 0);
  join(desk.a);
}

CHILD_PROGRAM(record_again_and_again) {
  aclrtStream a = nullptr, b = nullptr;
  aclrtEvent there = nullptr, back = nullptr;
  void* memory = nullptr;
  aclrtSetDevice(0);
  aclrtCreateStream(&a);
  aclrtCreateStream(&b);
  aclrtCreateEventExWithFlag(&there, ACL_EVENT_SYNC);
  aclrtCreateEventExWithFlag(&back, ACL_EVENT_SYNC);
  aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST);
  for (int i = 0; i < 200; ++i) {
    aclrtMemsetAsync(memory, kSize, 1, kSize, a);
    aclrtRecordEvent(there, a);
    aclrtStreamWaitEvent(b, there);
    aclrtMemsetAsync(memory, kSize, 2, kSize, b);
    aclrtRecordEvent(back, b);
    aclrtStreamWaitEvent(a, back);
  }
  std::uint64_t ordered = 1;
  aclsimCheckCount("note", &ordered);
  aclrtMemsetAsync(memory, kSize, 1, kSize, a);
  launch(b, memory);  // nothing orders this one
  std::uint64_t raced = 0;
  aclsimCheckCount("warning", &raced);
  aclrtSynchronizeDevice();
  return ordered == 0 && raced == 1 ? 0 : 1;
}

TEST_CASE("two events that are recorded again and again order each time, in one thread") {
  const auto result = support::run_child("record_again_and_again",
                                         {{"ACLSIM_CHECK", "1"}, {"ACLSIM_CHECK_LEVEL", "note"}});
  INFO(result.output);
  CHECK(result.status == 0);
}

// Each thread knows what all before it did: a count for each of them. All of that would be 18 MB.
CHILD_PROGRAM(many_threads) {
  constexpr int kThreads = 3000;
  constexpr std::size_t kMost = std::size_t{6} << 20;
  aclrtStream stream = nullptr;
  void* memory = nullptr;
  aclrtSetDevice(0);
  aclrtCreateStream(&stream);
  aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtContext context = nullptr;
  aclrtGetCurrentContext(&context);
  const std::size_t before = mallinfo2().uordblks;
  for (int i = 0; i < kThreads; ++i) {
    std::jthread([&] {
      aclrtSetCurrentContext(context);
      aclrtMemsetAsync(memory, kSize, 1, kSize, stream);
      aclrtSynchronizeStream(stream);
    });
  }
  return mallinfo2().uordblks < before + kMost ? 0 : 1;
}

TEST_CASE("threads that have ended cost little memory, however many there were") {
  const auto result = support::run_child("many_threads", {{"ACLSIM_CHECK", "1"}});
  INFO(result.output);
  CHECK(result.status == 0);
}
