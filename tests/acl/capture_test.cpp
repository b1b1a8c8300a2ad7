// SPDX-License-Identifier: Apache-2.0
// Streams whose tasks become a graph instead of running.
#include "tests/acl/graph.h"

using namespace world;

TEST_CASE("nothing runs while a stream is captured, and every execution runs it all", "[capture]") {
  const Device device;
  const Stream s;
  long sum = 0;
  const auto mode = GENERATE(kGlobal, kThreadLocal, kRelaxed);
  const Graph graph = capture(
      s,
      [&] {
        add(s, sum, 1);
        add(s, sum, 2);
      },
      mode);
  REQUIRE_ACL(aclrtSynchronizeStream(s));
  CHECK(sum == 0);
  run(graph, s);
  run(graph, nullptr);
  CHECK(sum == 1212);
}

TEST_CASE("copies and fills that were captured run on what is in memory then", "[capture]") {
  const Device device;
  const Stream s;
  const DeviceMemory a(64), b(64);
  const HostMemory host(64);
  const Graph graph = capture(s, [&] {
    REQUIRE_ACL(aclrtMemcpyAsync(b, 64, a, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, s));
    REQUIRE_ACL(aclrtMemcpyAsync(host, 64, b, 64, ACL_MEMCPY_DEVICE_TO_HOST, s));
    REQUIRE_ACL(aclrtMemsetAsync(b, 64, 0, 64, s));
  });
  for (const std::uint32_t value : {7u, 9u}) {
    store(a, value);
    run(graph, s);
    CHECK(*host.as<std::uint32_t>() == value);
    CHECK(fetch<std::uint32_t>(b) == 0);
  }
}

TEST_CASE("a stream that waits for a captured event joins the capture", "[capture]") {
  const Device device;
  const Stream a, b;
  const Event fork = Event::ex(), join = Event::ex();
  long left = 0, right = 0, both = 0;
  const Graph graph = capture(a, [&] {
    add(a, left, 1);
    REQUIRE_ACL(aclrtRecordEvent(fork, a));
    REQUIRE_ACL(aclrtStreamWaitEvent(b, fork));
    add(b, right, 2);
    REQUIRE_ACL(aclrtRecordEvent(join, b));
    REQUIRE_ACL(aclrtStreamWaitEvent(a, join));
    add(a, both, 3);
  });
  aclmdlRICaptureStatus status{};
  REQUIRE_ACL(aclmdlRICaptureGetInfo(b, &status, nullptr));
  CHECK(status == ACL_MODEL_RI_CAPTURE_STATUS_NONE);
  for (int i = 0; i < 3; ++i) run(graph, a);
  CHECK(left == 111);
  CHECK(both == 333);
  CHECK(right == 222);
}

TEST_CASE("a graph keeps the order between its streams, run after run", "[capture]") {
  const Device device;
  const Stream a, b;
  const Event there = Event::ex(), back = Event::ex();
  long sum = 0;
  const Graph graph = capture(a, [&] {
    add(a, sum, 1);
    REQUIRE_ACL(aclrtRecordEvent(there, a));
    REQUIRE_ACL(aclrtStreamWaitEvent(b, there));
    add(b, sum, 2);
    REQUIRE_ACL(aclrtRecordEvent(back, b));
    REQUIRE_ACL(aclrtStreamWaitEvent(a, back));
    add(a, sum, 3);
  });
  for (int i = 0; i < 200; ++i) {
    sum = 0;
    REQUIRE_ACL(aclmdlRIExecuteAsync(graph, a));
    REQUIRE_ACL(aclmdlRIExecuteAsync(graph, b));  // runs of one graph follow each other
    REQUIRE_ACL(aclrtSynchronizeDevice());
    REQUIRE(sum == 123123);
  }
}

