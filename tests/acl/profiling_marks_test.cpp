// SPDX-License-Identifier: Apache-2.0
// Ranges, marks and steps, and their places in the timeline of a run.
#include "acl/acl_prof.h"

#include <csignal>
#include <fstream>
#include <iterator>

#include "tests/acl/world.h"
#include "tests/support/child.h"
#include "tests/support/slices.h"
#include "tests/support/temp_dir.h"

using namespace world;
using support::Slice;

namespace {

class Stamp {
 public:
  explicit Stamp(const std::string& text) : handle_(aclprofCreateStamp()) {
    aclprofSetStampTraceMessage(handle_, text.c_str(), static_cast<std::uint32_t>(text.size()));
  }
  ~Stamp() { aclprofDestroyStamp(handle_); }
  Stamp(const Stamp&) = delete;
  Stamp& operator=(const Stamp&) = delete;
  operator void*() const { return handle_; }

 private:
  void* handle_;
};

aclError push(const std::string& text) { return aclprofPush(Stamp(text)); }

aclError mark_on(aclrtStream stream, const std::string& text) {
  return aclprofMarkEx(text.c_str(), text.size(), stream);
}

/// The timeline that a child program leaves behind.
std::string trace_of(const char* program) {
  const support::TempDir dir;
  const auto child =
      support::run_child(program, {{"ACLSIM_TIMELINE", (dir.path() / "run.json").string()}});
  INFO(child.output);
  REQUIRE(child.clean());
  return dir.read("run.json");
}

Slice only(const std::vector<Slice>& all, const std::string& name) {
  const auto found = support::named(all, name);
  INFO(name);
  REQUIRE(found.size() == 1);
  return found[0];
}

}  // namespace

// ---- in the timeline
// -----------------------------------------------------------------------------

CHILD_PROGRAM(nested_ranges) {
  CHILD_EXPECT_CODE(push("outer"), ACL_SUCCESS);
  CHILD_EXPECT_CODE(push("inner"), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofMark(Stamp("moment")), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofPop(), ACL_SUCCESS);
  CHILD_EXPECT_CODE(push("inner \"2\""), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofPop(), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofPop(), ACL_SUCCESS);
  CHILD_EXPECT_CODE(push("after"), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofPop(), ACL_SUCCESS);
  return 0;
}

TEST_CASE("each range that a program pushed is in the trace of the run, inside its outer one") {
  const std::string text = trace_of("nested_ranges");
  CHECK(support::broken_rule(text) == "");
  const auto all = support::slices(text);
  const Slice outer = only(all, "outer");
  const Slice inner = only(all, "inner");
  const Slice second = only(all, "inner \"2\"");
  const Slice moment = only(all, "moment");
  const Slice after = only(all, "after");
  CHECK(outer.contains(inner));
  CHECK(outer.contains(second));
  CHECK(inner.contains(moment));
  CHECK(inner.end <= second.start);
  CHECK(outer.end <= after.start);
  CHECK(outer.category == "range");
  CHECK(moment.category == "mark");
  for (const Slice& slice : {inner, second, moment, after}) CHECK(slice.lane == outer.lane);
}

TEST_CASE("ranges stand in a lane of their own beside that of their thread") {
  const std::string text = trace_of("nested_ranges");
  const auto all = support::slices(text);
  const Slice range = only(all, "outer");
  const auto calls = support::named(all, "aclprofPush");
  REQUIRE(calls.size() == 4);
  const Slice& call = calls[0];
  CHECK(call.category == "host_api");
  CHECK(call.lane.first == range.lane.first);
  CHECK(call.lane.second != range.lane.second);
  const auto names = support::lane_names(text);
  CHECK(names.at(range.lane) == "Ranges of thread " + std::to_string(call.lane.second));
}

CHILD_PROGRAM(ranges_of_many_threads) {
  Problems problems;
  in_threads(8, [&](int thread) {
    for (int i = 0; i < 100; ++i) {
      EXPECT_ACL(problems, push("thread " + std::to_string(thread)));
      EXPECT_ACL(problems, push("deeper"));
      EXPECT_ACL(problems, aclprofMark(Stamp("dot")));
      EXPECT_ACL(problems, aclprofPop());
      EXPECT_ACL(problems, aclprofPop());
    }
  });
  CHILD_EXPECT(problems.text().empty());
  return 0;
}

TEST_CASE("ranges of threads that run at once nest within each thread") {
  const std::string text = trace_of("ranges_of_many_threads");
  CHECK(support::broken_rule(text) == "");
  const auto all = support::slices(text);
  for (int thread = 0; thread < 8; ++thread) {
    const auto mine = support::named(all, "thread " + std::to_string(thread));
    REQUIRE(mine.size() == 100);
    for (const Slice& slice : mine) CHECK(slice.lane == mine[0].lane);
  }
  CHECK(support::named(all, "deeper").size() == 800);
  CHECK(support::named(all, "dot").size() == 800);
}

