// SPDX-License-Identifier: Apache-2.0
// The effects of a failed task.
#include "tests/acl/world.h"

using namespace world;

namespace {

// Two tasks that each add one, and one between them that fails.
void add_fail_add(aclrtStream stream, int* value) {
  launch(stream, [value] { ++*value; });
  launch(stream, [] { return ACL_ERROR_RT_VECTOR_CORE_EXCEPTION; });
  // A stream that stops may have done so by now.
  const aclError code = try_launch(stream, [value] { ++*value; });
  CHECK((code == ACL_SUCCESS || code == ACL_ERROR_RT_VECTOR_CORE_EXCEPTION));
}

}  // namespace

TEST_CASE("by default the tasks behind a failed one run, and the failure is reported once") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(sizeof(int));
  store(memory, 0);
  add_fail_add(stream, memory.as<int>());
  REQUIRE_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  CHECK(fetch<int>(memory) == 2);
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("a stream that stops on failure drops the tasks behind a failed one") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(sizeof(int));
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  store(memory, 0);
  add_fail_add(stream, memory.as<int>());
  REQUIRE_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
}

TEST_CASE("a failure that stops its stream leaves the data of the tasks before it") {
  const Device device;
  const Stream stream;
  int value = 0;
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  add_fail_add(stream, &value);
  REQUIRE_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  CHECK(value == 1);
}

TEST_CASE("after a stop every stream of the context reports the failure") {
  const Device device;
  const Stream stream;
  const Stream other;
  const Event event;
  const Event recorded_before;
  const DeviceMemory memory(64);
  const HostMemory host(64);
  REQUIRE_ACL(aclrtRecordEvent(recorded_before, other));
  REQUIRE_ACL(aclrtSynchronizeStream(other));
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  launch(stream, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });
  REQUIRE_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION);

  const aclError failed = ACL_ERROR_RT_AICORE_EXCEPTION;
  CHECK_CODE(aclrtSynchronizeStream(other), failed);
  CHECK_CODE(aclrtSynchronizeStream(nullptr), failed);
  CHECK_CODE(aclrtSynchronizeDevice(), failed);
  CHECK_CODE(aclrtSynchronizeStreamWithTimeout(other, 100), failed);
  aclrtStreamStatus status{};
  CHECK_CODE(aclrtStreamQuery(other, &status), failed);
  CHECK_CODE(try_launch(other, [] {}), failed);
  CHECK_CODE(aclrtRecordEvent(event, other), failed);
  CHECK_CODE(aclrtStreamWaitEvent(other, recorded_before), failed);
  CHECK_CODE(aclrtMemcpyAsync(memory, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, other), failed);
  CHECK_CODE(aclrtMemsetAsync(memory, 64, 0, 64, other), failed);
  CHECK(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL) == failed);
}

TEST_CASE("after a stop the program can allocate, fill and read back what was computed before") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(64);
  const DeviceMemory second(64);
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  launch(stream, [value = memory.as<int>()] { *value = 42; });
  launch(stream, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });
  REQUIRE_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION);

  CHECK(fetch<int>(memory) == 42);
  const DeviceMemory fresh(64);
  CHECK_CODE(aclrtMemset(fresh, 64, 1, 64), ACL_SUCCESS);
  CHECK(fetch<int>(fresh) == 0x01010101);
  CHECK_CODE(aclrtMemsetD32(fresh, 64, 7, 2), ACL_SUCCESS);
  CHECK(fetch<int>(fresh) == 7);
  CHECK_CODE(aclrtMemcpy(second, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_SUCCESS);
  CHECK(fetch<int>(second) == 42);
  int rows[2] = {};
  CHECK_CODE(aclrtMemcpy2d(rows, 4, memory, 4, 4, 1, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  CHECK(rows[0] == 42);
  CHECK_CODE(try_launch(stream, [] {}), ACL_ERROR_RT_AICORE_EXCEPTION);
  CHECK_CODE(aclrtMemcpyAsync(rows, 4, memory, 4, ACL_MEMCPY_DEVICE_TO_HOST, stream),
             ACL_ERROR_RT_AICORE_EXCEPTION);
}

TEST_CASE("a stream for the device's use is stopped while a kernel runs") {
  const Device device;
  const Stream stream(0, ACL_STREAM_DEVICE_USE_ONLY);
  Gate gate;
  gate.hold_later(stream);
  REQUIRE(eventually([&] {
    query(stream);  // always complete; a seeded schedule goes on here
    return gate.entered();
  }));
  REQUIRE_ACL(
      aclrtSynchronizeStream(stream));  // a synchronisation does not wait for a stream of this kind
  REQUIRE_ACL(aclrtStreamStop(stream));
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INTERNAL_ERROR);
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INTERNAL_ERROR);
}

