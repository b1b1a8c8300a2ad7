// SPDX-License-Identifier: Apache-2.0
// Models that are built from bound streams, with labels and switches; conditional graphs.
#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr std::uint32_t kHead = 0;
constexpr std::uint32_t kDefault = 0x7fffffff;

struct Digit {
  long* sum;
  long digit;
};

int32_t append(const aclsimKernelContext*, const void* args) {
  const auto* const digit = static_cast<const Digit*>(args);
  *digit->sum = *digit->sum * 10 + digit->digit;
  return 0;
}

aclError try_append(aclrtStream stream, long& sum, long digit) {
  const Digit args{&sum, digit};
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "append";
  launch.kernel = append;
  launch.numBlocks = 1;
  launch.args = &args;
  launch.argsSize = sizeof args;
  return aclsimLaunchKernel(&launch, stream);
}

void append(aclrtStream stream, long& sum, long digit) {
  REQUIRE_ACL(try_append(stream, sum, digit));
}

Stream persistent() { return Stream(0, ACL_STREAM_PERSISTENT); }

/// A model with one bound stream, which a function fills.
struct Built {
  Stream stream = persistent();
  aclmdlRI model = nullptr;

  template <class Fill>
  explicit Built(Fill fill) {
    REQUIRE_ACL(aclmdlRIBuildBegin(&model, 0));
    REQUIRE_ACL(aclmdlRIBindStream(model, stream, kHead));
    fill(stream);
    REQUIRE_ACL(aclmdlRIEndTask(model, stream));
    REQUIRE_ACL(aclmdlRIBuildEnd(model, nullptr));
  }
  ~Built() {
    aclmdlRIUnbindStream(model, stream);
    aclmdlRIDestroy(model);
  }
};

}  // namespace

TEST_CASE("tasks of a bound stream are stored and run with the model", "[model]") {
  const Device device;
  long sum = 0;
  const Built built([&](aclrtStream s) {
    append(s, sum, 1);
    append(s, sum, 2);
  });
  CHECK(sum == 0);
  REQUIRE_ACL(aclmdlRIExecute(built.model, -1));
  CHECK(sum == 12);
  const Stream s;
  REQUIRE_ACL(aclmdlRIExecuteAsync(built.model, s));
  REQUIRE_ACL(aclmdlRIExecuteAsync(built.model, s));
  REQUIRE_ACL(aclrtSynchronizeStream(s));
  CHECK(sum == 121212);
}

TEST_CASE("a model that is built reads pageable memory when it runs", "[model]") {
  const Device device;
  const DeviceMemory memory(64);
  const DeviceMemory rows(64);
  int source = 1;
  int back = 0;
  const Built built([&](aclrtStream s) {
    REQUIRE_ACL(aclrtMemcpyAsync(memory, 4, &source, 4, ACL_MEMCPY_HOST_TO_DEVICE, s));
    REQUIRE_ACL(aclrtMemcpy2dAsync(rows, 4, &source, 4, 4, 1, ACL_MEMCPY_HOST_TO_DEVICE, s));
    CHECK_CODE(aclrtMemcpyAsync(&back, 4, memory, 4, ACL_MEMCPY_DEVICE_TO_HOST, s),
               ACL_ERROR_RT_PARAM_INVALID);
  });
  for (const int value : {2, 3}) {
    source = value;
    REQUIRE_ACL(aclmdlRIExecute(built.model, -1));
    CHECK(fetch<int>(memory) == value);
    CHECK(fetch<int>(rows) == value);
  }
}

TEST_CASE("a failing model says so when it is executed", "[model]") {
  const Device device;
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "fails";
  launch.kernel = [](const aclsimKernelContext*, const void*) -> int32_t {
    return ACL_ERROR_RT_AICORE_EXCEPTION;
  };
  launch.numBlocks = 1;
  const Built built([&](aclrtStream s) { REQUIRE_ACL(aclsimLaunchKernel(&launch, s)); });
  CHECK_CODE(aclmdlRIExecute(built.model, -1), ACL_ERROR_RT_MODEL_EXECUTE);
  const Stream s;
  REQUIRE_ACL(aclmdlRIExecuteAsync(built.model, s));
  CHECK_CODE(aclrtSynchronizeStream(s), ACL_ERROR_RT_AICORE_EXCEPTION);
}

