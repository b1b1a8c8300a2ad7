// SPDX-License-Identifier: Apache-2.0
// Looking into graphs, and changing their tasks.
#include <fstream>
#include <sstream>

#include "tests/acl/graph.h"
#include "tests/support/temp_dir.h"

using namespace world;

TEST_CASE("a graph tells its streams, tasks and their parameters", "[capture][inspect]") {
  const Device device;
  const Stream a, b;
  const Event fork = Event::ex(), join = Event::ex();
  long sum = 0;
  const Graph graph = capture(a, [&] {
    add(a, sum, 1);
    REQUIRE_ACL(aclrtRecordEvent(fork, a));
    REQUIRE_ACL(aclrtStreamWaitEvent(b, fork));
    REQUIRE_ACL(aclrtRecordEvent(join, b));
    REQUIRE_ACL(aclrtStreamWaitEvent(a, join));
  });
  std::uint32_t count = 0;
  REQUIRE_ACL(aclmdlRIGetStreams(graph, nullptr, &count));
  REQUIRE(count == 2);
  aclrtStream streams[2] = {};
  std::uint32_t small = 1;
  CHECK_CODE(aclmdlRIGetStreams(graph, streams, &small), ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY);
  REQUIRE_ACL(aclmdlRIGetStreams(graph, streams, &count));
  CHECK_CODE(aclrtDestroyStream(streams[0]), ACL_ERROR_RT_STREAM_MODEL);
  REQUIRE_ACL(aclmdlRIGetTasksByStream(streams[0], nullptr, &count));
  REQUIRE(count == 3);
  aclmdlRITask tasks[3] = {};
  REQUIRE_ACL(aclmdlRIGetTasksByStream(streams[0], tasks, &count));
  const aclmdlRITaskType types[] = {ACL_MODEL_RI_TASK_KERNEL, ACL_MODEL_RI_TASK_EVENT_RECORD,
                                    ACL_MODEL_RI_TASK_EVENT_WAIT};
  for (std::uint32_t i = 0; i < 3; ++i) {
    aclmdlRITaskType type{};
    std::uint32_t id = 99;
    REQUIRE_ACL(aclmdlRITaskGetType(tasks[i], &type));
    REQUIRE_ACL(aclmdlRITaskGetSeqId(tasks[i], &id));
    CHECK(type == types[i]);
    CHECK(id == i);
  }
  aclmdlRITaskParams params{};
  REQUIRE_ACL(aclmdlRITaskGetParams(tasks[1], &params));
  CHECK(params.eventRecordTaskParams.event == static_cast<aclrtEvent>(fork));
  CHECK_CODE(aclmdlRIGetTasksByStream(a, nullptr, &count), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclmdlRITaskGetType(nullptr, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclmdlRITaskGetSeqId(graph, &count), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("tasks that were changed or left out count after the update", "[capture][inspect]") {
  const Device device;
  const Stream s;
  long sum = 0;
  const Graph graph = capture(s, [&] {
    add(s, sum, 1);
    add(s, sum, 2);
  });
  aclrtStream stream = nullptr;
  std::uint32_t count = 1;
  REQUIRE_ACL(aclmdlRIGetStreams(graph, &stream, &count));
  aclmdlRITask tasks[2] = {};
  count = 2;
  REQUIRE_ACL(aclmdlRIGetTasksByStream(stream, tasks, &count));
  aclmdlRITaskParams params{};
  REQUIRE_ACL(aclmdlRITaskGetParams(tasks[0], &params));
  REQUIRE(params.kernelTaskParams.argsSize == sizeof(Adder));
  Adder args{&sum, 8};
  params.kernelTaskParams.args = &args;
  REQUIRE_ACL(aclmdlRITaskSetParams(tasks[0], &params));
  REQUIRE_ACL(aclmdlRITaskDisable(tasks[1]));
  run(graph, s);
  CHECK(sum == 12);  // not yet
  REQUIRE_ACL(aclmdlRIUpdate(graph));
  sum = 0;
  run(graph, s);
  CHECK(sum == 8);
  params.type = ACL_MODEL_RI_TASK_VALUE_WAIT;
  CHECK_CODE(aclmdlRITaskSetParams(tasks[0], &params), ACL_ERROR_RT_PARAM_INVALID);
  {
    Gate gate;
    gate.hold(s);
    REQUIRE_ACL(aclmdlRIExecuteAsync(graph, s));
    CHECK_CODE(aclmdlRIUpdate(graph), ACL_ERROR_RT_MODEL_UPDATE_FAILED);
    gate.open();
    REQUIRE_ACL(aclrtSynchronizeStream(s));
  }
}

TEST_CASE("a graph has a name and a number", "[capture][inspect]") {
  const Device device;
  const Stream s;
  const Graph graph = capture(s, [] {}), another = capture(s, [] {});
  char name[8] = "x";
  REQUIRE_ACL(aclmdlRIGetName(graph, sizeof name, name));
  CHECK(std::string(name) == "");
  REQUIRE_ACL(aclmdlRISetName(graph, "a long name"));
  REQUIRE_ACL(aclmdlRIGetName(graph, sizeof name, name));
  CHECK(std::string(name) == "a long ");
  CHECK_CODE(aclmdlRISetName(graph, std::string(512, 'n').c_str()), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclmdlRISetName(graph, nullptr), ACL_ERROR_INVALID_PARAM);
  std::uint32_t id = 0, other = 0;
  REQUIRE_ACL(aclmdlRIGetId(graph, &id));
  REQUIRE_ACL(aclmdlRIGetId(another, &other));
  CHECK(id != other);
}

TEST_CASE("the JSON picture of a graph has a lane for each stream and pairs its events",
          "[capture][inspect]") {
  const Device device;
  const Stream a, b;
  const Event fork = Event::ex(), join = Event::ex();
  long sum = 0;
  const Graph graph = capture(a, [&] {
    add(a, sum, 1);
    REQUIRE_ACL(aclrtRecordEvent(fork, a));
    REQUIRE_ACL(aclrtStreamWaitEvent(b, fork));
    REQUIRE_ACL(aclrtRecordEvent(join, b));
    REQUIRE_ACL(aclrtStreamWaitEvent(a, join));
  });
  const support::TempDir dir;
  const std::string path = (dir.path() / "graph.json").string();
  REQUIRE_ACL(aclmdlRIDebugJsonPrint(graph, path.c_str(), 0));
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  CHECK(text.str().find(R"("name":"add","pid":")") != std::string::npos);
  CHECK(text.str().find(R"("ts":10,"dur":9.5,"ph":"X","args":{"Model Id":)") != std::string::npos);
  const auto at = text.str().find("EVENT_RECORD_");
  REQUIRE(at != std::string::npos);
  const auto id = text.str().substr(at + 13, text.str().find('"', at) - at - 13);
  CHECK(text.str().find("EVENT_WAIT_" + id + "\"") != std::string::npos);
  CHECK_CODE(aclmdlRIDebugJsonPrint(graph, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclmdlRIDebugJsonPrint(graph, path.c_str(), 2), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclmdlRIDebugJsonPrint(graph, (dir.path() / "no/such").c_str(), 0),
             ACL_ERROR_INVALID_FILE);
}