TEST_CASE("two captures on two pairs of streams stay two graphs", "[capture]") {
  const Device device;
  const Stream a, b, c, d;
  const Event e = Event::ex(), f = Event::ex(), g = Event::ex(), h = Event::ex();
  long first = 0, second = 0;
  REQUIRE_ACL(aclmdlRICaptureBegin(a, kRelaxed));
  REQUIRE_ACL(aclmdlRICaptureBegin(c, kRelaxed));
  REQUIRE_ACL(aclrtRecordEvent(e, a));
  REQUIRE_ACL(aclrtRecordEvent(f, c));
  REQUIRE_ACL(aclrtStreamWaitEvent(b, e));
  REQUIRE_ACL(aclrtStreamWaitEvent(d, f));
  add(b, first, 1);
  add(d, second, 2);
  REQUIRE_ACL(aclrtRecordEvent(g, b));
  REQUIRE_ACL(aclrtRecordEvent(h, d));
  REQUIRE_ACL(aclrtStreamWaitEvent(a, g));
  REQUIRE_ACL(aclrtStreamWaitEvent(c, h));
  aclmdlRI x = nullptr, y = nullptr;
  REQUIRE_ACL(aclmdlRICaptureEnd(a, &x));
  REQUIRE_ACL(aclmdlRICaptureEnd(c, &y));
  const Graph one(x), two(y);
  run(one, a);
  CHECK(first == 1);
  CHECK(second == 0);
  run(two, a);
  CHECK(second == 2);
}

TEST_CASE("host functions and callbacks of a graph run at every execution, in their place",
          "[capture]") {
  const Device device;
  const Stream s;
  std::atomic<int> calls{0};
  long sum = 0;
  struct Both {
    std::atomic<int>& calls;
    long& sum;
  } both{calls, sum};
  const Graph graph = capture(s, [&] {
    add(s, sum, 1);
    REQUIRE_ACL(aclrtLaunchHostFunc(
        s,
        [](void* p) {
          auto& b = *static_cast<Both*>(p);
          ++b.calls;
          b.sum = b.sum * 10 + 5;
        },
        &both));
    add(s, sum, 2);
  });
  for (int i = 0; i < 50; ++i) {
    sum = 0;
    run(graph, s);
    REQUIRE(sum == 152);
  }
  CHECK(calls == 50);
}

TEST_CASE("an empty capture is a graph that does nothing", "[capture]") {
  const Device device;
  const Stream s;
  const Graph graph = capture(s, [] {});
  run(graph, s);
}