CHILD_PROGRAM(ranges_between_threads) {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  CHILD_EXPECT_CODE(aclprofRangeStart(Stamp("first"), &first), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofRangeStart(Stamp("second"), &second), ACL_SUCCESS);
  CHILD_EXPECT(first != second);
  CHILD_EXPECT_CODE(in_thread([&] { return aclprofRangeStop(first); }), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofRangeStop(second), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofRangeStart(Stamp("third"), &first), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofRangeStop(first), ACL_SUCCESS);
  return 0;
}

TEST_CASE("ranges that overlap stand in different lanes") {
  const std::string text = trace_of("ranges_between_threads");
  CHECK(support::broken_rule(text) == "");
  const auto all = support::slices(text);
  const Slice first = only(all, "first");
  const Slice second = only(all, "second");
  CHECK(first.start < second.start);
  CHECK(second.start < first.end);
  CHECK(first.end < second.end);
  CHECK(first.lane != second.lane);
  CHECK(only(all, "third").lane == first.lane);
}

CHILD_PROGRAM(marks_on_a_stream) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  CHILD_EXPECT_CODE(aclrtCreateStream(&stream), ACL_SUCCESS);
  aclprofStepInfo* const step = aclprofCreateStepInfo();
  for (int i = 0; i < 2; ++i) {
    CHILD_EXPECT_CODE(aclprofGetStepTimestamp(step, ACL_STEP_START, stream), ACL_SUCCESS);
    CHILD_EXPECT_CODE(mark_on(stream, "before"), ACL_SUCCESS);
    CHILD_EXPECT_CODE(try_launch(
                          stream, [] {}, "between"),
                      ACL_SUCCESS);
    CHILD_EXPECT_CODE(mark_on(stream, "after"), ACL_SUCCESS);
    CHILD_EXPECT_CODE(aclprofGetStepTimestamp(step, ACL_STEP_END, stream), ACL_SUCCESS);
  }
  unsigned char data[] = {0xab, 0x01};
  CHILD_EXPECT_CODE(aclrtProfTrace(data, sizeof data, nullptr), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtSynchronizeDevice(), ACL_SUCCESS);
  aclprofDestroyStepInfo(step);
  return 0;
}

TEST_CASE("marks and steps on a stream stand in its lane, in its order") {
  const std::string text = trace_of("marks_on_a_stream");
  CHECK(support::broken_rule(text) == "");
  const auto all = support::slices(text);
  const support::LaneId lane = only(all, "step 1 start").lane;
  std::vector<std::string> names;
  for (const Slice& slice : all) {
    if (slice.lane == lane) names.push_back(slice.name);
  }
  CHECK(names == std::vector<std::string>{"step 1 start", "before", "between", "after",
                                          "step 1 end", "step 2 start", "before", "between",
                                          "after", "step 2 end"});
  CHECK(only(all, "step 2 end").args["Task Type"] == "STEP_END");
  CHECK(support::named(all, "before")[0].args["Task Type"] == "MARK");
  CHECK(only(all, "trace ab01").args["Task Type"] == "PROF_TRACE");
  CHECK(only(all, "trace ab01").lane != lane);
}

