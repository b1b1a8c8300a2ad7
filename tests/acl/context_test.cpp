// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "tests/acl/world.h"

using namespace world;

TEST_CASE("a thread without a context is told so") {
  aclrtContext context = nullptr;
  CHECK_CODE(aclrtGetCurrentContext(&context), ACL_ERROR_RT_CONTEXT_NULL);
  aclrtStream stream = nullptr;
  CHECK_CODE(aclrtCtxGetCurrentDefaultStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_CASE("a new context is current and has a default stream of its own") {
  const Device device;
  const aclrtContext primary = current_context();
  const aclrtStream primary_stream = default_stream();
  const Context context(0);
  CHECK(current_context() == context);
  CHECK(context != primary);
  CHECK(default_stream() != primary_stream);
}

TEST_CASE("a context can be made without setting the device") {
  const Context context(4);
  CHECK(current_device() == 4);
  bool ran = false;
  launch(nullptr, [&] { ran = true; });
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(ran);
}

TEST_CASE("destroying the current context leaves the thread with none") {
  aclrtContext context = nullptr;
  REQUIRE_ACL(aclrtCreateContext(&context, 0));
  REQUIRE_ACL(aclrtDestroyContext(context));
  aclrtContext now = nullptr;
  CHECK_CODE(aclrtGetCurrentContext(&now), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtDestroyContext(context), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtSetCurrentContext(context), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("destroying another context leaves the current one") {
  const Device device;
  const aclrtContext primary = current_context();
  aclrtContext context = nullptr;
  REQUIRE_ACL(aclrtCreateContext(&context, 1));
  REQUIRE_ACL(aclrtSetCurrentContext(primary));
  REQUIRE_ACL(aclrtDestroyContext(context));
  CHECK(current_context() == primary);
}

TEST_CASE("the primary context cannot be destroyed") {
  const Device device;
  CHECK_CODE(aclrtDestroyContext(current_context()), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK(current_device() == 0);
}

TEST_CASE("binding a context of another device changes the device") {
  const Context first(1);
  const Context second(2);
  CHECK(current_device() == 2);
  first.use();
  CHECK(current_device() == 1);
  second.use();
  CHECK(current_device() == 2);
}

TEST_CASE("a context may be current in many threads") {
  const Context context(3);
  Problems problems;
  std::atomic<int> sum{0};
  in_threads(8, [&](int i) {
    EXPECT_ACL(problems, aclrtSetCurrentContext(context));
    std::int32_t device = -1;
    EXPECT_ACL(problems, aclrtGetDevice(&device));
    EXPECT_TRUE(problems, device == 3);
    EXPECT_ACL(problems, try_launch(nullptr, [&sum, i] { sum += i; }));
  });
  CHECK(problems.text().empty());
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(sum == 28);
}

TEST_CASE("a context that another thread destroys is gone here too") {
  aclrtContext context = nullptr;
  REQUIRE_ACL(aclrtCreateContext(&context, 0));
  CHECK(in_thread([&] { return aclrtDestroyContext(context); }) == ACL_SUCCESS);
  aclrtStream stream = nullptr;
  CHECK_CODE(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
}

TEST_CASE("a context takes its streams with it") {
  aclrtContext context = nullptr;
  REQUIRE_ACL(aclrtCreateContext(&context, 0));
  aclrtStream stream = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&stream));
  launch(stream, [] {});
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  REQUIRE_ACL(aclrtDestroyContext(context));
  CHECK(stats().streams == 0);
  const Device device;
  CHECK_CODE(aclrtSynchronizeStream(stream), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("contexts before the device reset are destroyed by their owner") {
  REQUIRE_ACL(aclrtSetDevice(0));
  aclrtContext context = nullptr;
  REQUIRE_ACL(aclrtCreateContext(&context, 0));
  REQUIRE_ACL(aclrtDestroyContext(context));
  REQUIRE_ACL(aclrtResetDevice(0));
}

TEST_CASE("null and the default stream's handle name the same stream") {
  const Device device;
  const aclrtStream stream = default_stream();
  REQUIRE(stream != nullptr);
  CHECK(id_of(stream) == id_of(nullptr));
  std::vector<int> order;
  for (int i = 0; i < 20; ++i) {
    launch(i % 2 == 0 ? stream : nullptr, [&order, i] { order.push_back(i); });
  }
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  for (int i = 0; i < 20; ++i) CHECK(order[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("work goes to streams of the current context only") {
  const Device device;
  const Context context(0);
  const Stream foreign;
  const Event event;
  const DeviceMemory memory(64);
  const HostMemory host(64);
  const Device again;  // the primary context is current

  CHECK_CODE(try_launch(foreign, [] {}), ACL_ERROR_RT_STREAM_CONTEXT);
  CHECK_CODE(aclrtRecordEvent(event, foreign), ACL_ERROR_RT_STREAM_CONTEXT);
  REQUIRE_ACL(aclrtRecordEvent(event, nullptr));
  CHECK_CODE(aclrtStreamWaitEvent(foreign, event), ACL_ERROR_RT_STREAM_CONTEXT);
  CHECK_CODE(aclrtStreamWaitEventWithTimeout(foreign, event, 1), ACL_ERROR_RT_STREAM_CONTEXT);
  CHECK_CODE(aclrtResetEvent(event, foreign), ACL_ERROR_RT_STREAM_CONTEXT);
  CHECK_CODE(aclrtMemcpyAsync(memory, 64, host, 64, ACL_MEMCPY_HOST_TO_DEVICE, foreign),
             ACL_ERROR_RT_STREAM_CONTEXT);
  CHECK_CODE(aclrtMemsetAsync(memory, 64, 0, 64, foreign), ACL_ERROR_RT_STREAM_CONTEXT);
  CHECK_CODE(aclrtLaunchHostFunc(
                 foreign, [](void*) {}, nullptr),
             ACL_ERROR_RT_STREAM_CONTEXT);
  CHECK_CODE(aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_NO_BLOCK, foreign),
             ACL_ERROR_RT_STREAM_CONTEXT);
  CHECK_CODE(aclrtDestroyStream(foreign), ACL_ERROR_RT_STREAM_CONTEXT);
  CHECK_CODE(aclrtDestroyStreamForce(foreign), ACL_ERROR_RT_STREAM_CONTEXT);
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  context.use();
}

TEST_CASE("streams of other contexts can be queried and synchronised") {
  const Device device;
  const aclrtContext primary = current_context();
  const Context context(1);
  const Stream stream;
  Gate gate;
  gate.hold(stream);
  {
    const Within within(primary);
    CHECK(query(stream) == ACL_STREAM_STATUS_NOT_READY);
    REQUIRE_CODE(aclrtSynchronizeStreamWithTimeout(stream, 10), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
    gate.open();
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    CHECK(query(stream) == ACL_STREAM_STATUS_COMPLETE);
    CHECK(current_context() == primary);
    CHECK(current_device() == 0);
  }
}

TEST_CASE("contexts come and go without end") {
  const Device device;
  for (int i = 0; i < 200; ++i) {
    const Context context(i % 8);
    launch(nullptr, [] {});
    REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  }
  CHECK(stats().contexts == 1);
}
