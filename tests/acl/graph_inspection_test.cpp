// SPDX-License-Identifier: Apache-2.0
// Looking into graphs, and changing their tasks.
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

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
  for (const std::uint32_t blocks : {0U, 65536U}) {  // as no launch has them
    params.kernelTaskParams.numBlocks = blocks;
    CHECK_CODE(aclmdlRITaskSetParams(tasks[0], &params),
               blocks == 0 ? ACL_ERROR_INVALID_PARAM : ACL_ERROR_RT_PARAM_INVALID);
    CHECK(std::string(aclGetRecentErrMsg())
              .find("numBlocks is " + std::to_string(blocks) + "; expected 1 to 65535") !=
          std::string::npos);
  }
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

namespace {

nlohmann::json picture(aclmdlRI graph, std::uint32_t flags = 0) {
  const support::TempDir dir;
  const std::string path = (dir.path() / "graph.json").string();
  REQUIRE_ACL(aclmdlRIDebugJsonPrint(graph, path.c_str(), flags));
  return nlohmann::json::parse(std::ifstream(path));
}

/// The names in each lane, in their order.
std::vector<std::vector<std::string>> lanes(const nlohmann::json& events) {
  std::vector<std::vector<std::string>> found;
  std::string last;
  for (const auto& event : events) {
    if (event["tid"] != last) found.emplace_back();
    last = event["tid"];
    found.back().push_back(event["name"]);
  }
  return found;
}

std::string behind(const std::string& text, const std::string& prefix) {
  REQUIRE(text.rfind(prefix, 0) == 0);
  return text.substr(prefix.size());
}

template <class T>
std::string text_of(const T& value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace

TEST_CASE("the JSON picture of a graph has a lane for each stream and its tasks in order",
          "[capture][inspect]") {
  const Device device;
  const Stream a, b;
  const Event fork = Event::ex(), join = Event::ex();
  const DeviceMemory memory(64);
  const HostMemory pinned(64);
  aclrtNotify notify = nullptr;
  REQUIRE_ACL(aclrtCreateNotify(&notify, 0));
  aclrtCntNotify counter = nullptr;
  REQUIRE_ACL(aclrtCntNotifyCreate(&counter, 0));
  aclrtCntNotifyRecordInfo record{ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 3};
  long sum = 0;
  const Graph graph = capture(a, [&] {
    add(a, sum, 1);
    REQUIRE_ACL(aclrtRecordEvent(fork, a));
    REQUIRE_ACL(aclrtStreamWaitEvent(b, fork));
    REQUIRE_ACL(aclrtMemcpyAsync(memory, 64, pinned, 64, ACL_MEMCPY_HOST_TO_DEVICE, b));
    REQUIRE_ACL(aclrtRecordNotify(notify, b));
    REQUIRE_ACL(aclrtRecordEvent(join, b));
    REQUIRE_ACL(aclrtMemsetAsync(memory, 64, 0, 64, a));
    REQUIRE_ACL(aclrtWaitAndResetNotify(notify, a, 0));
    REQUIRE_ACL(aclrtCntNotifyRecord(counter, a, &record));
    REQUIRE_ACL(aclrtStreamWaitEvent(a, join));
  });
  const auto events = picture(graph);
  std::uint32_t model = 0;
  REQUIRE_ACL(aclmdlRIGetId(graph, &model));
  for (const auto& event : events) {
    INFO(event.dump());
    const auto& args = event["args"];
    CHECK(event.size() == 7);
    CHECK(event["ph"] == "X");
    CHECK(event["pid"] == std::to_string(getpid()) + " aclGraph");
    CHECK(event["dur"] == 9.5);
    CHECK(args.size() == 3);
    CHECK(args["Model Id"] == model);
    CHECK(event["tid"] == "stream" + args["Stream Id"].dump());
    CHECK(event["ts"] == 10 * args["Task Id"].get<int>());
  }
  const auto found = lanes(events);
  REQUIRE(found.size() == 2);
  const std::string forked = behind(found[0][1], "EVENT_RECORD_");
  const std::string joined = behind(found[1][3], "EVENT_RECORD_");
  CHECK(forked != joined);
  std::uint32_t number = 0, count = 0;
  REQUIRE_ACL(aclrtGetNotifyId(notify, &number));
  REQUIRE_ACL(aclrtCntNotifyGetId(counter, &count));
  const std::string id = std::to_string(number);
  CHECK(found[0] == std::vector<std::string>{"add", "EVENT_RECORD_" + forked, "MEMSET_ASYNC",
                                             "NOTIFY_WAIT_" + id,
                                             "CNT_NOTIFY_RECORD_" + std::to_string(count) + "_3",
                                             "EVENT_WAIT_" + joined});
  CHECK(found[1] == std::vector<std::string>{"EVENT_WAIT_" + forked, "MEMCPY_ASYNC",
                                             "NOTIFY_RECORD_" + id, "EVENT_RECORD_" + joined});
  REQUIRE_ACL(aclrtDestroyNotify(notify));
  REQUIRE_ACL(aclrtCntNotifyDestroy(counter));
}

TEST_CASE("the JSON picture names values by address, external events alike in every graph",
          "[capture][inspect]") {
  const Device device;
  const Stream s;
  const Event e = Event::ex(ACL_EVENT_SYNC);
  const DeviceMemory memory(64);
  const Graph first = capture(s, [&] {
    REQUIRE_ACL(aclrtValueWrite(memory, 7, 0, s));
    REQUIRE_ACL(aclrtValueWait(memory, 7, 1, s));
    REQUIRE_ACL(aclrtRecordEventWithFlag(e, s, ACL_EVENT_RECORD_EXTERNAL));
  });
  const Graph second = capture(
      s, [&] { REQUIRE_ACL(aclrtStreamWaitEventWithFlag(s, e, 0, ACL_EVENT_WAIT_EXTERNAL)); });
  const auto writes = lanes(picture(first)), waits = lanes(picture(second));
  const std::string address = text_of(static_cast<void*>(memory));
  CHECK(writes[0][0] == "MEM_WRITE_VALUE_" + address);
  CHECK(writes[0][1] == "MEM_WAIT_VALUE_" + address);
  CHECK(waits[0][0] == "EVENT_WAIT_" + behind(writes[0][2], "EVENT_RECORD_"));
}

TEST_CASE("the JSON picture shows arguments when it is asked to, and tasks that are left out",
          "[capture][inspect]") {
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
  REQUIRE_ACL(aclmdlRITaskDisable(tasks[1]));
  REQUIRE_ACL(aclmdlRIUpdate(graph));
  const auto events = picture(graph, 1);
  REQUIRE(events.size() == 2);
  CHECK(events[0]["args"]["Num Blocks"] == 1);
  CHECK(events[0]["args"]["Args"].get<std::string>().size() == 2 * sizeof(Adder));
  CHECK(events[1]["name"] == "NOP");
}

TEST_CASE("a picture that cannot be written is refused", "[capture][inspect]") {
  const Device device;
  const Stream s;
  const Graph graph = capture(s, [] {});
  const support::TempDir dir;
  const std::string path = (dir.path() / "graph.json").string();
  REQUIRE_ACL(aclmdlRIDebugJsonPrint(graph, path.c_str(), 0));
  CHECK(nlohmann::json::parse(std::ifstream(path)) == nlohmann::json::array());
  CHECK_CODE(aclmdlRIDebugJsonPrint(graph, nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclmdlRIDebugJsonPrint(graph, path.c_str(), 2), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclmdlRIDebugJsonPrint(graph, (dir.path() / "no/such").c_str(), 0),
             ACL_ERROR_INVALID_FILE);
}