CHILD_PROGRAM(range_with_tensors) {
  aclprofTensor tensors[2] = {};
  tensors[0].dataType = 1;
  tensors[0].shapeDim = 2;
  tensors[0].shape[0] = 3;
  tensors[0].shape[1] = 4;
  aclprofTensorInfo info{};
  info.opNameId = aclprofStr2Id("MatMul_7");
  info.opTypeId = aclprofStr2Id("MatMul");
  info.tensorNum = 2;
  info.tensors = tensors;
  info.blockNums = 24;
  aclprofEventAttributes attributes{};
  attributes.version = ACL_PROF_EVENT_ATTR_VERSION;
  attributes.size = sizeof attributes;
  attributes.message.tensorInfo = &info;
  CHILD_EXPECT_CODE(aclprofRangePushEx(&attributes), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclprofRangePop(), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a range with tensors says what they are") {
  const std::string text = trace_of("range_with_tensors");
  const Slice range = only(support::slices(text), "MatMul_7");
  CHECK(range.args["op type"] == "MatMul");
  CHECK(range.args["blocks"] == 24);
  REQUIRE(range.args["tensors"].size() == 2);
  CHECK(range.args["tensors"][0]["shape"] == nlohmann::json({3, 4}));
  CHECK(range.args["tensors"][1]["shape"] == nlohmann::json::array());
}

CHILD_PROGRAM(killed_inside_a_range) {
  const char* const path = std::getenv("ACLSIM_TIMELINE");
  CHILD_EXPECT_CODE(push("never popped"), ACL_SUCCESS);
  CHILD_EXPECT(eventually([&] {
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return text.find("never popped") != std::string::npos;
  }));
  std::raise(SIGKILL);
  return 0;
}

TEST_CASE("a range that is open when the program is killed is in the trace as unfinished") {
  const support::TempDir dir;
  const auto child = support::run_child("killed_inside_a_range",
                                        {{"ACLSIM_TIMELINE", (dir.path() / "run.json").string()}});
  REQUIRE(child.signal == SIGKILL);
  const Slice range = only(support::slices(dir.read("run.json")), "never popped");
  CHECK(range.args["unfinished"] == true);
}

// ---- without a timeline
// --------------------------------------------------------------------------

TEST_CASE("ranges and marks succeed when nobody records them") {
  const Device device;
  std::uint32_t id = 0;
  CHECK_CODE(push("range"), ACL_SUCCESS);
  CHECK_CODE(aclprofMark(Stamp("mark")), ACL_SUCCESS);
  CHECK_CODE(aclprofPop(), ACL_SUCCESS);
  CHECK_CODE(aclprofRangeStart(Stamp("range"), &id), ACL_SUCCESS);
  CHECK_CODE(aclprofRangeStop(id), ACL_SUCCESS);
  CHECK_CODE(mark_on(nullptr, "default stream"), ACL_SUCCESS);
  REQUIRE_ACL(aclrtSynchronizeDevice());
}

TEST_CASE("a stamp needs no text") {
  void* const stamp = aclprofCreateStamp();
  REQUIRE(stamp != nullptr);
  CHECK_CODE(aclprofPush(stamp), ACL_SUCCESS);
  CHECK_CODE(aclprofPop(), ACL_SUCCESS);
  aclprofDestroyStamp(stamp);
}

TEST_CASE("a stamp may be destroyed while its range is open") {
  void* const stamp = aclprofCreateStamp();
  CHECK_CODE(aclprofPush(stamp), ACL_SUCCESS);
  aclprofDestroyStamp(stamp);
  CHECK_CODE(aclprofPop(), ACL_SUCCESS);
}

TEST_CASE("a pop without a push is refused, in each thread by itself") {
  CHECK_CODE(aclprofPop(), ACL_ERROR_PROFILING_FAILURE);
  CHECK_CODE(aclprofRangePop(), ACL_ERROR_PROFILING_FAILURE);
  REQUIRE_ACL(push("mine"));
  CHECK_CODE(in_thread([] { return aclprofPop(); }), ACL_ERROR_PROFILING_FAILURE);
  CHECK_CODE(aclprofPop(), ACL_SUCCESS);
}

TEST_CASE("a reset of everything closes the ranges of all threads") {
  REQUIRE_ACL(push("left open"));
  REQUIRE_ACL(aclsimResetAll());
  CHECK_CODE(aclprofPop(), ACL_ERROR_PROFILING_FAILURE);
}

TEST_CASE("a range stops once") {
  std::uint32_t id = 0;
  REQUIRE_ACL(aclprofRangeStart(Stamp("range"), &id));
  CHECK_CODE(aclprofRangeStop(id + 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofRangeStop(id), ACL_SUCCESS);
  CHECK_CODE(aclprofRangeStop(id), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("stamps that are none are refused") {
  std::uint32_t id = 0;
  void* const destroyed = aclprofCreateStamp();
  aclprofDestroyStamp(destroyed);
  aclprofDestroyStamp(destroyed);
  aclprofDestroyStamp(nullptr);
  int garbage = 0;
  const Device device;
  const Stream stream;
  for (void* const stamp : {destroyed, static_cast<void*>(&garbage), aclrtStream(stream)}) {
    CHECK_CODE(aclprofPush(stamp), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(aclprofMark(stamp), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(aclprofRangeStart(stamp, &id), ACL_ERROR_RT_INVALID_HANDLE);
    CHECK_CODE(aclprofSetStampTraceMessage(stamp, "text", 4), ACL_ERROR_RT_INVALID_HANDLE);
  }
  CHECK_CODE(aclprofPush(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofMark(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofRangeStart(nullptr, &id), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofSetStampTraceMessage(nullptr, "text", 4), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("texts of marks are neither missing, nor empty, nor too long") {
  const Device device;
  const Stamp stamp("text");
  const std::string longest(4096, 'x');
  const std::string longer(4097, 'x');
  CHECK_CODE(aclprofSetStampTraceMessage(stamp, nullptr, 4), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofSetStampTraceMessage(stamp, "text", 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofSetStampTraceMessage(stamp, longest.c_str(), 4096), ACL_SUCCESS);
  CHECK_CODE(aclprofSetStampTraceMessage(stamp, longer.c_str(), 4097), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofMarkEx(nullptr, 4, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofMarkEx("text", 0, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(mark_on(nullptr, longer), ACL_ERROR_INVALID_PARAM);
  CHECK(aclprofStr2Id(nullptr) == 0);
  CHECK(aclprofStr2Id("") == 0);
  std::uint32_t* const nowhere = nullptr;
  CHECK_CODE(aclprofRangeStart(stamp, nowhere), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a text without an end mark is read no further than its length") {
  const char text[] = {'a', 'b', 'c', 'd'};
  const Stamp stamp("x");
  CHECK_CODE(aclprofSetStampTraceMessage(stamp, text, 4), ACL_SUCCESS);
}

TEST_CASE("equal texts have equal ids, others have others") {
  const std::uint64_t one = aclprofStr2Id("one");
  CHECK(one != 0);
  CHECK(aclprofStr2Id(std::string("one").c_str()) == one);
  CHECK(aclprofStr2Id("two") != one);
}

TEST_CASE("marks on streams keep the rules of enqueueing") {
  CHECK_CODE(mark_on(nullptr, "text"), ACL_ERROR_RT_CONTEXT_NULL);
  unsigned char data[4] = {};
  CHECK_CODE(aclrtProfTrace(data, 4, nullptr), ACL_ERROR_RT_CONTEXT_NULL);
  const Device device;
  aclrtStream gone = nullptr;
  {
    Stream stream;
    gone = stream;
  }
  CHECK_CODE(mark_on(gone, "text"), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtProfTrace(data, 4, gone), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtProfTrace(nullptr, 4, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtProfTrace(data, 0, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtProfTrace(data, -1, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtProfTrace(data, 4097, nullptr), ACL_ERROR_INVALID_PARAM);
  const Stream stream;
  const Context other(1);
  CHECK_CODE(mark_on(stream, "text"), ACL_ERROR_RT_STREAM_CONTEXT);
}

TEST_CASE("the tags of a step alternate") {
  const Device device;
  aclprofStepInfo* const step = aclprofCreateStepInfo();
  REQUIRE(step != nullptr);
  CHECK_CODE(aclprofGetStepTimestamp(step, ACL_STEP_END, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofGetStepTimestamp(step, ACL_STEP_START, nullptr), ACL_SUCCESS);
  CHECK_CODE(aclprofGetStepTimestamp(step, ACL_STEP_START, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofGetStepTimestamp(step, ACL_STEP_END, nullptr), ACL_SUCCESS);
  CHECK_CODE(aclprofGetStepTimestamp(step, static_cast<aclprofStepTag>(2), nullptr),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclprofGetStepTimestamp(nullptr, ACL_STEP_START, nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtSynchronizeDevice());
  aclprofDestroyStepInfo(step);
  aclprofDestroyStepInfo(step);
  aclprofDestroyStepInfo(nullptr);
  CHECK_CODE(aclprofGetStepTimestamp(step, ACL_STEP_START, nullptr), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("wrong attributes of a range are refused") {
  aclprofTensor tensor{};
  aclprofTensorInfo info{};
  info.opNameId = aclprofStr2Id("op");
  info.tensorNum = 1;
  info.tensors = &tensor;
  aclprofEventAttributes good{};
  good.version = ACL_PROF_EVENT_ATTR_VERSION;
  good.size = sizeof good;
  good.message.tensorInfo = &info;
  const auto refused = [](aclprofEventAttributes attributes) {
    return aclprofRangePushEx(&attributes) == ACL_ERROR_INVALID_PARAM;
  };
  CHECK_CODE(aclprofRangePushEx(nullptr), ACL_ERROR_INVALID_PARAM);
  auto wrong = good;
  wrong.version = 2;
  CHECK(refused(wrong));
  wrong = good;
  wrong.size = 8;
  CHECK(refused(wrong));
  wrong = good;
  wrong.messageType = 1;
  CHECK(refused(wrong));
  wrong = good;
  wrong.message.tensorInfo = nullptr;
  CHECK(refused(wrong));
  tensor.shapeDim = ACL_PROF_TENSOR_DATA_SHAPE_LEN + 1;
  CHECK(refused(good));
  tensor.shapeDim = 0;
  info.tensors = nullptr;
  CHECK(refused(good));
  info.tensorNum = 1u << 30;
  CHECK(refused(good));
  info.tensorNum = 0;
  info.opNameId = ~std::uint64_t{0};
  CHECK(refused(good));
  info.opNameId = aclprofStr2Id("op");
  CHECK_CODE(aclprofRangePushEx(&good), ACL_SUCCESS);
  CHECK_CODE(aclprofRangePop(), ACL_SUCCESS);
}
