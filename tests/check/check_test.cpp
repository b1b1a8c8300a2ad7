// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "acl/acl_rt_memory_soma.h"
#include "tests/acl/graph.h"
#include "tests/check/cases.h"
#include "tests/support/child.h"

using namespace check;

namespace {

void require_reported_and_silent(const std::vector<Case>& cases) {
  for (const Case& row : cases) {
    const std::string name = std::string(row.number) + ": " + row.name;
    if (bugs_may_run()) {
      DYNAMIC_SECTION(name << " is told") {
        REQUIRE_ACL(aclsimCheckExpectBegin(row.rule));
        row.program(false);
        std::uint64_t times = 0;
        REQUIRE_ACL(aclsimCheckExpectEnd(&times));
        CHECK(times != 0);
      }
    }
    if (std::string_view(row.rule) == "ACL006") {
      // An event that ends before the waits for it is a note of this rule, and depends on the time.
      DYNAMIC_SECTION(name << ", repaired, is not") {
        row.program(true);
        CHECK(found_from("warning") == 0);
      }
      continue;
    }
    DYNAMIC_SECTION(name << ", repaired, is not") {
      std::uint64_t times = 0;
      REQUIRE_ACL(aclsimCheckExpectBegin(row.rule));
      row.program(true);
      REQUIRE_ACL(aclsimCheckExpectEnd(&times));
      CHECK(times == 0);
      CHECK(found_from("warning") == 0);
    }
  }
}

}  // namespace

TEST_CASE("the checker is on") {
  std::int32_t on = 0;
  REQUIRE_ACL(aclsimCheckIsOn(&on));
  REQUIRE(on == 1);
}

TEST_CASE("streams without order are told") { require_reported_and_silent(order_cases()); }

TEST_CASE("host memory that is touched under a copy is told") {
  require_reported_and_silent(host_cases());
}

TEST_CASE("memory and handles that end too early are told") {
  require_reported_and_silent(life_cases());
}

TEST_CASE("what cannot go on is told") { require_reported_and_silent(progress_cases()); }

TEST_CASE("wrong bytes, directions and devices are told") {
  require_reported_and_silent(value_cases());
}

TEST_CASE("numbers, graphs and reductions without order are told") {
  require_reported_and_silent(number_cases());
}

TEST_CASE("what is over without a synchronise is known, and what is not is told") {
  require_reported_and_silent(over_cases());
}

TEST_CASE("memory that is handed on, gone or new is known for that") {
  require_reported_and_silent(memory_cases());
}

TEST_CASE("order by functions and host threads is known, and its lack is told") {
  require_reported_and_silent(thread_cases());
}

TEST_CASE("a copy from freed memory is not told as one in the wrong direction") {
  const Desk desk;
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST));
  REQUIRE_ACL(aclrtFree(memory));
  REQUIRE_ACL(aclsimCheckExpectBegin("ACL020"));
  CHECK(aclrtMemcpy(desk.out, kSize, memory, kSize, ACL_MEMCPY_DEVICE_TO_HOST) ==
        ACL_ERROR_RT_PARAM_INVALID);
  std::uint64_t times = 0;
  REQUIRE_ACL(aclsimCheckExpectEnd(&times));
  CHECK(times == 1);
  CHECK(found_from("warning") == 0);
}

namespace {

/// Findings of two rules; what one of them says is not to be said by the other too.
struct Told {
  std::uint64_t races = 0;
  std::uint64_t others = 0;  // warnings and errors
};

template <class Program>
Told told_of(Program&& program) {
  const std::uint64_t before = found_from("warning");
  REQUIRE_ACL(aclsimCheckExpectBegin("ACL007"));
  program();
  Told told;
  REQUIRE_ACL(aclsimCheckExpectEnd(&told.races));
  told.others = found_from("warning") - before;
  return told;
}

}  // namespace

