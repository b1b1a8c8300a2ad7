// SPDX-License-Identifier: Apache-2.0
// Task groups of captured graphs: updates take the place of tasks one by one, in a stream's order.
#include "tests/acl/graph.h"

using namespace world;

namespace {

/// A capture on `s`: 1, then the group that `body` makes, then 9.
template <class Body>
Graph with_group(aclrtStream s, long& sum, aclrtTaskGrp& group, Body body) {
  return capture(s, [&] {
    add(s, sum, 1);
    REQUIRE_ACL(aclmdlRICaptureTaskGrpBegin(s));
    body();
    REQUIRE_ACL(aclmdlRICaptureTaskGrpEnd(s, &group));
    add(s, sum, 9);
  });
}

/// Enqueues an update: the tasks of `body` instead of the group's.
template <class Body>
void update(aclrtStream stream, aclrtTaskGrp group, Body body) {
  REQUIRE_ACL(aclmdlRICaptureTaskUpdateBegin(stream, group));
  body();
  REQUIRE_ACL(aclmdlRICaptureTaskUpdateEnd(stream));
}

}  // namespace

TEST_CASE("an update replaces the tasks of a group one by one, whatever they are", "[group]") {
  const Device device;
  const Stream s, t;
  const DeviceMemory source(8), other(8), target(8);
  store(source, 5L);
  store(other, 6L);
  long sum = 0;
  aclrtTaskGrp group = nullptr;
  const auto copy = [&](void* from, aclrtStream stream) {
    REQUIRE_ACL(aclrtMemcpyAsync(target, 8, from, 8, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  };
  const Graph graph = with_group(s, sum, group, [&] {
    add(s, sum, 2);
    copy(source, s);
    add(s, sum, 3);
  });
  run(graph, s);
  CHECK(sum == 1239);
  CHECK(fetch<long>(target) == 5);
  update(t, group, [&] {
    add(t, sum, 7);
    copy(other, t);
    add(t, sum, 8);
  });
  REQUIRE_ACL(aclrtSynchronizeStream(t));
  for (int i = 0; i < 2; ++i) {
    sum = 0;
    run(graph, s);
    CHECK(sum == 1789);
    CHECK(fetch<long>(target) == 6);
  }
}

TEST_CASE("an update is asynchronous: it counts when its stream gets there", "[group]") {
  const Device device;
  const Stream s, t;
  Gate gate;
  long sum = 0;
  aclrtTaskGrp group = nullptr;
  const Graph graph = with_group(s, sum, group, [&] { add(s, sum, 2); });
  gate.hold(t);
  update(t, group, [&] { add(t, sum, 7); });
  run(graph, s);
  CHECK(sum == 129);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(t));
  sum = 0;
  run(graph, s);
  CHECK(sum == 179);
}

TEST_CASE("a run that waits before the group takes the tasks that an update brings meanwhile",
          "[group]") {
  const Device device;
  const Stream s, t;
  const Event updated = Event::ex(ACL_EVENT_SYNC);
  long sum = 0;
  aclrtTaskGrp group = nullptr;
  const Graph graph = capture(s, [&] {
    REQUIRE_ACL(aclrtStreamWaitEventWithFlag(s, updated, 0, ACL_EVENT_WAIT_EXTERNAL));
    REQUIRE_ACL(aclmdlRICaptureTaskGrpBegin(s));
    add(s, sum, 2);
    REQUIRE_ACL(aclmdlRICaptureTaskGrpEnd(s, &group));
  });
  REQUIRE_ACL(aclmdlRIExecuteAsync(graph, s));
  update(t, group, [&] { add(t, sum, 7); });
  REQUIRE_ACL(aclrtRecordEvent(updated, t));
  REQUIRE_ACL(aclrtSynchronizeStream(s));
  CHECK(sum == 7);
}

TEST_CASE("the last of several updates counts, and each group has its own", "[group]") {
  const Device device;
  const Stream s, t;
  long sum = 0;
  aclrtTaskGrp first = nullptr, second = nullptr;
  const Graph graph = capture(s, [&] {
    REQUIRE_ACL(aclmdlRICaptureTaskGrpBegin(s));
    add(s, sum, 1);
    REQUIRE_ACL(aclmdlRICaptureTaskGrpEnd(s, &first));
    REQUIRE_ACL(aclmdlRICaptureTaskGrpBegin(s));
    add(s, sum, 2);
    REQUIRE_ACL(aclmdlRICaptureTaskGrpEnd(s, &second));
  });
  CHECK(first != second);
  for (const long digit : {6, 7}) update(t, second, [&] { add(t, sum, digit); });
  REQUIRE_ACL(aclrtSynchronizeStream(t));
  run(graph, s);
  CHECK(sum == 17);
}

TEST_CASE("an update has as many tasks as its group, of the same kinds", "[group]") {
  const Device device;
  const Stream s, t;
  const DeviceMemory memory(8);
  long sum = 0;
  aclrtTaskGrp group = nullptr;
  const Graph graph = with_group(s, sum, group, [&] { add(s, sum, 2); });
  const auto refused = [&](auto body) {
    REQUIRE_ACL(aclmdlRICaptureTaskUpdateBegin(t, group));
    body();
    return aclmdlRICaptureTaskUpdateEnd(t);
  };
  CHECK_CODE(refused([] {}), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(refused([&] {
               add(t, sum, 7);
               add(t, sum, 8);
             }),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(refused([&] { REQUIRE_ACL(aclrtMemsetAsync(memory, 8, 0, 8, t)); }),
             ACL_ERROR_RT_PARAM_INVALID);
  run(graph, s);
  CHECK(sum == 129);  // as it was
  add(t, sum, 4);     // the stream is back to running what it is given
  REQUIRE_ACL(aclrtSynchronizeStream(t));
  CHECK(sum == 1294);
}

TEST_CASE("a group ends with its graph", "[group]") {
  const Device device;
  const Stream s, t;
  long sum = 0;
  aclrtTaskGrp group = nullptr;
  {
    const Graph graph = with_group(s, sum, group, [&] { add(s, sum, 2); });
  }
  CHECK_CODE(aclmdlRICaptureTaskUpdateBegin(t, group), ACL_ERROR_RT_INVALID_HANDLE);
}