TEST_CASE("a failing task of a graph is the error of the stream that executed it", "[capture]") {
  const Device device;
  const Stream s, t;
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "fails";
  launch.kernel = [](const aclsimKernelContext*, const void*) -> int32_t {
    return ACL_ERROR_RT_AICORE_EXCEPTION;
  };
  launch.numBlocks = 1;
  const Graph graph = capture(s, [&] { REQUIRE_ACL(aclsimLaunchKernel(&launch, s)); });
  REQUIRE_ACL(aclmdlRIExecuteAsync(graph, t));
  CHECK_CODE(aclrtSynchronizeStream(t), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK_CODE(aclrtSynchronizeStream(t), ACL_SUCCESS);
  CHECK_CODE(aclrtSynchronizeStream(s), ACL_SUCCESS);
}

// ---- task groups
// -----------------------------------------------------------------------------------

TEST_CASE("the tasks of a group can be exchanged between runs", "[capture][group]") {
  const Device device;
  const Stream s, update;
  long sum = 0;
  aclrtTaskGrp group = nullptr;
  const Graph graph = capture(s, [&] {
    add(s, sum, 1);
    REQUIRE_ACL(aclmdlRICaptureTaskGrpBegin(s));
    add(s, sum, 2);
    REQUIRE_ACL(aclmdlRICaptureTaskGrpEnd(s, &group));
    add(s, sum, 3);
  });
  run(graph, s);
  CHECK(sum == 123);
  REQUIRE_ACL(aclmdlRICaptureTaskUpdateBegin(update, group));
  add(update, sum, 7);
  REQUIRE_ACL(aclmdlRICaptureTaskUpdateEnd(update));
  REQUIRE_ACL(aclrtSynchronizeStream(update));
  CHECK(sum == 123);  // the update itself runs nothing
  sum = 0;
  run(graph, s);
  CHECK(sum == 173);
}

TEST_CASE("task groups and updates are refused out of order", "[capture][group]") {
  const Device device;
  const Stream s, update;
  long sum = 0;
  aclrtTaskGrp group = nullptr;
  CHECK_CODE(aclmdlRICaptureTaskGrpBegin(s), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  CHECK_CODE(aclmdlRICaptureTaskGrpEnd(s, &group), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  CHECK_CODE(aclmdlRICaptureTaskUpdateEnd(update), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  const Graph graph = capture(s, [&] {
    CHECK_CODE(aclmdlRICaptureTaskGrpEnd(s, &group), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
    REQUIRE_ACL(aclmdlRICaptureTaskGrpBegin(s));
    CHECK_CODE(aclmdlRICaptureTaskGrpBegin(s), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
    add(s, sum, 1);
    REQUIRE_ACL(aclmdlRICaptureTaskGrpEnd(s, &group));
    CHECK_CODE(aclmdlRICaptureTaskUpdateBegin(s, group), ACL_ERROR_RT_STREAM_CAPTURED);
  });
  CHECK_CODE(aclmdlRICaptureTaskUpdateBegin(update, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclmdlRICaptureTaskUpdateBegin(update, s), ACL_ERROR_RT_INVALID_HANDLE);
  REQUIRE_ACL(aclmdlRICaptureTaskUpdateBegin(update, group));
  CHECK_CODE(aclmdlRICaptureTaskUpdateBegin(update, group), ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  CHECK_CODE(aclmdlRICaptureTaskUpdateEnd(update),
             ACL_ERROR_RT_PARAM_INVALID);  // a task is missing
  REQUIRE_ACL(aclmdlRICaptureTaskUpdateBegin(update, group));
  const DeviceMemory memory(16);
  REQUIRE_ACL(aclrtMemsetAsync(memory, 16, 0, 16, update));
  CHECK_CODE(aclmdlRICaptureTaskUpdateEnd(update), ACL_ERROR_RT_PARAM_INVALID);  // another kind
  run(graph, s);
  CHECK(sum == 1);

  REQUIRE_ACL(aclmdlRICaptureBegin(s, kRelaxed));
  REQUIRE_ACL(aclmdlRICaptureTaskGrpBegin(s));
  aclmdlRI model = nullptr;
  CHECK_CODE(aclmdlRICaptureEnd(s, &model), ACL_ERROR_STREAM_TASK_GROUP_INTR);
}

// ---- external events
// -------------------------------------------------------------------------------

TEST_CASE("a graph waits for an external event that the host records", "[capture][external]") {
  const Device device;
  const Stream s, t;
  const Event e = Event::ex(ACL_EVENT_SYNC);
  long sum = 0;
  const Graph graph = capture(s, [&] {
    REQUIRE_ACL(aclrtStreamWaitEventWithFlag(s, e, 0, ACL_EVENT_WAIT_EXTERNAL));
    add(s, sum, 1);
  });
  SECTION("after the launch") {
    REQUIRE_ACL(aclmdlRIExecuteAsync(graph, s));
    CHECK(query(s) == ACL_STREAM_STATUS_NOT_READY);
    REQUIRE_ACL(aclrtRecordEvent(e, t));
  }
  SECTION("before the launch, behind work that is held") {
    Gate gate;
    gate.hold(t);
    REQUIRE_ACL(aclrtRecordEvent(e, t));
    REQUIRE_ACL(aclmdlRIExecuteAsync(graph, s));
    CHECK(query(s) == ACL_STREAM_STATUS_NOT_READY);
    CHECK(sum == 0);
    gate.open();
  }
  REQUIRE_ACL(aclrtSynchronizeStream(s));
  CHECK(sum == 1);
}

TEST_CASE("a stream and the host wait for what a graph records", "[capture][external]") {
  const Device device;
  const Stream s, t;
  const Event e = Event::ex(ACL_EVENT_SYNC);
  long sum = 0;
  const Graph graph = capture(s, [&] {
    add(s, sum, 1);
    REQUIRE_ACL(aclrtRecordEventWithFlag(e, s, ACL_EVENT_RECORD_EXTERNAL));
  });
  for (int i = 0; i < 3; ++i) {
    sum = 0;
    Gate gate;
    gate.hold(s);
    REQUIRE_ACL(aclmdlRIExecuteAsync(graph, s));
    REQUIRE_ACL(aclrtStreamWaitEvent(t, e));
    add(t, sum, 2);
    CHECK(recorded(e) == ACL_EVENT_RECORDED_STATUS_NOT_READY);
    gate.open();
    REQUIRE_ACL(aclrtSynchronizeEvent(e));
    REQUIRE_ACL(aclrtSynchronizeStream(t));
    CHECK(sum == 12);
    CHECK(recorded(e) == ACL_EVENT_RECORDED_STATUS_COMPLETE);
  }
}

TEST_CASE("one graph waits for what another records", "[capture][external]") {
  const Device device;
  const Stream s, t;
  const Event e = Event::ex(ACL_EVENT_SYNC);
  long sum = 0;
  const Graph first = capture(s, [&] {
    add(s, sum, 1);
    REQUIRE_ACL(aclrtRecordEventWithFlag(e, s, ACL_EVENT_RECORD_EXTERNAL));
  });
  const Graph second = capture(t, [&] {
    REQUIRE_ACL(aclrtStreamWaitEventWithFlag(t, e, 0, ACL_EVENT_WAIT_EXTERNAL));
    add(t, sum, 2);
  });
  REQUIRE_ACL(aclmdlRIExecuteAsync(second, t));
  REQUIRE_ACL(aclmdlRIExecuteAsync(first, s));
  REQUIRE_ACL(aclrtSynchronizeDevice());
  CHECK(sum == 12);
}

TEST_CASE("external records and waits have rules of their own", "[capture][external]") {
  const Device device;
  const Stream s;
  const Event e = Event::ex(ACL_EVENT_SYNC),
              timed = Event::ex(ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE);
  const Event plain, other = Event::ex(ACL_EVENT_SYNC);
  CHECK_CODE(aclrtRecordEventWithFlag(e, s, 2), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtStreamWaitEventWithFlag(s, e, 0, 2), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtRecordEventWithFlag(e, s, 1), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  CHECK_CODE(aclrtStreamWaitEventWithFlag(s, e, 0, 1), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  // The first flag counts, also of a call that failed.
  CHECK_CODE(aclrtRecordEventWithFlag(e, s, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtStreamWaitEventWithFlag(s, e, 0, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtRecordEventWithFlag(timed, s, 1), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtRecordEventWithFlag(plain, s, 1), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclrtStreamWaitEventWithFlag(s, other, 1, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtRecordEventWithFlag(nullptr, s, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtStreamWaitEventWithFlag(s, nullptr, 0, 0), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("an external event is recorded once in a graph, and waited for once",
          "[capture][external]") {
  const Device device;
  const Stream s;
  const Event out = Event::ex(ACL_EVENT_SYNC), in = Event::ex(ACL_EVENT_SYNC);
  for (int graphs = 0; graphs < 2; ++graphs) {  // in as many graphs as it likes
    const Graph graph = capture(s, [&] {
      REQUIRE_ACL(aclrtStreamWaitEventWithFlag(s, in, 0, ACL_EVENT_WAIT_EXTERNAL));
      CHECK_CODE(aclrtStreamWaitEventWithFlag(s, in, 0, ACL_EVENT_WAIT_EXTERNAL),
                 ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
      REQUIRE_ACL(aclrtRecordEventWithFlag(out, s, ACL_EVENT_RECORD_EXTERNAL));
      CHECK_CODE(aclrtRecordEventWithFlag(out, s, ACL_EVENT_RECORD_EXTERNAL),
                 ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    });
  }
}
