// SPDX-License-Identifier: Apache-2.0
// Conditional tasks of graphs: what their branches do is ordered with the stream that launches the
// graph, and with nothing else.
#include <future>
#include <thread>

#include "tests/acl/conditional.h"
#include "tests/check/cases.h"

using namespace check;
using world::begin_graph;
using world::capture_into;
using world::Conditional;
using world::count_down;
using world::end_graph;
using world::Graph;

namespace {

constexpr auto kIf = ACL_MODEL_RI_COND_TYPE_IF;
constexpr auto kWhile = ACL_MODEL_RI_COND_TYPE_WHILE;
constexpr auto kSwitch = ACL_MODEL_RI_COND_TYPE_SWITCH;

/// No finding is about the body, not even a note about host threads.
template <class Body>
void check_ordered(Body&& body) {
  CHECK(told("ACL019", body) == 0);
  CHECK(found_from("warning") == 0);
}

/// A conditional task in `stream`: its branch runs (twice in a loop), or does not.
Conditional add_conditional(aclrtStream stream, aclmdlRICondTaskType type, bool taken) {
  const std::uint32_t taken_by = type == kWhile ? 2 : 1;
  return {stream, type, type == kSwitch ? 2U : 1U, taken ? taken_by : type == kSwitch ? 2U : 0U};
}

/// The branch of the conditional that runs if it is taken.
template <class Body>
void capture_branch(const Conditional& conditional, aclmdlRICondTaskType type, aclrtStream stream,
                    Body body) {
  capture_into(conditional.models.back(), stream, [&] {
    body();
    if (type == kWhile) count_down(stream, conditional.value);
  });
  if (conditional.models.size() > 1) capture_into(conditional.models[0], stream, [] {});
}

/// x goes to y in a branch, and the graph uses both before and after the branch.
struct Conditionals : Desk {
  world::Stream inner, deeper;
  Graph graph;