TEST_CASE("an execution with a limit ends when the time is up", "[model]") {
  const Device device;
  Gate gate;
  Built built([&](aclrtStream s) { gate.hold_later(s); });
  CHECK_CODE(aclmdlRIExecute(built.model, 20), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  gate.open();
  CHECK_CODE(aclmdlRIExecute(built.model, 0), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclmdlRIExecute(built.model, -2), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a built model that is destroyed lets its runs end", "[model]") {
  const Device device;
  const Stream runner;
  long sum = 0;
  Stream bound = persistent();
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRIBuildBegin(&model, 0));
  REQUIRE_ACL(aclmdlRIBindStream(model, bound, kHead));
  append(bound, sum, 1);
  append(bound, sum, 2);
  REQUIRE_ACL(aclmdlRIEndTask(model, bound));
  REQUIRE_ACL(aclmdlRIBuildEnd(model, nullptr));
  static int ends = 0;
  ends = 0;
  REQUIRE_ACL(aclmdlRIDestroyRegisterCallback(
      model, [](void*) { ++ends; }, nullptr));
  Gate gate;
  gate.hold(runner);
  for (int i = 0; i < 2; ++i) REQUIRE_ACL(aclmdlRIExecuteAsync(model, runner));
  REQUIRE_ACL(aclmdlRIDestroy(model));
  CHECK(ends == 1);
  CHECK_CODE(aclmdlRIExecuteAsync(model, runner), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclmdlRIDestroy(model), ACL_ERROR_RT_INVALID_HANDLE);
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(runner));
  CHECK(sum == 1212);
}

TEST_CASE("a built model is destroyed in the midst of a run, which goes on", "[model]") {
  const Device device;
  const Stream runner;
  long sum = 0;
  Stream bound = persistent();
  aclmdlRI model = nullptr;
  Gate gate;
  REQUIRE_ACL(aclmdlRIBuildBegin(&model, 0));
  REQUIRE_ACL(aclmdlRIBindStream(model, bound, kHead));
  gate.hold_later(bound);
  append(bound, sum, 3);
  REQUIRE_ACL(aclmdlRIEndTask(model, bound));
  REQUIRE_ACL(aclmdlRIBuildEnd(model, nullptr));
  REQUIRE_ACL(aclmdlRIExecuteAsync(model, runner));
  REQUIRE(
      eventually([&] { return query(runner) == ACL_STREAM_STATUS_NOT_READY && gate.entered(); }));
  REQUIRE_ACL(aclmdlRIDestroy(model));
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(runner));
  CHECK(sum == 3);
}

