// SPDX-License-Identifier: Apache-2.0
// Graphs that are destroyed, aborted, changed or looked at while others use them.
#include <chrono>
#include <cstdlib>
#include <string>

#include "tests/acl/graph.h"

using namespace world;

namespace {

/// A capture on `s` with one conditional task, still open; its sub-graph.
struct ConditionalGraph {
  explicit ConditionalGraph(aclrtStream s, aclmdlRICondTaskType type = ACL_MODEL_RI_COND_TYPE_IF) {
    REQUIRE_ACL(aclmdlRICaptureBegin(s, kRelaxed));
    REQUIRE_ACL(aclmdlRICaptureGetInfo(s, nullptr, &model));
    aclmdlRICondHandle handle = nullptr;
    REQUIRE_ACL(
        aclmdlRICondHandleCreate(model, 1, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, &handle));
    REQUIRE_ACL(aclmdlRIAddCondTask({handle, type, 1, &inner}, s, 0));
  }
  aclmdlRI model = nullptr;
  aclmdlRI inner = nullptr;
};

/// Limits for a scope how long the destruction of a graph waits for its runs.
class ShortPatience {
 public:
  static constexpr std::chrono::milliseconds kLimit{100};
  ShortPatience() {
    ::setenv("ACLSIM_TEST_GRAPH_PATIENCE_MS", std::to_string(kLimit.count()).c_str(), 1);
  }
  ~ShortPatience() { ::unsetenv("ACLSIM_TEST_GRAPH_PATIENCE_MS"); }
  ShortPatience(const ShortPatience&) = delete;
  ShortPatience& operator=(const ShortPatience&) = delete;
};

aclmdlRI end_capture(aclrtStream stream) {
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRICaptureEnd(stream, &model));
  return model;
}

}  // namespace

