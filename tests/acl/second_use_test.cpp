// SPDX-License-Identifier: Apache-2.0
// Calls of a thread that has used the same stream, event and memory a moment ago find out what has
// changed since.
#include "tests/acl/world.h"

using namespace world;

namespace {

constexpr std::size_t kBytes = 256;

aclError fill(void* memory, aclrtStream stream, std::size_t count = kBytes) {
  return aclrtMemsetAsync(memory, 2 * kBytes, 7, count, stream);
}

aclError copy(void* to, const void* from, aclrtStream stream) {
  return aclrtMemcpyAsync(to, kBytes, from, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
}

}  // namespace

TEST_CASE("memory that was freed after a fill and a copy is refused in the next ones") {
  const Device device;
  const Stream stream;
  const DeviceMemory kept(kBytes);
  void* memory = nullptr;
  REQUIRE_ACL(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  for (int i = 0; i < 3; ++i) {
    REQUIRE_ACL(fill(memory, stream));
    REQUIRE_ACL(copy(kept, memory, stream));
  }
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  REQUIRE_ACL(aclrtFree(memory));
  CHECK_CODE(fill(memory, stream), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(copy(kept, memory, stream), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a fill behind others may not pass the end of its memory or of its limit") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(kBytes);
  for (int i = 0; i < 3; ++i) REQUIRE_ACL(fill(memory, stream));
  CHECK_CODE(fill(memory, stream, kBytes + 1), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(fill(memory, stream, 2 * kBytes + 1), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("a stream and an event that were used are refused once they are destroyed") {
  const Device device;
  const Stream other;
  Stream stream;
  Event event = Event::ex();
  for (int i = 0; i < 3; ++i) {
    REQUIRE_ACL(aclrtRecordEvent(event, stream));
    REQUIRE_ACL(aclrtStreamWaitEvent(other, event));
    launch(stream, [] {});
  }
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  const aclrtEvent no_event = event.release();
  REQUIRE_ACL(aclrtDestroyEvent(no_event));
  CHECK_CODE(aclrtRecordEvent(no_event, stream), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtStreamWaitEvent(other, no_event), ACL_ERROR_RT_INVALID_HANDLE);
  const aclrtStream no_stream = stream.release();
  REQUIRE_ACL(aclrtDestroyStream(no_stream));
  CHECK_CODE(try_launch(no_stream, [] {}), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtSynchronizeStream(no_stream), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("a stream that was used is refused in another context, and taken again in its own") {
  const Device device;
  const Stream stream;
  const DeviceMemory memory(kBytes);
  for (int i = 0; i < 3; ++i) REQUIRE_ACL(fill(memory, stream));
  aclrtContext own = nullptr;
  REQUIRE_ACL(aclrtGetCurrentContext(&own));
  {
    const Context context;  // current from here on
    CHECK_CODE(fill(memory, stream), ACL_ERROR_RT_STREAM_CONTEXT);
    CHECK_CODE(try_launch(stream, [] {}), ACL_ERROR_RT_STREAM_CONTEXT);
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    REQUIRE_ACL(aclrtSetCurrentContext(own));
  }
  REQUIRE_ACL(fill(memory, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("a synchronise behind others reports a failure that has come since, once") {
  const Device device;
  const Stream stream;
  for (int i = 0; i < 20; ++i) {
    launch(stream, [] {});
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
  }
  launch(stream, [] { return ACL_ERROR_RT_VECTOR_CORE_EXCEPTION; });
  REQUIRE_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
}

TEST_CASE("a wait between two streams holds until the record has run, again and again") {
  const Device device;
  const Stream first, second;
  const Event there = Event::ex(), back = Event::ex();
  std::uint64_t value = 0;
  constexpr std::uint64_t kHops = 200;
  for (std::uint64_t i = 0; i < kHops; ++i) {
    launch(first, [&value] { value = 2 * value + 1; });
    REQUIRE_ACL(aclrtRecordEvent(there, first));
    REQUIRE_ACL(aclrtStreamWaitEvent(second, there));
    launch(second, [&value] { value /= 2; });
    REQUIRE_ACL(aclrtRecordEvent(back, second));
    REQUIRE_ACL(aclrtStreamWaitEvent(first, back));
    launch(second, [] {});
  }
  launch(first, [&value] { ++value; });
  REQUIRE_ACL(aclrtSynchronizeStream(first));
  REQUIRE_ACL(aclrtSynchronizeStream(second));
  CHECK(value == 1);
}
