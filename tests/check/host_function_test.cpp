// SPDX-License-Identifier: Apache-2.0
// A host function on one stream and a copy on another that use the same bytes: the findings
// do not depend on which of the two is quicker.
#include <string>

#include "tests/check/cases.h"
#include "tests/support/child.h"
#include "tests/support/waiting.h"

using namespace check;
using support::eventually;

namespace {

struct Shared {
  void* bytes = nullptr;
  std::atomic<bool> may_run{true};
  std::atomic<bool> has_run{false};
};

/// The host function: reports its write of the bytes.
void fill_bytes(void* of) {
  Shared& shared = *static_cast<Shared*>(of);
  eventually([&] { return shared.may_run.load(); });
  aclsimCheckWrite(shared.bytes, kSize);
  shared.has_run = true;
}

}  // namespace

// ACLSIM_TEST_ORDER selects the one that comes first, and the wait that the program adds.
CHILD_PROGRAM(host_function_and_copy) {
  const std::string order = support::environment_variable("ACLSIM_TEST_ORDER");
  aclrtStream a = nullptr, b = nullptr;
  aclrtEvent event = nullptr;
  aclrtContext context = nullptr;
  void* target = nullptr;
  Shared shared;
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtGetCurrentContext(&context);
  aclrtCreateStream(&a);
  aclrtCreateStream(&b);
  aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC);
  aclrtMallocHost(&shared.bytes, kSize);
  aclrtMalloc(&target, kSize, ACL_MEM_MALLOC_HUGE_FIRST);
  shared.may_run = order.find("copy first") == std::string::npos;
  CHILD_EXPECT_CODE(aclrtLaunchHostFunc(a, fill_bytes, &shared), ACL_SUCCESS);
  if (order == "function first") eventually([&] { return shared.has_run.load(); });
  if (order == "with an event") {
    aclrtRecordEvent(event, a);
    aclrtStreamWaitEvent(b, event);
  }
  if (order == "synchronised") aclrtSynchronizeStream(a);
  if (order == "synchronised by another thread") {
    std::thread([&] {
      aclrtSetCurrentContext(context);
      aclrtSynchronizeStream(a);
    }).join();
  }
  CHILD_EXPECT_CODE(
      aclrtMemcpyAsync(target, kSize, shared.bytes, kSize, ACL_MEMCPY_HOST_TO_DEVICE, b),
      ACL_SUCCESS);
  if (order == "copy first, and it is over") aclrtSynchronizeStream(b);
  shared.may_run = true;
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(a), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(b), ACL_SUCCESS);
  return 0;
}

// Functions on two streams that write the same bytes. The order does
// not depend on whether one thread of the runtime runs both.
CHILD_PROGRAM(two_host_functions) {
  const bool ordered = support::environment_variable("ACLSIM_TEST_ORDER") == "with an event";
  aclrtStream streams[2] = {};
  aclrtEvent event = nullptr;
  Shared shared;
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  for (aclrtStream& stream : streams) aclrtCreateStream(&stream);
  aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC);
  aclrtMallocHost(&shared.bytes, kSize);
  CHILD_EXPECT_CODE(aclrtLaunchHostFunc(streams[0], fill_bytes, &shared), ACL_SUCCESS);
  if (ordered) {
    aclrtRecordEvent(event, streams[0]);
    aclrtStreamWaitEvent(streams[1], event);
  }
  CHILD_EXPECT_CODE(aclrtLaunchHostFunc(streams[1], fill_bytes, &shared), ACL_SUCCESS);
  for (aclrtStream stream : streams) {
    CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  }
  return 0;
}

// The function says what it knows before it returns; the thread that hears of it frees the word.
CHILD_PROGRAM(freed_while_a_function_runs) {
  const bool in_graph = !support::environment_variable("ACLSIM_TEST_GRAPH").empty();
  aclrtStream a = nullptr, b = nullptr;
  aclmdlRI graph = nullptr;
  void* word = nullptr;
  struct Flags {
    std::atomic<bool> said{false};
    std::atomic<bool> may_end{false};
  } flags;
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtCreateStream(&a);
  aclrtCreateStream(&b);
  aclrtMalloc(&word, 64, ACL_MEM_MALLOC_HUGE_FIRST);
  if (in_graph) aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
  CHILD_EXPECT_CODE(aclrtMemsetAsync(word, 64, 1, 64, a), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtLaunchHostFunc(
                        a,
                        [](void* of) {
                          Flags& both = *static_cast<Flags*>(of);
                          both.said = true;
                          eventually([&] { return both.may_end.load(); });
                        },
                        &flags),
                    ACL_SUCCESS);
  if (in_graph) {
    aclmdlRICaptureEnd(a, &graph);
    CHILD_EXPECT_CODE(aclmdlRIExecuteAsync(graph, a), ACL_SUCCESS);
  }
  aclrtStreamStatus status;
  eventually([&] { return aclrtStreamQuery(b, &status) != ACL_SUCCESS || flags.said.load(); });
  CHILD_EXPECT_CODE(aclrtFree(word), ACL_SUCCESS);
  flags.may_end = true;
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(a), ACL_SUCCESS);
  if (graph) aclmdlRIDestroy(graph);
  return 0;
}

