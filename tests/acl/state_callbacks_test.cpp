// SPDX-License-Identifier: Apache-2.0
// Callbacks when streams come and go, and when a device is set and reset.
#include "tests/acl/world.h"

using namespace world;

namespace {

struct Log {
  std::mutex mutex;
  std::vector<std::pair<aclrtStream, int>> streams;
  std::vector<std::pair<int, int>> devices;
};

void note_stream(aclrtStream stream, aclrtStreamState state, void* args) {
  auto& log = *static_cast<Log*>(args);
  const std::lock_guard guard(log.mutex);
  log.streams.emplace_back(stream, state);
}

void note_device(std::int32_t device, aclrtDeviceState state, void* args) {
  auto& log = *static_cast<Log*>(args);
  const std::lock_guard guard(log.mutex);
  log.devices.emplace_back(device, state);
}

}  // namespace

// ---- streams
// ---------------------------------------------------------------------------------------

TEST_CASE("a stream is told of after it came and before it goes") {
  const Device device;
  Log log;
  REQUIRE_ACL(aclrtRegStreamStateCallback("log", note_stream, &log));
  aclrtStream stream = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&stream));
  REQUIRE(log.streams.size() == 1);
  CHECK(log.streams[0] == std::pair<aclrtStream, int>(stream, ACL_RT_STREAM_STATE_CREATE_POST));
  REQUIRE_ACL(aclrtDestroyStream(stream));
  REQUIRE(log.streams.size() == 2);
  CHECK(log.streams[1] == std::pair<aclrtStream, int>(stream, ACL_RT_STREAM_STATE_DESTROY_PRE));
  REQUIRE_ACL(aclrtRegStreamStateCallback("log", nullptr, nullptr));
  const Stream silent;
  CHECK(log.streams.size() == 2);
}

TEST_CASE("a stream that is about to go can still be used by the callback") {
  const Device device;
  static aclError code = -1;
  REQUIRE_ACL(aclrtRegStreamStateCallback(
      "ask",
      [](aclrtStream stream, aclrtStreamState state, void*) {
        if (state == ACL_RT_STREAM_STATE_DESTROY_PRE) code = aclrtSynchronizeStream(stream);
      },
      nullptr));
  {
    const Stream stream;
    launch(stream, [] {});
  }
  CHECK(code == ACL_SUCCESS);
  REQUIRE_ACL(aclrtRegStreamStateCallback("ask", nullptr, nullptr));
}

TEST_CASE("default streams and those that end with their context are told of too") {
  Log log;
  REQUIRE_ACL(aclrtRegStreamStateCallback("log", note_stream, &log));
  aclrtStream own = nullptr;
  {
    const Device device;
    REQUIRE(log.streams.size() == 1);
    CHECK(log.streams[0].first == default_stream());
    const Context context;
    CHECK(log.streams.size() == 2);
    CHECK(log.streams[1].first == default_stream());
    REQUIRE_ACL(aclrtCreateStream(&own));
  }
  CHECK(log.streams.size() == 6);
  int gone = 0;
  for (const auto& [stream, state] : log.streams) gone += state == ACL_RT_STREAM_STATE_DESTROY_PRE;
  CHECK(gone == 3);
  REQUIRE_ACL(aclrtRegStreamStateCallback("log", nullptr, nullptr));
}

TEST_CASE("a stream that two threads destroy is told of once") {
  const Device device;
  const aclrtContext context = current_context();
  Log log;
  REQUIRE_ACL(aclrtRegStreamStateCallback("log", note_stream, &log));
  for (int round = 0; round < 50; ++round) {
    aclrtStream stream = nullptr;
    REQUIRE_ACL(aclrtCreateStream(&stream));
    std::atomic<int> destroyed{0};
    in_threads(2, [&](int) {
      aclrtSetCurrentContext(context);
      if (aclrtDestroyStream(stream) == ACL_SUCCESS) ++destroyed;
    });
    CHECK(destroyed == 1);
  }
  CHECK(log.streams.size() == 100);
  REQUIRE_ACL(aclrtRegStreamStateCallback("log", nullptr, nullptr));
}