TEST_CASE("bytes that are not written yet because of a race are told once, as the race") {
  if (!bugs_may_run()) return;
  const Desk desk;
  SECTION("the write is asked for after the read") {
    const Told told = told_of([&] {
      copy(desk.a, desk.out, desk.x);
      fill(desk.b, desk.x);
    });
    CHECK(told.races == 1);
    CHECK(told.others == 0);
  }
  SECTION("the write is behind a wait that is not over") {
    const auto gate = world::Event::old(ACL_EVENT_SYNC);
    const Told told = told_of([&] {
      wait(desk.b, gate);
      fill(desk.b, desk.x);
      copy(desk.a, desk.out, desk.x);
      record(gate, desk.c);
      join(desk.b);
    });
    CHECK(told.races == 1);
    CHECK(told.others == 0);
  }
  SECTION("the write is a graph's") {
    const Told told = told_of([&] {
      const auto graph = world::capture(desk.b, [&] { fill(desk.b, desk.x); });
      REQUIRE_ACL(aclmdlRIExecuteAsync(graph, desk.b));
      REQUIRE_ACL(aclrtMemcpy(desk.out, kSize, desk.x, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
      join(desk.b);
    });
    CHECK(told.races == 1);
    CHECK(told.others == 0);
  }
  SECTION("the read is a reduction's") {
    fill(desk.a, desk.y);
    const Told told = told_of([&] {
      REQUIRE_ACL(aclrtReduceAsync(desk.x, desk.y, kSize, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM,
                                   ACL_INT32, desk.a, nullptr));
      fill(desk.b, desk.x);
    });
    CHECK(told.races == 1);
    CHECK(told.others == 0);
  }
  join(desk.a);
  join(desk.b);
  REQUIRE_ACL(aclsimResetAll());
}

TEST_CASE("bytes that nobody writes are told beside a race") {
  if (!bugs_may_run()) return;
  const Desk desk;
  SECTION("other bytes than those that race") {
    const Told told = told_of([&] {
      copy(desk.a, desk.out, desk.x);
      copy(desk.a, desk.out, desk.y);
      fill(desk.b, desk.x);
    });
    CHECK(told.races == 1);
    CHECK(told.others == 1);
  }
  SECTION("the rest of what is read") {
    const Told told = told_of([&] {
      REQUIRE_ACL(aclrtMemsetAsync(desk.x, kSize, 1, kSize / 2, desk.b));
      copy(desk.a, desk.out, desk.x);
    });
    CHECK(told.races == 1);
    CHECK(told.others == 1);
  }
  SECTION("bytes that another thread writes when the read is known to be over") {
    const Told told = told_of([&] {
      copy(desk.a, desk.out, desk.x);
      join(desk.a);
      std::thread([&] {
        aclrtSetDevice(0);
        aclrtMemsetAsync(desk.x, kSize, 1, kSize, desk.b);
      }).join();
    });
    CHECK(told.races == 0);
    CHECK(told.others == 1);
  }
  join(desk.a);
  join(desk.b);
  REQUIRE_ACL(aclsimResetAll());
}

namespace {

/// The text of a child program's report.
std::string report_of(const char* program) {
  return support::run_child(program, {{"ACLSIM_CHECK", "1"}, {"ACLSIM_CHECK_QUIET", ""}}).output;
}

void* made_and_freed() {
  void* memory = nullptr;
  aclrtSetDevice(0);
  aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtFree(memory);
  return memory;
}

}  // namespace

CHILD_PROGRAM(copy_freed_memory) {
  char out[64];
  return aclrtMemcpy(out, sizeof out, made_and_freed(), sizeof out, ACL_MEMCPY_DEVICE_TO_HOST) ==
                 ACL_SUCCESS
             ? 1
             : 0;
}

CHILD_PROGRAM(free_twice) { return aclrtFree(made_and_freed()) == ACL_SUCCESS ? 1 : 0; }

CHILD_PROGRAM(give_back_twice) {
  aclrtSetDevice(0);
  aclrtMemPoolProps props{};
  props.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  props.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  aclrtMemPool pool = nullptr;
  aclrtStream stream = nullptr;
  void* block = nullptr;
  aclrtCreateStream(&stream);
  aclrtMemPoolCreate(&pool, &props);
  aclrtMemPoolMallocAsync(&block, kSize, pool, stream);
  aclrtMemPoolFreeAsync(block, stream);
  return aclrtMemPoolFreeAsync(block, stream) == ACL_SUCCESS ? 1 : 0;
}

CHILD_PROGRAM(copy_what_a_reset_freed) {
  char out[64];
  void* memory = nullptr;
  aclrtSetDevice(0);
  aclrtMalloc(&memory, kSize, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtResetDevice(0);
  aclrtSetDevice(0);
  const auto code = aclrtMemcpy(out, sizeof out, memory, sizeof out, ACL_MEMCPY_DEVICE_TO_HOST);
  return code == ACL_SUCCESS ? 1 : 0;
}

CHILD_PROGRAM(launch_with_freed_memory) {
  const aclsimMemRange range{made_and_freed(), kSize, ACLSIM_ACCESS_READ};
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "reader";
  launch.kernel = [](const aclsimKernelContext*, const void*) { return 0; };
  launch.numBlocks = 1;
  launch.numRanges = 1;
  launch.ranges = &range;
  aclsimLaunchKernel(&launch, nullptr);
  return aclrtSynchronizeStream(nullptr);
}

TEST_CASE("whoever uses freed memory, or frees it again, is told where it was freed") {
  const auto [program, sentence] = GENERATE(
      std::pair("copy_freed_memory", "src of aclrtMemcpy points into memory that aclrtFree ("),
      std::pair("free_twice", "double free: aclrtFree frees memory that aclrtFree ("),
      std::pair("copy_what_a_reset_freed",
                "src of aclrtMemcpy points into memory that aclrtResetDevice ("),
      std::pair("give_back_twice",
                "double free: aclrtMemPoolFreeAsync frees memory that "
                "aclrtMemPoolFreeAsync on stream 1 ("),
      std::pair("launch_with_freed_memory",
                "reader on the default stream is given memory that aclrtFree ("));
  const std::string report = report_of(program);
  INFO(report);
  CHECK(report.find(sentence) != std::string::npos);
  CHECK(report.find("note: other operation: aclrt") != std::string::npos);
}

CHILD_PROGRAM(use_what_was_destroyed) {
  const std::string what = support::environment_variable("ACLSIM_TEST_OBJECT");
  aclrtSetDevice(0);
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  aclrtContext context = nullptr;
  aclrtNotify notify = nullptr;
  aclmdlRI model = nullptr;
  if (what == "stream") {
    aclrtCreateStream(&stream);
    aclrtDestroyStream(stream);
    return aclrtSynchronizeStream(stream) == ACL_SUCCESS;
  }
  if (what == "event") {
    aclrtCreateEvent(&event);
    aclrtDestroyEvent(event);
    return aclrtRecordEvent(event, nullptr) == ACL_SUCCESS;
  }
  if (what == "event twice") {
    aclrtCreateEvent(&event);
    aclrtDestroyEvent(event);
    return aclrtDestroyEvent(event) == ACL_SUCCESS;
  }
  if (what == "notify") {
    aclrtCreateNotify(&notify, 0);
    aclrtDestroyNotify(notify);
    return aclrtRecordNotify(notify, nullptr) == ACL_SUCCESS;
  }
  if (what == "model") {
    aclmdlRIBuildBegin(&model, 0);
    aclmdlRIDestroy(model);
    return aclmdlRIDestroy(model) == ACL_SUCCESS;
  }
  if (what == "context") {
    aclrtCreateContext(&context, 0);
    aclrtDestroyContext(context);
    return aclrtSetCurrentContext(context) == ACL_SUCCESS;
  }
  if (what == "of a context") {
    aclrtCreateContext(&context, 0);
    aclrtCreateStream(&stream);
    aclrtDestroyContext(context);
    aclrtSetDevice(0);
    return aclrtSynchronizeStream(stream) == ACL_SUCCESS;
  }
  aclrtCreateStream(&stream);
  aclrtResetDevice(0);
  aclrtSetDevice(0);
  return aclrtSynchronizeStream(stream) == ACL_SUCCESS;
}

TEST_CASE("whoever uses a destroyed object, or destroys it again, is told where it was destroyed") {
  const auto [object, sentence] = GENERATE(
      std::pair("stream",
                "use after destroy: aclrtSynchronizeStream is given a stream that "
                "aclrtDestroyStream ("),
      std::pair("event",
                "use after destroy: aclrtRecordEvent is given an event that aclrtDestroyEvent ("),
      std::pair("event twice",
                "double destroy: aclrtDestroyEvent is given an event that aclrtDestroyEvent ("),
      std::pair("notify",
                "use after destroy: aclrtRecordNotify is given a notify that aclrtDestroyNotify ("),
      std::pair("model", "double destroy: aclmdlRIDestroy is given a model that aclmdlRIDestroy ("),
      std::pair("context",
                "use after destroy: aclrtSetCurrentContext is given a context that "
                "aclrtDestroyContext ("),
      std::pair("of a context",
                "use after destroy: aclrtSynchronizeStream is given a stream that "
                "aclrtDestroyContext ("),
      std::pair("of a device",
                "use after destroy: aclrtSynchronizeStream is given a stream that "
                "aclrtResetDevice ("));
  const auto result = support::run_child(
      "use_what_was_destroyed",
      {{"ACLSIM_CHECK", "1"}, {"ACLSIM_CHECK_QUIET", ""}, {"ACLSIM_TEST_OBJECT", object}});
  INFO(result.output);
  CHECK(result.clean());
  CHECK(result.output.find(sentence) != std::string::npos);
  CHECK(result.output.find("note: other operation: acl") != std::string::npos);
  CHECK(result.output.find(") destroyed before [ACL020]") != std::string::npos);
  const bool twice = std::string_view(sentence).starts_with("double");
  const auto* const fix = twice ? "\nfix: destroy the object once: remove acl" : "\nfix: move acl";
  CHECK(result.output.find(fix) != std::string::npos);
  CHECK(result.output.find("[ACL033]") == std::string::npos);
}

CHILD_PROGRAM(reduce_in_two_ways) {
  void *to = nullptr, *from = nullptr;
  aclrtStream streams[2];
  aclrtSetDevice(0);
  aclrtMalloc(&to, kSize, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&from, kSize, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtReduceKind kind = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;
  for (aclrtStream& stream : streams) {
    aclrtCreateStream(&stream);
    aclrtReduceAsync(to, from, kSize, kind, ACL_INT32, stream, nullptr);
    kind = ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN;
  }
  return aclrtSynchronizeDevice();
}

TEST_CASE("of two kinds of reduction at the same time it is told that they differ") {
  const std::string report = report_of("reduce_in_two_ways");
  INFO(report);
  CHECK(report.find("REDUCE on stream 2 reduces 4096 bytes of device memory in another way than "
                    "REDUCE on stream 1 (") != std::string::npos);
  CHECK(report.find("[ACL007]") != std::string::npos);
}

CHILD_PROGRAM(leave_a_host_function) {
  aclrtStream stream = nullptr;
  aclrtEvent never = nullptr;
  aclrtSetDevice(0);
  aclrtCreateStream(&stream);
  aclrtCreateEventWithFlag(&never, ACL_EVENT_SYNC);
  aclrtStreamWaitEvent(stream, never);
  return aclrtLaunchHostFunc(
      stream, [](void*) {}, nullptr);
}

TEST_CASE("a host function that has not run at the end asks for no report thread") {
  const auto result = support::run_child("leave_a_host_function",
                                         {{"ACLSIM_CHECK", "1"}, {"ACLSIM_CHECK_QUIET", ""}});
  INFO(result.output);
  CHECK(result.output.find("host function on stream") != std::string::npos);
  CHECK(result.output.find("fix: synchronise with the stream before") != std::string::npos);
  CHECK(result.output.find("aclrtProcessReport") == std::string::npos);
}

// The state that the checker keeps for a record is used again once nothing refers to it.
TEST_CASE("of hundreds of records each wait is ordered after its own one") {
  const Desk desk;
  const auto early = world::Event::ex();
  const auto again = world::Event::ex();
  fill(desk.a, desk.x);
  REQUIRE_ACL(aclrtRecordEvent(early, desk.a));
  for (int i = 0; i < 500; ++i) {
    REQUIRE_ACL(aclrtRecordEvent(again, desk.b));
    REQUIRE_ACL(aclrtStreamWaitEvent(desk.a, again));
  }
  std::uint64_t times = 0;
  SECTION("who waits for the early one may use what is before it") {
    REQUIRE_ACL(aclrtStreamWaitEvent(desk.b, early));
    copy(desk.b, desk.y, desk.x);
    CHECK(found_from("warning") == 0);
  }
  SECTION("who waits for another one may not") {
    if (!bugs_may_run()) return;
    REQUIRE_ACL(aclsimCheckExpectBegin("ACL007"));
    REQUIRE_ACL(aclrtStreamWaitEvent(desk.b, again));
    copy(desk.b, desk.y, desk.x);
    REQUIRE_ACL(aclsimCheckExpectEnd(&times));
    CHECK(times != 0);
  }
}

TEST_CASE("a buffer that a later task writes again, in order, was not changed by the host") {
  const Desk desk;
  std::memset(desk.in, 1, kSize);
  fill(desk.b, desk.y);
  copy(desk.a, desk.x, desk.in);
  behind(desk.a, desk.b);
  // The bytes are others now than when the first copy was asked for.
  REQUIRE_ACL(aclrtMemsetAsync(desk.y, kSize, 7, kSize, desk.b));
  copy(desk.b, desk.in, desk.y);
  join(desk.b);
  CHECK(found_from("warning") == 0);
}

TEST_CASE("a host function behind a copy may write the buffer that the copy read") {
  const Desk desk;
  for (int i = 0; i < 3; ++i) {
    copy(desk.a, desk.x, desk.in);
    REQUIRE_ACL(aclrtLaunchHostFunc(
        desk.a, [](void* bytes) { ++*static_cast<unsigned char*>(bytes); }, desk.in));
    join(desk.a);
  }
  CHECK(found_from("warning") == 0);
}

TEST_CASE("managed memory is of either side, whatever a copy says of its direction") {
  const Desk desk;
  void* managed = nullptr;
  REQUIRE_ACL(aclrtMemAllocManaged(&managed, kSize, ACL_RT_MEM_ATTACH_GLOBAL));
  REQUIRE_ACL(aclsimCheckExpectBegin("ACL023"));
  REQUIRE_ACL(aclrtMemcpy(managed, kSize, desk.out, kSize, ACL_MEMCPY_HOST_TO_HOST));
  REQUIRE_ACL(aclrtMemcpy(managed, kSize, desk.out, kSize, ACL_MEMCPY_HOST_TO_DEVICE));
  std::uint64_t times = 0;
  REQUIRE_ACL(aclsimCheckExpectEnd(&times));
  CHECK(times == 0);
  REQUIRE_ACL(aclrtFree(managed));
}

// The thread was joined: of that only the host knows.
TEST_CASE("what another thread has waited for is a note at most when it ends") {
  const Desk desk;
  const auto join_elsewhere = [&](aclrtStream stream) {
    std::jthread([&, context = this_context()] {
      REQUIRE_ACL(aclrtSetCurrentContext(context));
      join(stream);
    }).join();
  };
  SECTION("a notify that is destroyed") {
    aclrtNotify notify = nullptr;
    REQUIRE_ACL(aclrtCreateNotify(&notify, 0));
    REQUIRE_ACL(aclrtRecordNotify(notify, desk.b));
    REQUIRE_ACL(aclrtWaitAndResetNotify(notify, desk.a, 0));
    join_elsewhere(desk.a);
    REQUIRE_ACL(aclrtDestroyNotify(notify));
  }
  SECTION("a stream that is destroyed with all that is in it") {
    world::Stream stream;
    fill(stream, desk.x);
    join_elsewhere(stream);
    REQUIRE_ACL(aclrtDestroyStreamForce(stream.release()));
  }
  SECTION("peer access that is disabled") {
    const world::Context second(1);
    const world::DeviceMemory far(kSize);
    REQUIRE_ACL(aclrtDeviceEnablePeerAccess(0, 0));
    const world::Context first(0);
    REQUIRE_ACL(aclrtDeviceEnablePeerAccess(1, 0));
    const world::Stream stream;
    copy(stream, far, desk.x, ACL_MEMCPY_DEVICE_TO_DEVICE);
    join_elsewhere(stream);
    REQUIRE_ACL(aclrtDeviceDisablePeerAccess(1));
  }
  SECTION("a wait for an event that is recorded on another stream") {
    const auto event = world::Event::ex();
    record(event, desk.a);
    wait(desk.c, event);
    join_elsewhere(desk.c);
    record(event, desk.b);
  }
  CHECK(found_from("warning") == 0);
}