TEST_CASE("a stop leaves other contexts alone, and a reset ends it") {
  REQUIRE_ACL(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&stream));
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  launch(stream, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });
  REQUIRE_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_AICORE_EXCEPTION);
  {
    const Context other(0);
    bool ran = false;
    launch(nullptr, [&] { ran = true; });
    REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
    CHECK(ran);
  }
  REQUIRE_ACL(aclrtResetDevice(0));
  const Device again(0);
  bool ran = false;
  launch(nullptr, [&] { ran = true; });
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(ran);
}

TEST_CASE("a stop releases streams that wait for the dropped record") {
  const Device device;
  const Stream stream;
  const Stream other;
  const Event event;
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  Gate gate;
  gate.hold(stream);
  launch(stream, [] { return ACL_ERROR_RT_AICORE_EXCEPTION; });
  REQUIRE_ACL(aclrtRecordEvent(event, stream));
  REQUIRE_ACL(aclrtStreamWaitEvent(other, event));
  gate.open();
  CHECK_CODE(aclrtSynchronizeStreamWithTimeout(other, 10000), ACL_ERROR_RT_AICORE_EXCEPTION);
}

TEST_CASE("a stop can be set again but never taken back") {
  const Device device;
  const Stream stream;
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, ACL_CONTINUE_ON_FAILURE));
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  CHECK_CODE(aclrtSetStreamFailureMode(stream, ACL_CONTINUE_ON_FAILURE),
             ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_CASE("only the lowest bit of a failure mode counts") {
  const Device device;
  const Stream stream;
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, 0x10));
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, 0x11));
  CHECK_CODE(aclrtSetStreamFailureMode(stream, 0x10), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_CASE("the default stream has a failure mode too") {
  const Context context(0);
  REQUIRE_ACL(aclrtSetStreamFailureMode(nullptr, ACL_STOP_ON_FAILURE));
  int value = 0;
  add_fail_add(nullptr, &value);
  REQUIRE_CODE(aclrtSynchronizeStream(nullptr), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  CHECK(value == 1);
}

TEST_CASE("streams for the device's use have no failure mode") {
  const Device device;
  const Stream stream(0, ACL_STREAM_DEVICE_USE_ONLY);
  CHECK_CODE(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE),
             ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_CASE("after a stop the stream can be stopped for good") {
  const Device device;
  const Stream stream;
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  launch(stream, [] { return ACL_ERROR_RT_VECTOR_CORE_EXCEPTION; });
  REQUIRE_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  REQUIRE_ACL(aclrtStreamStop(stream));
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INTERNAL_ERROR);
}

TEST_CASE("after a stop an abort changes nothing") {
  const Device device;
  const Stream stream;
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  launch(stream, [] { return ACL_ERROR_RT_VECTOR_CORE_EXCEPTION; });
  REQUIRE_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  REQUIRE_ACL(aclrtStreamAbort(stream));
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
}

TEST_CASE("a stream that was aborted stops on failure as before") {
  const Device device;
  const Stream stream;
  REQUIRE_ACL(aclrtSetStreamFailureMode(stream, ACL_STOP_ON_FAILURE));
  REQUIRE_ACL(aclrtStreamAbort(stream));
  bool ran = false;
  Gate gate;
  gate.hold(stream);
  launch(stream, [] { return ACL_ERROR_RT_VECTOR_CORE_EXCEPTION; });
  launch(stream, [&] { ran = true; });
  gate.open();
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  CHECK_FALSE(ran);
}

TEST_CASE("failures of several streams are told apart") {
  const Device device;
  std::vector<Stream> streams(4);
  const int codes[] = {0, ACL_ERROR_RT_AICORE_EXCEPTION, 0, ACL_ERROR_RT_AICORE_TIMEOUT};
  for (std::size_t i = 0; i < 4; ++i) launch(streams[i], [code = codes[i]] { return code; });
  for (std::size_t i = 0; i < 4; ++i) CHECK_CODE(aclrtSynchronizeStream(streams[i]), codes[i]);
}