// ---- devices
// ---------------------------------------------------------------------------------------

TEST_CASE("each call that sets or resets a device is told of, before and after") {
  Log log;
  REQUIRE_ACL(aclrtRegDeviceStateCallback("log", note_device, &log));
  REQUIRE_ACL(aclrtSetDevice(2));
  REQUIRE_ACL(aclrtSetDevice(2));
  REQUIRE_ACL(aclrtResetDevice(2));
  REQUIRE_ACL(aclrtResetDeviceForce(2));
  const std::vector<std::pair<int, int>> expected = {
      {2, ACL_RT_DEVICE_STATE_SET_PRE},   {2, ACL_RT_DEVICE_STATE_SET_POST},
      {2, ACL_RT_DEVICE_STATE_SET_PRE},   {2, ACL_RT_DEVICE_STATE_SET_POST},
      {2, ACL_RT_DEVICE_STATE_RESET_PRE}, {2, ACL_RT_DEVICE_STATE_RESET_POST},
      {2, ACL_RT_DEVICE_STATE_RESET_PRE}, {2, ACL_RT_DEVICE_STATE_RESET_POST}};
  CHECK(log.devices == expected);
  log.devices.clear();
  CHECK_CODE(aclrtSetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK_CODE(aclrtResetDevice(99), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK(log.devices.empty());
  CHECK_CODE(aclrtResetDevice(2), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
  CHECK(log.devices == std::vector<std::pair<int, int>>{{2, ACL_RT_DEVICE_STATE_RESET_PRE}});
  REQUIRE_ACL(aclrtRegDeviceStateCallback("log", nullptr, nullptr));
}

// ---- names
// -----------------------------------------------------------------------------------------

TEST_CASE("callbacks with different names are all called, in the order of their registration") {
  static std::string order;
  order.clear();
  const auto first = [](std::int32_t, aclrtDeviceState, void*) { order += 'a'; };
  const auto second = [](std::int32_t, aclrtDeviceState, void*) { order += 'b'; };
  REQUIRE_ACL(aclrtRegDeviceStateCallback("one", first, nullptr));
  REQUIRE_ACL(aclrtRegDeviceStateCallback("two", second, nullptr));
  { const Device device; }
  CHECK(order == "abababab");
  REQUIRE_ACL(aclrtRegDeviceStateCallback("one", nullptr, nullptr));
  { const Device device; }
  CHECK(order == "ababababbbbb");
}

TEST_CASE("a name holds one callback, and null takes it out once") {
  Log log;
  REQUIRE_ACL(aclrtRegStreamStateCallback("name", note_stream, &log));
  REQUIRE_ACL(aclrtRegDeviceStateCallback("name", note_device, &log));  // a list of its own
  CHECK_CODE(aclrtRegStreamStateCallback("name", note_stream, &log), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtRegDeviceStateCallback("name", note_device, &log), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtRegStreamStateCallback("name", nullptr, nullptr));
  REQUIRE_ACL(aclrtRegDeviceStateCallback("name", nullptr, nullptr));
  CHECK_CODE(aclrtRegStreamStateCallback("name", nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtRegDeviceStateCallback("name", nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtRegStreamStateCallback(nullptr, note_stream, &log), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtRegDeviceStateCallback(nullptr, note_device, &log), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a callback may take itself out") {
  static int calls = 0;
  calls = 0;
  REQUIRE_ACL(aclrtRegDeviceStateCallback(
      "once",
      [](std::int32_t, aclrtDeviceState, void*) {
        ++calls;
        aclrtRegDeviceStateCallback("once", nullptr, nullptr);
      },
      nullptr));
  { const Device device; }
  CHECK(calls == 1);
}