  void make(aclmdlRICondTaskType type, bool taken = true) {
    begin_graph(a);
    copy(a, z, x);
    const Conditional conditional = add_conditional(a, type, taken);
    copy(a, z, y);
    fill(a, y);
    capture_branch(conditional, type, inner, [&] { copy(inner, y, x); });
    graph = end_graph(a);
  }
  void launch(aclrtStream stream) const { REQUIRE_ACL(aclmdlRIExecuteAsync(graph, stream)); }
  void read_all() const {
    for (const auto* part : {&x, &y, &z}) {
      REQUIRE_ACL(aclrtMemcpy(out, kSize, *part, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
    }
  }
};

enum class By { stream, event, device, query, other_stream };

void synchronize(const Conditionals& desk, By by) {
  const auto event = world::Event::ex();
  switch (by) {
    case By::stream:
      return join(desk.a);
    case By::device:
      REQUIRE_ACL(aclrtSynchronizeDevice());
      return;
    case By::query:
      REQUIRE(
          world::eventually([&] { return world::query(desk.a) == ACL_STREAM_STATUS_COMPLETE; }));
      return;
    case By::event:
      record(event, desk.a);
      REQUIRE_ACL(aclrtSynchronizeEvent(event));
      return;
    case By::other_stream:
      behind(desk.a, desk.b);
      copy(desk.b, desk.z, desk.y);
      fill(desk.b, desk.y);
      return join(desk.b);
  }
}

}  // namespace

TEST_CASE("a conditional branch is ordered between what is before and behind its launch") {
  const auto type = GENERATE(kIf, kWhile, kSwitch);
  const bool taken = GENERATE(true, false);
  const auto by = GENERATE(By::stream, By::event, By::device, By::query, By::other_stream);
  const int launches = GENERATE(1, 2);
  Conditionals desk;
  desk.make(type, taken);
  check_ordered([&] {
    fill(desk.a, desk.x);
    fill(desk.a, desk.y);
    for (int i = 0; i < launches; ++i) desk.launch(desk.a);
    copy(desk.a, desk.z, desk.y);
    fill(desk.a, desk.x);
    synchronize(desk, by);
    desk.read_all();
  });
}

TEST_CASE("a conditional branch is ordered after what its launch waits for on another stream") {
  const auto type = GENERATE(kIf, kWhile, kSwitch);
  Conditionals desk;
  desk.make(type);
  check_ordered([&] {
    fill(desk.b, desk.x);
    fill(desk.c, desk.y);
    behind(desk.b, desk.a);
    behind(desk.c, desk.a);
    desk.launch(desk.a);
    behind(desk.a, desk.c);
    fill(desk.c, desk.x);
    behind(desk.c, desk.b);
    desk.launch(desk.b);  // a later run, on another stream
    join(desk.b);
    desk.read_all();
  });
}

TEST_CASE("conditional tasks inside of conditional tasks are ordered as those around them") {
  const auto outer_type = GENERATE(kIf, kWhile, kSwitch);
  const auto inner_type = GENERATE(kIf, kWhile, kSwitch);
  const bool taken = GENERATE(true, false);
  Conditionals desk;
  begin_graph(desk.a);
  const Conditional outer = add_conditional(desk.a, outer_type, true);
  copy(desk.a, desk.z, desk.y);
  capture_branch(outer, outer_type, desk.inner, [&] {
    fill(desk.inner, desk.x);
    const Conditional nested = add_conditional(desk.inner, inner_type, taken);
    fill(desk.inner, desk.y);
    capture_branch(nested, inner_type, desk.deeper, [&] { copy(desk.deeper, desk.y, desk.x); });
  });
  desk.graph = end_graph(desk.a);
  check_ordered([&] {
    fill(desk.a, desk.x);
    fill(desk.a, desk.y);
    for (int i = 0; i < 2; ++i) desk.launch(desk.a);
    join(desk.a);
    desk.read_all();
  });
}

TEST_CASE("several streams of a conditional branch are ordered by their events and its end") {
  const auto type = GENERATE(kIf, kWhile, kSwitch);
  const bool edge = GENERATE(true, false);
  if (!edge && !bugs_may_run()) return;
  Conditionals desk;
  const auto fork = world::Event::ex(), back = world::Event::ex();
  begin_graph(desk.a);
  const Conditional conditional = add_conditional(desk.a, type, true);
  copy(desk.a, desk.z, desk.y);
  capture_branch(conditional, type, desk.inner, [&] {
    if (!edge) record(fork, desk.inner);
    copy(desk.inner, desk.y, desk.x);
    if (edge) record(fork, desk.inner);
    wait(desk.deeper, fork);
    fill(desk.deeper, desk.y);
    record(back, desk.deeper);
    wait(desk.inner, back);
  });
  desk.graph = end_graph(desk.a);
  fill(desk.a, desk.x);
  CHECK((told("ACL007", [&] {
           desk.launch(desk.a);
           join(desk.a);
         }) == 0) == edge);
  check_ordered([&] { desk.read_all(); });
}

TEST_CASE("a missing wait behind a conditional branch is told") {
  if (!bugs_may_run()) return;
  const auto type = GENERATE(kIf, kWhile, kSwitch);
  const bool taken = GENERATE(true, false);
  Conditionals desk;
  begin_graph(desk.a);
  const Conditional conditional = add_conditional(desk.a, type, taken);
  capture_branch(conditional, type, desk.inner, [&] { copy(desk.inner, desk.y, desk.x); });
  desk.graph = end_graph(desk.a);
  fill(desk.a, desk.x);
  const std::uint64_t times = told("ACL007", [&] {
    desk.launch(desk.a);
    fill(desk.b, desk.y);  // nothing orders it
    join(desk.a);
    join(desk.b);
  });
  CHECK((times != 0) == taken);  // no other task uses y
}

TEST_CASE("a missing wait before a conditional branch is told") {
  if (!bugs_may_run()) return;
  const auto type = GENERATE(kIf, kWhile, kSwitch);
  Conditionals desk;
  begin_graph(desk.a);
  const Conditional conditional = add_conditional(desk.a, type, true);
  capture_branch(conditional, type, desk.inner, [&] { copy(desk.inner, desk.y, desk.x); });
  desk.graph = end_graph(desk.a);
  CHECK(told("ACL007", [&] {
          fill(desk.b, desk.x);
          desk.launch(desk.a);
          join(desk.a);
          join(desk.b);
        }) != 0);
}

TEST_CASE("who asks for the state of a stream that had no task yet does not order its tasks") {
  if (!bugs_may_run()) return;
  Desk desk;
  SECTION("the stream of a graph, by a wait for the device") {
    begin_graph(desk.a);
    copy(desk.a, desk.y, desk.x);
    const Graph graph = end_graph(desk.a);
    CHECK(told("ACL007", [&] {
            REQUIRE_ACL(aclmdlRIExecuteAsync(graph, desk.a));
            fill(desk.b, desk.y);
            join(desk.b);
            REQUIRE_ACL(aclrtSynchronizeDevice());
          }) != 0);
  }
  SECTION("a stream that another thread uses") {
    const int by = GENERATE(0, 1, 2);
    CHECK(told("ACL019", [&] {
            std::promise<void> ends;
            std::promise<void> filled;
            std::thread other([&] {
              REQUIRE_ACL(aclrtSetDevice(0));
              fill(desk.b, desk.y);
              join(desk.b);
              aclrtStreamStatus status;
              if (by == 0) join(desk.a);
              if (by == 1) REQUIRE_ACL(aclrtSynchronizeDevice());
              if (by == 2) REQUIRE_ACL(aclrtStreamQuery(desk.a, &status));
              filled.set_value();
              ends.get_future().wait();  // what a thread has done that ended is ordered
              REQUIRE_ACL(aclrtResetDevice(0));
            });
            filled.get_future().wait();
            copy(desk.a, desk.y, desk.x);
            join(desk.a);
            ends.set_value();
            other.join();
          }) != 0);
  }
}

TEST_CASE("a condition is read in the order of its stream") {
  const auto type = GENERATE(kIf, kWhile, kSwitch);
  const bool ordered = GENERATE(true, false);
  if (!ordered && !bugs_may_run()) return;
  Conditionals desk;
  begin_graph(desk.a);
  const Conditional conditional(desk.a, type, 1, 1, world::kKeep);
  capture_into(conditional.models[0], desk.inner,
               [&] { count_down(desk.inner, conditional.value); });
  desk.graph = end_graph(desk.a);
  const std::uint64_t once_more = 1;  // 0 in the middle of a loop would be counted down from
  REQUIRE_ACL(aclrtMemcpy(desk.x, 8, &once_more, 8, ACL_MEMCPY_HOST_TO_DEVICE));
  CHECK((told("ACL007", [&] {
           REQUIRE_ACL(aclrtMemcpyAsync(conditional.value, 8, desk.x, 8,
                                        ACL_MEMCPY_DEVICE_TO_DEVICE, desk.b));
           if (ordered) behind(desk.b, desk.a);
           desk.launch(desk.a);
           join(desk.a);
           join(desk.b);
         }) == 0) == ordered);
}

TEST_CASE("a host that does not wait for a conditional branch is told") {
  if (!bugs_may_run()) return;
  const auto type = GENERATE(kIf, kWhile, kSwitch);
  Conditionals desk;
  desk.make(type);
  fill(desk.a, desk.x);
  fill(desk.a, desk.y);
  const auto event = world::Event::ex();
  CHECK(told("ACL007", [&] {
          record(event, desk.a);  // too early
          desk.launch(desk.a);
          REQUIRE_ACL(aclrtSynchronizeEvent(event));
          REQUIRE_ACL(aclrtMemcpy(desk.out, kSize, desk.y, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
          join(desk.a);
        }) != 0);
}

TEST_CASE("two conditional branches of one graph race as its streams do") {
  if (!bugs_may_run()) return;
  const bool edge = GENERATE(true, false);
  Conditionals desk;
  const auto fork = world::Event::ex(), back = world::Event::ex(), order = world::Event::ex();
  begin_graph(desk.a);
  record(fork, desk.a);
  wait(desk.b, fork);
  const Conditional first = add_conditional(desk.a, kIf, true);
  if (edge) record(order, desk.a);
  if (edge) wait(desk.b, order);
  const Conditional second = add_conditional(desk.b, kIf, true);
  record(back, desk.b);
  wait(desk.a, back);
  capture_branch(first, kIf, desk.inner, [&] { copy(desk.inner, desk.y, desk.x); });
  capture_branch(second, kIf, desk.deeper, [&] { copy(desk.deeper, desk.y, desk.z); });
  desk.graph = end_graph(desk.a);
  fill(desk.a, desk.x);
  fill(desk.a, desk.z);
  CHECK((told("ACL007", [&] {
           desk.launch(desk.a);
           join(desk.a);
         }) == 0) == edge);
}

TEST_CASE("a host function of a conditional branch is ordered with the launching stream") {
  const auto type = GENERATE(kIf, kWhile, kSwitch);
  const bool synchronized = GENERATE(true, false);
  Conditionals desk;
  begin_graph(desk.a);
  const Conditional conditional = add_conditional(desk.a, type, true);
  capture_branch(conditional, type, desk.inner, [&] {
    REQUIRE_ACL(aclrtLaunchHostFunc(
        desk.inner, [](void* bytes) { aclsimCheckWrite(bytes, kSize); }, desk.out));
  });
  desk.graph = end_graph(desk.a);
  const std::uint64_t times = told("ACL008", [&] {
    copy(desk.a, desk.x, desk.out);
    desk.launch(desk.a);
    copy(desk.a, desk.y, desk.out);
    if (synchronized) join(desk.a);
    REQUIRE_ACL(aclsimCheckRead(desk.out, kSize));
    join(desk.a);
  });
  CHECK((times == 0) == synchronized);
  CHECK(found_from("warning") == 0);
}

// ---- models that are built from bound streams ----

namespace {

/// How a task in one stream of a model starts another stream.
enum class Start { activation, switch_, label };

/// A model of two streams: x goes to y in the second one, which a task of the first one starts.
struct TwoStreams : Desk {
  static constexpr std::uint32_t kHead = 0;
  static constexpr std::uint32_t kNoHead = 0x7fffffff;
  world::Stream first{0, ACL_STREAM_PERSISTENT}, second{0, ACL_STREAM_PERSISTENT};
  world::DeviceMemory index{8};
  aclrtLabel label = nullptr;
  aclrtLabelList labels = nullptr;
  aclmdlRI model = nullptr;

  /// `late`: the first stream fills x only after that task.
  TwoStreams(Start start, bool late) {
    REQUIRE_ACL(aclrtMemset(index, 8, 0, 8));
    REQUIRE_ACL(aclrtCreateLabel(&label));
    REQUIRE_ACL(aclrtCreateLabelList(&label, 1, &labels));
    REQUIRE_ACL(aclmdlRIBuildBegin(&model, 0));
    REQUIRE_ACL(aclmdlRIBindStream(model, first, kHead));
    REQUIRE_ACL(aclmdlRIBindStream(model, second, kNoHead));
    if (!late) fill(first, x);
    switch (start) {
      case Start::activation:
        REQUIRE_ACL(aclrtActiveStream(second, first));
        break;
      case Start::switch_:
        REQUIRE_ACL(aclrtSwitchStream(index, ACL_RT_EQUAL, index, ACL_RT_SWITCH_INT32, second,
                                      nullptr, first));
        break;
      case Start::label:
        REQUIRE_ACL(aclrtSwitchLabelByIndex(index, 1, labels, first));
        break;
    }
    if (late) fill(first, x);
    REQUIRE_ACL(aclrtSetLabel(label, second));
    copy(second, y, x);
    REQUIRE_ACL(aclmdlRIEndTask(model, first));
    REQUIRE_ACL(aclmdlRIEndTask(model, second));
    REQUIRE_ACL(aclmdlRIBuildEnd(model, nullptr));
  }
  ~TwoStreams() {
    aclmdlRIDestroy(model);
    aclrtDestroyLabelList(labels);
    aclrtDestroyLabel(label);
  }
};

}  // namespace

TEST_CASE("a stream of a model is ordered after the task that starts it") {
  const auto start = GENERATE(Start::activation, Start::switch_, Start::label);
  const TwoStreams desk(start, false);
  check_ordered([&] {
    for (int i = 0; i < 2; ++i) {
      REQUIRE_ACL(aclmdlRIExecuteAsync(desk.model, desk.a));
      copy(desk.a, desk.z, desk.y);
    }
    join(desk.a);
    REQUIRE_ACL(aclmdlRIExecute(desk.model, -1));
    REQUIRE_ACL(aclrtMemcpy(desk.out, kSize, desk.y, kSize, ACL_MEMCPY_DEVICE_TO_HOST));
  });
}

TEST_CASE("a stream of a model races with what comes after the task that starts it") {
  if (!bugs_may_run()) return;
  const TwoStreams desk(Start::activation, true);
  REQUIRE_ACL(aclrtMemset(desk.x, kSize, 1, kSize));
  CHECK(told("ACL007", [&] {
          REQUIRE_ACL(aclmdlRIExecuteAsync(desk.model, desk.a));
          join(desk.a);
        }) == 1);
}