TEST_CASE("a graph is not destroyed while it runs, nor used afterwards", "[capture]") {
  const Device device;
  const Stream s, t;
  Gate gate;
  long sum = 0;
  aclmdlRI model = capture(s, [&] { add(s, sum, 1); }).release();
  gate.hold(t);
  REQUIRE_ACL(aclmdlRIExecuteAsync(model, t));
  {
    const ShortPatience patience;
    const auto start = std::chrono::steady_clock::now();
    CHECK_CODE(aclmdlRIDestroy(model), ACL_ERROR_RT_MODEL_RUNNING);
    CHECK(std::chrono::steady_clock::now() - start >= ShortPatience::kLimit);
  }
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(t));
  static int ends = 0;
  ends = 0;
  REQUIRE_ACL(aclmdlRIDestroyRegisterCallback(
      model, [](void*) { ++ends; }, nullptr));
  REQUIRE_ACL(aclmdlRIDestroy(model));
  CHECK(ends == 1);
  CHECK_CODE(aclmdlRIDestroy(model), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclmdlRIExecuteAsync(model, t), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclmdlRIExecuteAsync(nullptr, t), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclmdlRIDestroy(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("the destruction of a captured graph waits for a run that is ending", "[capture]") {
  const Device device;
  const Stream s, t;
  long sum = 0;
  aclmdlRI model = nullptr;
  const Caller caller;
  model = capture(s, [&] {
            launch(s, [&caller] { caller.await_blocked(); });
            add(s, sum, 1);
          }).release();
  REQUIRE_ACL(aclmdlRIExecuteAsync(model, t));
  REQUIRE_ACL(aclmdlRIDestroy(model));
  CHECK(sum == 1);
  REQUIRE_ACL(aclrtSynchronizeStream(t));
}

TEST_CASE("an aborted stream gives its run of the graph up, and the graph runs again",
          "[capture]") {
  const Device device;
  const Stream s, t;
  Gate gate;
  long sum = 0;
  const Graph graph = capture(s, [&] { add(s, sum, 1); });
  gate.hold(t);
  REQUIRE_ACL(aclmdlRIExecuteAsync(graph, t));
  REQUIRE_ACL(aclrtStreamAbort(t));
  gate.open();
  REQUIRE(eventually([&] { return gate.left(); }));
  run(graph, s);
  CHECK(sum == 1);
}

TEST_CASE("executing graphs from many threads at once keeps each run whole", "[capture]") {
  const Device device;
  const Stream s;
  long sum = 0;
  const Graph graph = capture(s, [&] {
    for (int i = 0; i < 8; ++i) add(s, sum, 1);
    const Adder args{&sum, 0};
    (void)args;
  });
  Problems problems;
  in_threads(4, [&](int) {
    EXPECT_ACL(problems, aclrtSetDevice(0));
    aclrtStream own = nullptr;
    EXPECT_ACL(problems, aclrtCreateStream(&own));
    for (int i = 0; i < 25; ++i) EXPECT_ACL(problems, aclmdlRIExecuteAsync(graph, own));
    EXPECT_ACL(problems, aclrtSynchronizeStream(own));
    EXPECT_ACL(problems, aclrtDestroyStream(own));
    EXPECT_ACL(problems, aclrtResetDevice(0));
  });
  CHECK(problems.text() == "");
}

TEST_CASE("a graph that is destroyed while another thread executes it ends between two runs",
          "[capture]") {
  const Device device;
  const Stream s;
  Problems problems;
  for (int round = 0; round < 40; ++round) {
    long sum = 0;
    aclmdlRI model = capture(s, [&] {
                       add(s, sum, 1);
                       add(s, sum, 2);
                     }).release();
    std::atomic<int> runs{0};
    std::thread executes([&] {
      EXPECT_ACL(problems, aclrtSetDevice(0));
      aclrtStream own = nullptr;
      EXPECT_ACL(problems, aclrtCreateStream(&own));
      aclError code = ACL_SUCCESS;
      while ((code = aclmdlRIExecuteAsync(model, own)) == ACL_SUCCESS) {
        EXPECT_ACL(problems, aclrtSynchronizeStream(own));
        ++runs;
      }
      problems.expect(code, ACL_ERROR_RT_INVALID_HANDLE, "the run that came too late");
      EXPECT_ACL(problems, aclrtDestroyStream(own));
      EXPECT_ACL(problems, aclrtResetDevice(0));
    });
    eventually([&] { return runs > 0; });
    aclError code = ACL_SUCCESS;
    while ((code = aclmdlRIDestroy(model)) == ACL_ERROR_RT_MODEL_RUNNING) std::this_thread::yield();
    executes.join();
    REQUIRE(code == ACL_SUCCESS);
  }
  CHECK(problems.text() == "");
}

TEST_CASE("what is left of a run that was given up does not let the next run pass", "[capture]") {
  const Device device;
  const Stream a, b, t;
  const Event fork = Event::ex(), half = Event::ex(), join = Event::ex();
  static std::atomic<int> entered, open, second;  // runs that were begun, that may go on, and b's
  entered = open = second = 0;
  const Graph graph = capture(a, [&] {
    REQUIRE_ACL(aclrtRecordEvent(fork, a));
    REQUIRE_ACL(aclrtStreamWaitEvent(b, fork));
    launch(a, [] {
      const int run = ++entered;
      eventually([run] { return open >= run; });
    });
    REQUIRE_ACL(aclrtRecordEvent(half, a));
    REQUIRE_ACL(aclrtStreamWaitEvent(b, half));
    launch(b, [] { ++second; });
    REQUIRE_ACL(aclrtRecordEvent(join, b));
    REQUIRE_ACL(aclrtStreamWaitEvent(a, join));
  });
  REQUIRE_ACL(aclmdlRIExecuteAsync(graph, t));
  REQUIRE(eventually([&] { return query(t) == ACL_STREAM_STATUS_NOT_READY && entered == 1; }));
  REQUIRE_ACL(aclrtStreamAbort(t));
  REQUIRE_ACL(aclmdlRIExecuteAsync(graph, t));
  REQUIRE(eventually([&] { return query(t) == ACL_STREAM_STATUS_NOT_READY && entered == 2; }));
  open = 1;
  CHECK_FALSE(
      eventually([&] { return query(t) != ACL_STREAM_STATUS_NOT_READY || second != 0; }, 100ms));
  open = 2;
  REQUIRE_ACL(aclrtSynchronizeStream(t));
  CHECK(second == 1);
}

TEST_CASE("a run of a graph whose context ended before it began fails", "[capture]") {
  const Device device;
  const Stream s;
  const aclrtContext first = current_context();
  long sum = 0;
  Gate gate;
  aclmdlRI model = nullptr;
  {
    const Context second;
    const Stream other;
    model = capture(other, [&] { add(other, sum, 1); }).release();
    REQUIRE_ACL(aclrtSetCurrentContext(first));
    gate.hold(s);
    REQUIRE_ACL(aclmdlRIExecuteAsync(model, s));
    second.use();
  }
  REQUIRE_ACL(aclrtSetCurrentContext(first));
  gate.open();
  CHECK_CODE(aclrtSynchronizeStream(s), ACL_ERROR_RT_STREAM_ABORT);
  CHECK(sum == 0);
  CHECK_CODE(aclmdlRIExecuteAsync(model, s), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtSynchronizeStream(s), ACL_SUCCESS);
}

TEST_CASE("a sub-graph whose capture failed makes the whole graph invalid",
          "[capture][condition]") {
  const Device device;
  const Stream s, inner;
  long sum = 0;
  const ConditionalGraph graph(s);
  REQUIRE_ACL(aclmdlRICaptureToModelRIBegin(inner, graph.inner, kRelaxed));
  add(inner, sum, 1);
  REQUIRE_ACL(aclmdlRICaptureTaskGrpBegin(inner));
  aclmdlRI ended = nullptr;
  CHECK_CODE(aclmdlRICaptureEnd(inner, &ended), ACL_ERROR_STREAM_TASK_GROUP_INTR);
  CHECK_CODE(aclmdlRICaptureEnd(s, &ended), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  CHECK(ended == nullptr);
  CHECK_CODE(aclmdlRIExecuteAsync(graph.model, s), ACL_ERROR_RT_INVALID_HANDLE);
  REQUIRE_ACL(aclrtSynchronizeStream(s));
}

TEST_CASE("a loop without an end is ended by an abort of the stream that executes it",
          "[capture][condition]") {
  const Device device;
  const Stream s, inner;
  std::atomic<int> rounds{0};
  const ConditionalGraph graph(s, ACL_MODEL_RI_COND_TYPE_WHILE);
  REQUIRE_ACL(aclmdlRICaptureToModelRIBegin(inner, graph.inner, kRelaxed));
  launch(inner, [&rounds] { ++rounds; });
  end_capture(inner);
  const Graph whole(end_capture(s));
  REQUIRE_ACL(aclmdlRIExecuteAsync(whole, s));
  REQUIRE(eventually([&] { return query(s) == ACL_STREAM_STATUS_NOT_READY && rounds > 3; }));
  CHECK_CODE(aclmdlRIUpdate(whole), ACL_ERROR_RT_MODEL_UPDATE_FAILED);
  CHECK_CODE(aclmdlRIUpdate(graph.inner), ACL_ERROR_RT_MODEL_UPDATE_FAILED);
  REQUIRE_ACL(aclrtStreamAbort(s));
  REQUIRE(eventually([&] { return aclmdlRIUpdate(graph.inner) == ACL_SUCCESS; }));
}

TEST_CASE("the streams of a graph are its own: they are not captured, nor do they join",
          "[capture]") {
  const Device device;
  const Stream s, other;
  const Event e = Event::ex();
  long sum = 0;
  const Graph graph = capture(s, [&] { add(s, sum, 1); });
  aclrtStream own = nullptr;
  std::uint32_t count = 1;
  REQUIRE_ACL(aclmdlRIGetStreams(graph, &own, &count));
  CHECK_CODE(aclmdlRICaptureBegin(own, kRelaxed), ACL_ERROR_RT_STREAM_MODEL);
  CHECK_CODE(aclmdlRIExecuteAsync(graph, own), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtStreamAbort(own), ACL_ERROR_RT_INTERNAL_ERROR);
  CHECK_CODE(aclrtStreamStop(own), ACL_ERROR_RT_INTERNAL_ERROR);
  REQUIRE_ACL(aclmdlRICaptureBegin(other, kRelaxed));
  REQUIRE_ACL(aclrtRecordEvent(e, other));
  CHECK_CODE(aclrtStreamWaitEvent(own, e), ACL_ERROR_RT_STREAM_MODEL);
  const Graph untouched(end_capture(other));
  run(graph, s);
  CHECK(sum == 1);
}

TEST_CASE("a run of a graph cannot be part of a task group, not even by an update",
          "[capture][group]") {
  const Device device;
  const Stream s, update;
  long sum = 0;
  aclrtTaskGrp group = nullptr;
  const Graph graph = capture(s, [&] {
    REQUIRE_ACL(aclmdlRICaptureTaskGrpBegin(s));
    add(s, sum, 1);
    REQUIRE_ACL(aclmdlRICaptureTaskGrpEnd(s, &group));
  });
  REQUIRE_ACL(aclmdlRICaptureTaskUpdateBegin(update, group));
  CHECK_CODE(aclmdlRIExecuteAsync(graph, update), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  add(update, sum, 2);
  REQUIRE_ACL(aclmdlRICaptureTaskUpdateEnd(update));
  REQUIRE_ACL(aclrtSynchronizeStream(update));
  run(graph, s);
  CHECK(sum == 2);
}

TEST_CASE("a capture that two threads end is one graph for one of them", "[capture]") {
  const Device device;
  const Stream s;
  const aclrtContext context = current_context();
  Problems problems;
  for (int round = 0; round < 20; ++round) {
    long sum = 0;
    REQUIRE_ACL(aclmdlRICaptureBegin(s, kRelaxed));
    add(s, sum, 1);
    aclmdlRI models[2] = {};
    in_threads(2, [&](int i) {
      EXPECT_ACL(problems, aclrtSetCurrentContext(context));
      const aclError code = aclmdlRICaptureEnd(s, &models[i]);
      EXPECT_TRUE(problems, code == (models[i] ? ACL_SUCCESS : ACL_ERROR_RT_STREAM_NOT_CAPTURED));
    });
    REQUIRE((models[0] == nullptr) != (models[1] == nullptr));
    const Graph graph(models[0] ? models[0] : models[1]);
    run(graph, s);
    REQUIRE(sum == 1);
  }
  CHECK(problems.text() == "");
}

TEST_CASE("a graph can be looked at while threads add tasks to it, and each task is in it once",
          "[capture]") {
  const Device device;
  const Stream s;
  const aclrtContext context = current_context();
  static std::atomic<int> ran{0};
  ran = 0;
  Problems problems;
  REQUIRE_ACL(aclmdlRICaptureBegin(s, kRelaxed));
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRICaptureGetInfo(s, nullptr, &model));
  in_threads(4, [&](int i) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    for (int k = 0; k < 100; ++k) {
      if (i != 0) {
        EXPECT_ACL(problems, aclrtLaunchHostFunc(
                                 s, [](void*) { ++ran; }, nullptr));
        continue;
      }
      aclrtStream stream = nullptr;
      std::uint32_t count = 1;
      EXPECT_ACL(problems, aclmdlRIGetStreams(model, &stream, &count));
      std::vector<aclmdlRITask> tasks(300);
      std::uint32_t tasks_now = 300;
      if (count == 1)
        EXPECT_ACL(problems, aclmdlRIGetTasksByStream(stream, tasks.data(), &tasks_now));
    }
  });
  CHECK(problems.text() == "");
  const Graph graph(end_capture(s));
  run(graph, s);
  CHECK(ran == 300);
}

TEST_CASE("a run that is enqueued while its stream begins to be captured is no part of the capture",
          "[capture]") {
  const Device device;
  const Stream s;
  const aclrtContext context = current_context();
  long sum = 0;
  const Graph graph = capture(s, [&] { add(s, sum, 1); });
  std::atomic<bool> over{false};
  Problems problems;
  std::thread executes([&] {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    while (!over) {
      const aclError code = aclmdlRIExecuteAsync(graph, s);
      if (code != ACL_ERROR_RT_STREAM_CAPTURED) EXPECT_ACL(problems, code);
    }
  });
  std::uint32_t tasks = 0;
  for (int i = 0; i < 2000; ++i) {
    const Graph other = capture(s, [] {});
    aclrtStream own = nullptr;
    std::uint32_t count = 1;
    REQUIRE_ACL(aclmdlRIGetStreams(other, &own, &count));
    REQUIRE_ACL(aclmdlRIGetTasksByStream(own, nullptr, &count));
    tasks += count;
  }
  over = true;
  executes.join();
  CHECK(tasks == 0);
  CHECK(problems.text() == "");
  REQUIRE_ACL(aclrtSynchronizeStream(s));
}