TEST_CASE("only persistent streams can be bound, and once", "[model]") {
  const Device device;
  const Stream plain, bound = persistent(), fast(0, ACL_STREAM_PERSISTENT | ACL_STREAM_FAST_LAUNCH);
  const Stream stops = persistent();
  REQUIRE_ACL(aclrtSetStreamFailureMode(stops, ACL_STOP_ON_FAILURE));
  aclmdlRI model = nullptr;
  CHECK_CODE(aclmdlRIBuildBegin(nullptr, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclmdlRIBuildBegin(&model, 1), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclmdlRIBuildBegin(&model, 0));
  CHECK_CODE(aclmdlRIBindStream(model, nullptr, kHead), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclmdlRIBindStream(nullptr, bound, kHead), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclmdlRIBindStream(bound, bound, kHead), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclmdlRIBindStream(model, plain, kHead), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclmdlRIBindStream(model, fast, kHead), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclmdlRIBindStream(model, stops, kHead), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  CHECK_CODE(aclmdlRIBindStream(model, bound, 5), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclmdlRIBindStream(model, bound, kHead));
  CHECK_CODE(aclmdlRIBindStream(model, bound, kHead), ACL_ERROR_RT_STREAM_MODEL);
  CHECK_CODE(aclrtDestroyStream(bound), ACL_ERROR_RT_STREAM_MODEL);
  CHECK_CODE(aclmdlRIUnbindStream(model, plain), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclmdlRIBuildEnd(model, nullptr), ACL_ERROR_RT_PARAM_INVALID);  // no end task
  CHECK_CODE(aclmdlRIExecute(model, -1), ACL_ERROR_RT_MODEL_EXECUTE);
  REQUIRE_ACL(aclmdlRIEndTask(model, bound));
  CHECK_CODE(aclmdlRIBuildEnd(model, &model), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclmdlRIBuildEnd(model, nullptr));
  long sum = 0;
  CHECK_CODE(try_append(bound, sum, 1), ACL_ERROR_RT_PARAM_INVALID);  // takes no more
  CHECK_CODE(aclmdlRIBuildEnd(model, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclmdlRIUnbindStream(model, bound));
  REQUIRE_ACL(aclmdlRIDestroy(model));
}

TEST_CASE("a model forgets a stream that it was unbound from", "[model]") {
  const Device device;
  long sum = 0;
  const Stream stream = persistent();
  aclmdlRI first = nullptr;
  REQUIRE_ACL(aclmdlRIBuildBegin(&first, 0));
  REQUIRE_ACL(aclmdlRIBindStream(first, stream, kHead));
  REQUIRE_ACL(aclmdlRIUnbindStream(first, stream));
  REQUIRE_CODE(aclmdlRIUnbindStream(first, stream), ACL_ERROR_RT_PARAM_INVALID);
  aclmdlRI second = nullptr;
  REQUIRE_ACL(aclmdlRIBuildBegin(&second, 0));
  REQUIRE_ACL(aclmdlRIBindStream(second, stream, kHead));
  REQUIRE_ACL(aclmdlRIDestroy(first));
  append(stream, sum, 1);
  REQUIRE_ACL(aclmdlRIEndTask(second, stream));
  REQUIRE_ACL(aclmdlRIBuildEnd(second, nullptr));
  CHECK(sum == 0);  // stored, not run
  REQUIRE_ACL(aclmdlRIExecute(second, -1));
  CHECK(sum == 1);
  REQUIRE_ACL(aclmdlRIUnbindStream(second, stream));
  REQUIRE_ACL(aclmdlRIDestroy(second));
}

TEST_CASE("only events with SYNC order the streams of a model", "[model]") {
  const Device device;
  const Event plain, ex = Event::ex(), sync = Event::old(ACL_EVENT_SYNC);
  const Built built([&](aclrtStream s) {
    CHECK_CODE(aclrtRecordEvent(plain, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    CHECK_CODE(aclrtRecordEvent(ex, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    CHECK_CODE(aclrtResetEvent(plain, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    CHECK_CODE(aclrtRecordEvent(sync, s), ACL_SUCCESS);
    CHECK_CODE(aclrtResetEvent(sync, s), ACL_SUCCESS);
  });
  REQUIRE_ACL(aclmdlRIExecute(built.model, -1));
}

TEST_CASE("two head streams of a model run together and meet in a SYNC event", "[model]") {
  const Device device;
  const Stream a = persistent(), b = persistent();
  const Event e = Event::old(ACL_EVENT_SYNC);
  long sum = 0;
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRIBuildBegin(&model, 0));
  REQUIRE_ACL(aclmdlRIBindStream(model, a, kHead));
  REQUIRE_ACL(aclmdlRIBindStream(model, b, kHead));
  REQUIRE_ACL(aclrtStreamWaitEvent(a, e));
  REQUIRE_ACL(aclrtResetEvent(e, a));
  append(a, sum, 2);
  append(b, sum, 1);
  REQUIRE_ACL(aclrtRecordEvent(e, b));
  REQUIRE_ACL(aclmdlRIEndTask(model, a));
  REQUIRE_ACL(aclmdlRIBuildEnd(model, nullptr));
  for (int i = 0; i < 3; ++i) REQUIRE_ACL(aclmdlRIExecute(model, -1));
  CHECK(sum == 121212);
  REQUIRE_ACL(aclmdlRIDestroy(model));
}

TEST_CASE("a stream that does not start with the model runs when it is activated", "[model]") {
  const Device device;
  const Stream a = persistent(), b = persistent();
  long sum = 0;
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRIBuildBegin(&model, 0));
  REQUIRE_ACL(aclmdlRIBindStream(model, a, kHead));
  REQUIRE_ACL(aclmdlRIBindStream(model, b, kDefault));
  append(a, sum, 1);
  SECTION("it was activated") {
    REQUIRE_ACL(aclrtActiveStream(b, a));
    append(b, sum, 2);
    REQUIRE_ACL(aclmdlRIEndTask(model, b));
    REQUIRE_ACL(aclmdlRIBuildEnd(model, nullptr));
    REQUIRE_ACL(aclmdlRIExecute(model, -1));
    CHECK(sum == 12);
  }
  SECTION("it was not") {
    append(b, sum, 2);
    REQUIRE_ACL(aclmdlRIEndTask(model, a));
    REQUIRE_ACL(aclmdlRIBuildEnd(model, nullptr));
    REQUIRE_ACL(aclmdlRIExecute(model, -1));
    CHECK(sum == 1);
  }
  REQUIRE_ACL(aclmdlRIDestroy(model));
}

TEST_CASE("a stream switch goes on in the other stream when the comparison holds", "[model]") {
  const Device device;
  const DeviceMemory left(8), right(8);
  const auto [condition, holds_below, holds_equal] =
      GENERATE(table<aclrtCondition, bool, bool>({{ACL_RT_EQUAL, false, true},
                                                  {ACL_RT_NOT_EQUAL, true, false},
                                                  {ACL_RT_GREATER, false, false},
                                                  {ACL_RT_GREATER_OR_EQUAL, false, true},
                                                  {ACL_RT_LESS, true, false},
                                                  {ACL_RT_LESS_OR_EQUAL, true, true}}));
  const auto type = GENERATE(ACL_RT_SWITCH_INT32, ACL_RT_SWITCH_INT64);
  CAPTURE(static_cast<int>(condition));
  const Stream a = persistent(), b = persistent();
  long sum = 0;
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRIBuildBegin(&model, 0));
  REQUIRE_ACL(aclmdlRIBindStream(model, a, kHead));
  REQUIRE_ACL(aclmdlRIBindStream(model, b, kDefault));
  REQUIRE_ACL(aclrtSwitchStream(left, condition, right, type, b, nullptr, a));
  append(a, sum, 1);
  append(b, sum, 2);
  REQUIRE_ACL(aclmdlRIEndTask(model, a));
  REQUIRE_ACL(aclmdlRIBuildEnd(model, nullptr));
  for (const auto& [value, holds] :
       {std::pair{std::int64_t{-3}, holds_below}, std::pair{std::int64_t{5}, holds_equal}}) {
    store(left, value);
    store(right, std::int64_t{5});
    sum = 0;
    REQUIRE_ACL(aclmdlRIExecute(model, -1));
    CHECK(sum == (holds ? 2 : 1));
  }
  REQUIRE_ACL(aclmdlRIDestroy(model));
}

TEST_CASE("a label switch goes on at the label whose number is in memory", "[model][label]") {
  const Device device;
  const DeviceMemory index(4);
  aclrtLabel labels[2] = {};
  aclrtLabelList list = nullptr;
  for (aclrtLabel& label : labels) REQUIRE_ACL(aclrtCreateLabel(&label));
  REQUIRE_ACL(aclrtCreateLabelList(labels, 2, &list));
  long sum = 0;
  {
    const Built built([&](aclrtStream s) {
      REQUIRE_ACL(aclrtSwitchLabelByIndex(index, 2, list, s));
      append(s, sum, 9);  // never
      REQUIRE_ACL(aclrtSetLabel(labels[0], s));
      append(s, sum, 1);
      REQUIRE_ACL(aclrtSetLabel(labels[1], s));
      append(s, sum, 2);
    });
    for (const auto& [value, expected] : {std::pair{0u, 12L}, {1u, 2L}, {77u, 2L}}) {
      store(index, value);
      sum = 0;
      REQUIRE_ACL(aclmdlRIExecute(built.model, -1));
      CHECK(sum == expected);
    }
  }
  REQUIRE_ACL(aclrtDestroyLabelList(list));
  for (const aclrtLabel label : labels) REQUIRE_ACL(aclrtDestroyLabel(label));
}

TEST_CASE("a label on another stream of the model takes the run there", "[model][label]") {
  const Device device;
  const DeviceMemory index(4);
  aclrtLabel label = nullptr;
  aclrtLabelList list = nullptr;
  REQUIRE_ACL(aclrtCreateLabel(&label));
  REQUIRE_ACL(aclrtCreateLabelList(&label, 1, &list));
  const Stream a = persistent(), b = persistent();
  long sum = 0;
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRIBuildBegin(&model, 0));
  REQUIRE_ACL(aclmdlRIBindStream(model, a, kHead));
  REQUIRE_ACL(aclmdlRIBindStream(model, b, kDefault));
  REQUIRE_ACL(aclrtSwitchLabelByIndex(index, 1, list, a));
  append(a, sum, 9);
  append(b, sum, 8);
  REQUIRE_ACL(aclrtSetLabel(label, b));
  append(b, sum, 2);
  REQUIRE_ACL(aclmdlRIEndTask(model, b));
  REQUIRE_ACL(aclmdlRIBuildEnd(model, nullptr));
  REQUIRE_ACL(aclmdlRIExecute(model, -1));
  CHECK(sum == 2);
  REQUIRE_ACL(aclmdlRIDestroy(model));
  REQUIRE_ACL(aclrtDestroyLabelList(list));
  REQUIRE_ACL(aclrtDestroyLabel(label));
}

TEST_CASE("labels and switches refuse what is wrong", "[model][label]") {
  const Device device;
  const Stream plain;
  const DeviceMemory memory(16);
  aclrtLabel label = nullptr;
  aclrtLabelList list = nullptr;
  CHECK_CODE(aclrtCreateLabel(nullptr), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtCreateLabel(&label));
  CHECK_CODE(aclrtCreateLabelList(&label, 0, &list), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtCreateLabelList(nullptr, 1, &list), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(aclrtCreateLabelList(&label, 1, &list));
  CHECK_CODE(aclrtSetLabel(label, plain), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtSwitchLabelByIndex(memory, 1, list, plain), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtActiveStream(plain, plain), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtActiveStream(nullptr, plain), ACL_ERROR_INVALID_PARAM);
  long host = 0;
  {
    const Built built([&](aclrtStream s) {
      REQUIRE_ACL(aclrtSetLabel(label, s));
      CHECK_CODE(aclrtSetLabel(label, s), ACL_ERROR_RT_PARAM_INVALID);
      CHECK_CODE(aclrtSwitchLabelByIndex(&host, 1, list, s), ACL_ERROR_RT_PARAM_INVALID);
      CHECK_CODE(aclrtSwitchLabelByIndex(nullptr, 1, list, s), ACL_ERROR_INVALID_PARAM);
      CHECK_CODE(aclrtSwitchLabelByIndex(memory, 0, list, s), ACL_ERROR_RT_PARAM_INVALID);
      CHECK_CODE(aclrtSwitchLabelByIndex(memory, 1, label, s), ACL_ERROR_RT_INVALID_HANDLE);
      CHECK_CODE(aclrtSwitchStream(memory, ACL_RT_EQUAL, memory, ACL_RT_SWITCH_INT32, s, s, s),
                 ACL_ERROR_INVALID_PARAM);
      CHECK_CODE(aclrtSwitchStream(memory, static_cast<aclrtCondition>(6), memory,
                                   ACL_RT_SWITCH_INT32, s, nullptr, s),
                 ACL_ERROR_RT_PARAM_INVALID);
      CHECK_CODE(
          aclrtSwitchStream(memory, ACL_RT_EQUAL, memory, ACL_RT_SWITCH_INT32, plain, nullptr, s),
          ACL_ERROR_RT_PARAM_INVALID);
    });
  }
  REQUIRE_ACL(aclrtDestroyLabelList(list));
  CHECK_CODE(aclrtDestroyLabelList(list), ACL_ERROR_RT_INVALID_HANDLE);
  REQUIRE_ACL(aclrtDestroyLabel(label));
  CHECK_CODE(aclrtDestroyLabel(label), ACL_ERROR_RT_INVALID_HANDLE);
}

// ---- conditional graphs
// ----------------------------------------------------------------------------

namespace {

/// Device work that counts a number in pinned memory down, and copies it into a condition.
void count_down(aclrtStream stream, std::uint64_t* pinned, std::uint64_t* place) {
  aclsimLaunch launch{};
  launch.size = sizeof launch;
  launch.name = "count_down";
  launch.kernel = [](const aclsimKernelContext*, const void* p) -> int32_t {
    --**static_cast<std::uint64_t* const*>(p);
    return 0;
  };
  launch.numBlocks = 1;
  launch.args = &pinned;
  launch.argsSize = sizeof pinned;
  REQUIRE_ACL(aclsimLaunchKernel(&launch, stream));
  REQUIRE_ACL(aclrtMemcpyAsync(place, 8, pinned, 8, ACL_MEMCPY_HOST_TO_DEVICE, stream));
}

/// Captures a graph with one conditional task; `fill(i, stream)` fills its sub-graphs.
template <class Fill>
aclmdlRI conditional(aclrtStream s, aclrtStream inner, aclmdlRICondTaskType type,
                     std::uint32_t size, std::uint32_t initial, long& sum, Fill fill,
                     std::uint64_t** place) {
  REQUIRE_ACL(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRICaptureGetInfo(s, nullptr, &model));
  aclmdlRICondHandle handle = nullptr;
  REQUIRE_ACL(
      aclmdlRICondHandleCreate(model, initial, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, &handle));
  REQUIRE_ACL(aclmdlRICondHandleGetCondPtr(handle, place));
  append(s, sum, 1);
  std::vector<aclmdlRI> models(size);
  REQUIRE_ACL(aclmdlRIAddCondTask({handle, type, size, models.data()}, s, 0));
  append(s, sum, 9);
  aclmdlRI early = nullptr;
  CHECK_CODE(aclmdlRICaptureEnd(s, &early), ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING);
  for (std::uint32_t i = 0; i < size; ++i) {
    REQUIRE_ACL(aclmdlRICaptureToModelRIBegin(inner, models[i], ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    fill(i, *place);
    aclmdlRI ended = nullptr;
    REQUIRE_ACL(aclmdlRICaptureEnd(inner, &ended));
    CHECK(ended == models[i]);
    CHECK_CODE(aclmdlRIDestroy(ended), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    CHECK_CODE(aclmdlRIExecuteAsync(ended, inner), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  }
  REQUIRE_ACL(aclmdlRICaptureEnd(s, &model));
  return model;
}

long execute(aclmdlRI model, aclrtStream s, long& sum) {
  sum = 0;
  REQUIRE_ACL(aclmdlRIExecuteAsync(model, s));
  REQUIRE_ACL(aclrtSynchronizeStream(s));
  return sum;
}

}  // namespace

TEST_CASE("an if of a graph runs its sub-graph when the condition is set", "[model][condition]") {
  const Device device;
  const Stream s, inner;
  long sum = 0;
  const auto [size, initial, expected] = GENERATE(table<std::uint32_t, std::uint32_t, long>(
      {{1, 0, 19}, {1, 1, 129}, {2, 1, 129}, {2, 0, 139}}));
  std::uint64_t* place = nullptr;
  const aclmdlRI model = conditional(
      s, inner, ACL_MODEL_RI_COND_TYPE_IF, size, initial, sum,
      [&](std::uint32_t i, std::uint64_t*) { append(inner, sum, 2 + static_cast<long>(i)); },
      &place);
  for (int run = 0; run < 3; ++run) CHECK(execute(model, s, sum) == expected);
  REQUIRE_ACL(aclmdlRIDestroy(model));
}

TEST_CASE("a while of a graph repeats its sub-graph as long as the condition is set",
          "[model][condition]") {
  const Device device;
  const Stream s, inner;
  const HostMemory left(8);
  long sum = 0;
  std::uint64_t* place = nullptr;
  const aclmdlRI model = conditional(
      s, inner, ACL_MODEL_RI_COND_TYPE_WHILE, 1, 3, sum,
      [&](std::uint32_t, std::uint64_t* at) {
        append(inner, sum, 2);
        count_down(inner, left.as<std::uint64_t>(), at);
      },
      &place);
  for (int run = 0; run < 3; ++run) {
    *left.as<std::uint64_t>() = 3;
    CHECK(execute(model, s, sum) == 12229);
  }
  REQUIRE_ACL(aclmdlRIDestroy(model));
}

TEST_CASE("a switch of a graph runs the sub-graph with the number, or none", "[model][condition]") {
  const Device device;
  const Stream s, inner;
  long sum = 0;
  std::uint64_t* place = nullptr;
  const aclmdlRI model = conditional(
      s, inner, ACL_MODEL_RI_COND_TYPE_SWITCH, 3, 1, sum,
      [&](std::uint32_t i, std::uint64_t*) { append(inner, sum, 2 + static_cast<long>(i)); },
      &place);
  CHECK(execute(model, s, sum) == 139);
  REQUIRE_ACL(aclmdlRIDestroy(model));
}

TEST_CASE("conditions refuse what is wrong", "[model][condition]") {
  const Device device;
  const Stream s;
  aclmdlRICondHandle handle = nullptr;
  aclmdlRI inner[2] = {};
  aclmdlRI built = nullptr;
  REQUIRE_ACL(aclmdlRIBuildBegin(&built, 0));
  const auto flag = ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT;
  CHECK_CODE(aclmdlRICondHandleCreate(built, 0, flag, &handle), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  REQUIRE_ACL(aclmdlRIDestroy(built));
  REQUIRE_ACL(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
  aclmdlRI model = nullptr;
  REQUIRE_ACL(aclmdlRICaptureGetInfo(s, nullptr, &model));
  CHECK_CODE(aclmdlRICondHandleCreate(model, 0, flag, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclmdlRICondHandleCreate(model, 0, static_cast<aclmdlRICondHandleFlag>(2), &handle),
             ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclmdlRICondHandleCreate(model, 0, flag, &handle));
  CHECK_CODE(aclmdlRICondHandleGetCondPtr(handle, nullptr), ACL_ERROR_INVALID_PARAM);
  const auto add = [&](aclmdlRICondTaskParams params, std::uint32_t flags, aclrtStream stream) {
    return aclmdlRIAddCondTask(params, stream, flags);
  };
  const auto loop = ACL_MODEL_RI_COND_TYPE_WHILE;
  CHECK_CODE(add({handle, loop, 1, inner}, 1, s), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(add({handle, loop, 2, inner}, 0, s), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(add({handle, loop, 1, nullptr}, 0, s), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(add({nullptr, loop, 1, inner}, 0, s), ACL_ERROR_INVALID_PARAM);
  const Stream other;
  CHECK_CODE(add({handle, loop, 1, inner}, 0, other), ACL_ERROR_RT_STREAM_NOT_CAPTURED);
  CHECK_CODE(aclmdlRICaptureToModelRIBegin(other, model, ACL_MODEL_RI_CAPTURE_MODE_RELAXED),
             ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclmdlRICaptureEnd(s, &model));
  REQUIRE_ACL(aclmdlRIDestroy(model));
}