// The function begins when the memory is gone, and says what it writes.
CHILD_PROGRAM(writes_what_was_freed_before) {
  struct Given {
    void* bytes = nullptr;
    std::atomic<bool> may_run{false};
  } given;
  aclrtStream stream = nullptr;
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtCreateStream(&stream);
  aclrtMallocHost(&given.bytes, kSize);
  CHILD_EXPECT_CODE(aclrtLaunchHostFunc(
                        stream,
                        [](void* of) {
                          Given& what = *static_cast<Given*>(of);
                          eventually([&] { return what.may_run.load(); });
                          aclsimCheckWrite(what.bytes, kSize);
                        },
                        &given),
                    ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtFreeHost(given.bytes), ACL_SUCCESS);
  given.may_run = true;
  CHILD_EXPECT_CODE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  return 0;
}

namespace {

support::ChildResult run_in(const std::string& order, const std::string& seed,
                            const char* program = "host_function_and_copy") {
  support::Environment variables{
      {"ACLSIM_CHECK", "1"},          {"ACLSIM_CHECK_QUIET", ""},
      {"ACLSIM_CHECK_LEVEL", "note"}, {"ACLSIM_TEST_ORDER", order},
      {"ACLSIM_SEED", seed},          {"ACLSIM_SCHEDULE", seed.empty() ? "" : "seeded"}};
  return support::run_child(program, variables);
}

bool tells(const support::ChildResult& result, const std::string& what) {
  return result.output.find(what) != std::string::npos;
}

/// As threads happen to run, and in a few schedules.
const std::string& any_schedule() {
  static const std::string seeds[] = {"", "1", "2", "3", "4"};
  return seeds[GENERATE(range(0, 5))];
}

}  // namespace

TEST_CASE("a host function and a copy without order are an error, whichever was quicker") {
  const std::string order = GENERATE(as<std::string>{}, "either", "function first", "copy first",
                                     "copy first, and it is over");
  const std::string& seed = any_schedule();
  const auto result = run_in(order, seed);
  INFO(order << ", seed " << seed << ": " << result.output);
  CHECK(result.clean());
  CHECK(tells(result, ": error: host buffer race: "));
  CHECK(tells(result, "fix: record an event after the host function"));
  CHECK_FALSE(tells(result, "ACL019"));
}

TEST_CASE("two host functions that write the same bytes without order are an error") {
  const std::string order = GENERATE(as<std::string>{}, "none", "with an event");
  const std::string& seed = any_schedule();
  const auto result = run_in(order, seed, "two_host_functions");
  INFO(order << ", seed " << seed << ": " << result.output);
  CHECK(result.clean());
  CHECK(tells(result, "ACL008") == (order == "none"));
  CHECK_FALSE(tells(result, "ACL019"));
}

TEST_CASE("a host function that is ordered before a copy is not told") {
  const std::string order = GENERATE(as<std::string>{}, "with an event", "synchronised");
  const std::string& seed = any_schedule();
  const auto result = run_in(order, seed);
  INFO(order << ", seed " << seed << ": " << result.output);
  CHECK(result.clean());
  CHECK_FALSE(tells(result, "ACL008"));
  CHECK_FALSE(tells(result, "ACL019"));
}

TEST_CASE("a host function that another thread has waited for is a note") {
  const std::string& seed = any_schedule();
  const auto result = run_in("synchronised by another thread", seed);
  INFO("seed " << seed << ": " << result.output);
  CHECK(result.clean());
  CHECK_FALSE(tells(result, "ACL008"));
  CHECK(tells(result, ": note: unobserved host order: "));
}

TEST_CASE("what a function that still runs may have said is an order by host threads") {
  const auto* const in_graph = GENERATE("", "1");
  const auto result =
      support::run_child("freed_while_a_function_runs", {{"ACLSIM_CHECK", "1"},
                                                         {"ACLSIM_CHECK_QUIET", ""},
                                                         {"ACLSIM_CHECK_LEVEL", "note"},
                                                         {"ACLSIM_SCHEDULE", "threads"},
                                                         {"ACLSIM_TEST_GRAPH", in_graph}});
  INFO(in_graph << " " << result.output);
  CHECK(result.clean());
  CHECK(tells(result, "[ACL019]"));
  CHECK_FALSE(tells(result, "[ACL006]"));
}

TEST_CASE("a host function that writes what was freed before it began is told") {
  const auto result = support::run_child(
      "writes_what_was_freed_before",
      {{"ACLSIM_CHECK", "1"}, {"ACLSIM_CHECK_QUIET", ""}, {"ACLSIM_SCHEDULE", "threads"}});
  INFO(result.output);
  CHECK(result.clean());
  CHECK(tells(result, ": error: use after free: "));
  CHECK(tells(result, "aclrtFreeHost"));
}
