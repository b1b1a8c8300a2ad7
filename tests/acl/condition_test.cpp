// SPDX-License-Identifier: Apache-2.0
// Conditional tasks of captured graphs: what runs, how often, and by which value.
#include <vector>

#include "tests/acl/conditional.h"

using namespace world;

namespace {

long run_once(const Graph& graph, aclrtStream stream, long& sum) {
  sum = 0;
  run(graph, stream);
  return sum;
}

}  // namespace

TEST_CASE("a condition variable is 8 bytes of device memory", "[condition]") {
  const Device device;
  const Stream s, inner;
  long sum = 0;
  begin_graph(s);
  const Conditional branch(s, ACL_MODEL_RI_COND_TYPE_IF, 1, 1);
  capture_into(branch.models[0], inner, [&] { add(inner, sum, 1); });
  const Graph graph = end_graph(s);
  aclrtPtrAttributes attributes{};
  REQUIRE_ACL(aclrtPointerGetAttributes(branch.value, &attributes));
  CHECK(attributes.location.type == ACL_MEM_LOCATION_TYPE_DEVICE);
  store<std::uint64_t>(branch.value, std::uint64_t{1} << 63);
  CHECK(fetch<std::uint64_t>(branch.value) == std::uint64_t{1} << 63);
}

TEST_CASE("a condition gets its default back at each launch, when it was asked to", "[condition]") {
  const Device device;
  const Stream s, inner;
  const bool assign = GENERATE(true, false);
  long sum = 0;
  begin_graph(s);
  const Conditional branch(s, ACL_MODEL_RI_COND_TYPE_IF, 1, 1, assign ? kAssign : kKeep);
  capture_into(branch.models[0], inner, [&] {
    add(inner, sum, 1);
    count_down(inner, branch.value);
  });
  const Graph graph = end_graph(s);
  CHECK(fetch<std::uint64_t>(branch.value) == 1);  // before the first launch too
  CHECK(run_once(graph, s, sum) == 1);
  CHECK(fetch<std::uint64_t>(branch.value) == 0);
  CHECK(run_once(graph, s, sum) == (assign ? 1 : 0));
  store<std::uint64_t>(branch.value, assign ? 0 : 1);
  CHECK(run_once(graph, s, sum) == 1);
}

TEST_CASE("a while looks at the condition before each round", "[condition]") {
  const Device device;
  const Stream s, inner;
  const std::uint32_t rounds = GENERATE(0, 1, 4);
  long sum = 0;
  begin_graph(s);
  add(s, sum, 1);
  const Conditional loop(s, ACL_MODEL_RI_COND_TYPE_WHILE, 1, rounds);
  add(s, sum, 3);
  capture_into(loop.models[0], inner, [&] {
    add(inner, sum, 2);
    count_down(inner, loop.value);
  });
  const Graph graph = end_graph(s);
  const long expected = rounds == 0 ? 13 : rounds == 1 ? 123 : 122223;
  for (int i = 0; i < 3; ++i) CHECK(run_once(graph, s, sum) == expected);
}

TEST_CASE("a switch runs the sub-graph that the condition numbers at that moment, or none",
          "[condition]") {
  const Device device;
  const Stream s, inner;
  const DeviceMemory source(8);
  long sum = 0;
  begin_graph(s);
  const Conditional choice(s, ACL_MODEL_RI_COND_TYPE_SWITCH, 3, 0, kKeep);
  add(s, sum, 9);
  for (std::size_t i = 0; i < 3; ++i) {
    capture_into(choice.models[i], inner, [&] { add(inner, sum, static_cast<long>(i) + 1); });
  }
  const Graph graph = end_graph(s);
  CHECK(run_once(graph, s, sum) == 19);
  for (const auto& [value, expected] :
       std::vector<std::pair<std::uint64_t, long>>{{2, 39},
                                                   {1, 29},
                                                   {0, 19},
                                                   {3, 9},
                                                   {std::uint64_t{1} << 32, 9},
                                                   {~std::uint64_t{0}, 9}}) {
    store(source, value);
    REQUIRE_ACL(aclrtMemcpyAsync(choice.value, 8, source, 8, ACL_MEMCPY_DEVICE_TO_DEVICE, s));
    CHECK(run_once(graph, s, sum) == expected);
  }
}

TEST_CASE("an if chooses by what a task of the same graph wrote", "[condition]") {
  const Device device;
  const Stream s, inner;
  long sum = 0;
  const std::uint32_t initial = GENERATE(1, 2);
  begin_graph(s);
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRICaptureGetInfo(s, nullptr, &model));
  aclmdlRICondHandle handle = nullptr;
  std::uint64_t* value = nullptr;
  REQUIRE_ACL(aclmdlRICondHandleCreate(model, initial, kAssign, &handle));
  REQUIRE_ACL(aclmdlRICondHandleGetCondPtr(handle, &value));
  count_down(s, value);
  aclmdlRI models[2] = {};
  REQUIRE_ACL(aclmdlRIAddCondTask({handle, ACL_MODEL_RI_COND_TYPE_IF, 2, models}, s, 0));
  capture_into(models[0], inner, [&] { add(inner, sum, 1); });
  capture_into(models[1], inner, [&] { add(inner, sum, 2); });
  const Graph graph = end_graph(s);
  for (int i = 0; i < 2; ++i) CHECK(run_once(graph, s, sum) == (initial == 1 ? 2 : 1));
}

TEST_CASE("a loop stands inside a loop, with a condition of its own", "[condition]") {
  const Device device;
  const Stream s, outer_stream, inner_stream;
  long sum = 0;
  begin_graph(s);
  const Conditional outer(s, ACL_MODEL_RI_COND_TYPE_WHILE, 1, 2);
  REQUIRE_ACL(aclmdlRICaptureToModelRIBegin(outer_stream, outer.models[0], kRelaxed));
  add(outer_stream, sum, 1);
  const Conditional inner(outer_stream, ACL_MODEL_RI_COND_TYPE_WHILE, 1, 3);
  count_down(outer_stream, outer.value);
  capture_into(inner.models[0], inner_stream, [&] {
    add(inner_stream, sum, 2);
    count_down(inner_stream, inner.value);
  });
  aclmdlRI ended = nullptr;
  REQUIRE_ACL(aclmdlRICaptureEnd(outer_stream, &ended));
  const Graph graph = end_graph(s);
  for (int i = 0; i < 3; ++i) CHECK(run_once(graph, s, sum) == 12221222);
}

TEST_CASE("a round of a loop is over when all streams of its sub-graph are", "[condition]") {
  const Device device;
  const Stream s, a, b;
  const Event fork = Event::ex(), join = Event::ex();
  long left = 0, right = 0;
  begin_graph(s);
  const Conditional loop(s, ACL_MODEL_RI_COND_TYPE_WHILE, 1, 3);
  capture_into(loop.models[0], a, [&] {
    REQUIRE_ACL(aclrtRecordEvent(fork, a));
    REQUIRE_ACL(aclrtStreamWaitEvent(b, fork));
    add(a, left, 1);
    add(b, right, 2);
    REQUIRE_ACL(aclrtRecordEvent(join, b));
    REQUIRE_ACL(aclrtStreamWaitEvent(a, join));
    count_down(a, loop.value);
  });
  const Graph graph = end_graph(s);
  for (int i = 0; i < 2; ++i) {
    right = 0;
    CHECK(run_once(graph, s, left) == 111);
    CHECK(right == 222);
  }
}
