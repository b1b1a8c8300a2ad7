// SPDX-License-Identifier: Apache-2.0
#include "tests/acl/world.h"
#include "tests/support/child.h"
#include "tests/support/temp_dir.h"

using namespace world;

namespace {

int status_of(int from, int to) {
  std::int32_t status = -1;
  REQUIRE_ACL(aclrtDevicePeerAccessStatus(from, to, &status));
  return status;
}

void enable(const Context& context, int peer) {
  context.use();
  REQUIRE_ACL(aclrtDeviceEnablePeerAccess(peer, 0));
}

// Two devices with a number each.
struct Pair {
  explicit Pair(int a = 0, int b = 1)
      : first(a), first_value(sizeof(int)), second(b), second_value(sizeof(int)) {
    store(second_value, 200);
    first.use();
    store(first_value, 100);
  }
  void connect(int a = 0, int b = 1) {
    enable(second, a);
    enable(first, b);
  }
  Context first;
  DeviceMemory first_value;
  Context second;
  DeviceMemory second_value;
};

aclError copy_int(void* to, const void* from) {
  return aclrtMemcpy(to, 4, from, 4, ACL_MEMCPY_DEVICE_TO_DEVICE);
}

aclError copy_int_async(void* to, const void* from, aclrtStream stream) {
  return aclrtMemcpyAsync(to, 4, from, 4, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
}

}  // namespace

TEST_CASE("any two devices of the default machine can reach each other") {
  for (int a = 0; a < 8; ++a) {
    for (int b = 0; b < 8; ++b) {
      if (a == b) continue;
      std::int32_t can = -1;
      REQUIRE_ACL(aclrtDeviceCanAccessPeer(&can, a, b));
      CHECK(can == 1);
    }
  }
}

TEST_CASE("asking for peers is checked") {
  std::int32_t can = -1;
  CHECK_CODE(aclrtDeviceCanAccessPeer(nullptr, 0, 1), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtDeviceCanAccessPeer(&can, 2, 2), ACL_ERROR_INVALID_PARAM);
  for (const int bad : {-1, 8, 1000}) {
    CHECK_CODE(aclrtDeviceCanAccessPeer(&can, bad, 0), ACL_ERROR_RT_INVALID_DEVICEID);
    CHECK_CODE(aclrtDeviceCanAccessPeer(&can, 0, bad), ACL_ERROR_RT_INVALID_DEVICEID);
  }
}

TEST_CASE("enabling a peer is checked") {
  CHECK_CODE(aclrtDeviceEnablePeerAccess(1, 0), ACL_ERROR_RT_CONTEXT_NULL);
  CHECK_CODE(aclrtDeviceDisablePeerAccess(1), ACL_ERROR_RT_CONTEXT_NULL);
  const Device device(0);
  CHECK_CODE(aclrtDeviceEnablePeerAccess(0, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtDeviceEnablePeerAccess(1, 1), ACL_ERROR_FEATURE_UNSUPPORTED);
  CHECK_CODE(aclrtDeviceDisablePeerAccess(0), ACL_ERROR_INVALID_PARAM);
  for (const int bad : {-1, 8, 1000}) {
    CHECK_CODE(aclrtDeviceEnablePeerAccess(bad, 0), ACL_ERROR_RT_INVALID_DEVICEID);
  }
  CHECK_CODE(aclrtDeviceDisablePeerAccess(1), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}

TEST_CASE("access is enabled and disabled for every pair") {
  for (int a = 0; a < 8; ++a) {
    const Device device(a);
    for (int b = 0; b < 8; ++b) {
      if (a == b) continue;
      REQUIRE_ACL(aclrtDeviceEnablePeerAccess(b, 0));
      REQUIRE_ACL(aclrtDeviceDisablePeerAccess(b));
      CHECK_CODE(aclrtDeviceDisablePeerAccess(b), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    }
  }
}

TEST_CASE("access is open when both directions are") {
  const Context first(0);
  const Context second(1);
  CHECK(status_of(0, 1) == 0);
  enable(first, 1);
  CHECK(status_of(0, 1) == 0);
  CHECK(status_of(1, 0) == 0);
  enable(second, 0);
  CHECK(status_of(0, 1) == 1);
  CHECK(status_of(1, 0) == 1);
  CHECK(status_of(0, 2) == 0);
  first.use();
  REQUIRE_ACL(aclrtDeviceDisablePeerAccess(1));
  CHECK(status_of(0, 1) == 0);
  second.use();
  REQUIRE_ACL(aclrtDeviceDisablePeerAccess(0));
}

TEST_CASE("enabling counts") {
  const Pair pair;
  enable(pair.second, 0);
  enable(pair.first, 1);
  enable(pair.first, 1);
  REQUIRE_ACL(aclrtDeviceDisablePeerAccess(1));
  CHECK(status_of(0, 1) == 1);
  REQUIRE_ACL(aclrtDeviceDisablePeerAccess(1));
  CHECK(status_of(0, 1) == 0);
  CHECK_CODE(aclrtDeviceDisablePeerAccess(1), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}

TEST_CASE("the access status of devices that do not exist is no") {
  CHECK(status_of(0, 8) == 0);
  CHECK(status_of(-1, 0) == 0);
  CHECK(status_of(100, 200) == 0);
}

TEST_CASE("without access a copy between devices is refused") {
  const Pair pair;
  const Stream stream;
  const auto refused = [&] {
    CHECK_CODE(copy_int(pair.first_value, pair.second_value), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    CHECK_CODE(copy_int_async(pair.first_value, pair.second_value, stream),
               ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    CHECK_CODE(copy_int_async(pair.second_value, pair.first_value, stream),
               ACL_ERROR_RT_DRV_INTERNAL_ERROR);
    REQUIRE_ACL(aclrtSynchronizeStream(stream));
    CHECK(fetch<int>(pair.first_value) == 100);
  };
  refused();
  REQUIRE_ACL(aclrtDeviceEnablePeerAccess(1, 0));
  REQUIRE_ACL(aclrtDeviceDisablePeerAccess(1));
  refused();
  REQUIRE_ACL(aclrtDeviceEnablePeerAccess(1, 0));
  pair.second.use();
  REQUIRE_ACL(aclrtDeviceEnablePeerAccess(0, 0));
  pair.first.use();
  REQUIRE_ACL(copy_int(pair.first_value, pair.second_value));
  CHECK(fetch<int>(pair.first_value) == 200);
}

TEST_CASE("one direction of access, either of the two, is enough for copies both ways") {
  const Pair pair;
  const Context& opener = GENERATE(0, 1) == 0 ? pair.first : pair.second;
  enable(opener, &opener == &pair.first ? 1 : 0);
  CHECK(status_of(0, 1) == 0);  // both would be 1
  CHECK(status_of(1, 0) == 0);
  pair.first.use();
  const Stream stream;
  REQUIRE_ACL(copy_int(pair.first_value, pair.second_value));
  CHECK(fetch<int>(pair.first_value) == 200);
  store(pair.first_value, 300);
  REQUIRE_ACL(copy_int_async(pair.second_value, pair.first_value, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<int>(pair.second_value) == 300);
}

TEST_CASE("with access copies go both ways, from either device") {
  Pair pair;
  pair.connect();
  for (const bool second_is_current : {false, true}) {
    (second_is_current ? pair.second : pair.first).use();
    store(pair.first_value, 7);
    store(pair.second_value, 8);
    REQUIRE_ACL(copy_int(pair.second_value, pair.first_value));
    CHECK(fetch<int>(pair.second_value) == 7);
    store(pair.second_value, 9);
    REQUIRE_ACL(copy_int(pair.first_value, pair.second_value));
    CHECK(fetch<int>(pair.first_value) == 9);
  }
  pair.first.use();
}

TEST_CASE("every ordered pair of devices can copy, whatever the size") {
  constexpr int kDevices = 4;
  std::vector<std::unique_ptr<Context>> contexts;
  std::vector<DeviceMemory> memory;
  for (int d = 0; d < kDevices; ++d) {
    contexts.push_back(std::make_unique<Context>(d));
    memory.emplace_back(8192);
    for (int p = 0; p < kDevices; ++p) {
      if (p != d) REQUIRE_ACL(aclrtDeviceEnablePeerAccess(p, 0));
    }
  }
  for (const std::size_t size : {2048U, 4096U, 8192U}) {
    for (std::size_t a = 0; a < kDevices; ++a) {
      for (std::size_t b = 0; b < kDevices; ++b) {
        if (a == b) continue;
        const int value = static_cast<int>(10 * a + b);
        REQUIRE_ACL(aclrtMemset(memory[a], 8192, value, 8192));
        REQUIRE_ACL(aclrtMemset(memory[b], 8192, 0, 8192));
        REQUIRE_ACL(aclrtMemcpy(memory[b], size, memory[a], size, ACL_MEMCPY_DEVICE_TO_DEVICE));
        std::vector<char> bytes(8192);
        REQUIRE_ACL(aclrtMemcpy(bytes.data(), 8192, memory[b], 8192, ACL_MEMCPY_DEVICE_TO_HOST));
        CHECK(bytes[0] == static_cast<char>(value));
        CHECK(bytes[size - 1] == static_cast<char>(value));
        if (size < 8192) CHECK(bytes[size] == 0);
      }
    }
  }
}

TEST_CASE("copying nothing between devices needs no access") {
  const Pair pair;
  REQUIRE_ACL(aclrtMemcpy(pair.first_value, 4, pair.second_value, 0, ACL_MEMCPY_DEVICE_TO_DEVICE));
  CHECK(fetch<int>(pair.first_value) == 100);
}

TEST_CASE("a copy between devices takes its turn in its own stream only") {
  Pair pair;
  pair.connect();
  const Stream stream;
  pair.second.use();
  Stream busy;
  Gate gate;
  gate.hold(busy);
  pair.first.use();
  launch(stream, [value = pair.first_value.as<int>()] { *value = 55; });
  REQUIRE_ACL(copy_int_async(pair.second_value, pair.first_value, stream));
  REQUIRE_ACL(aclrtSynchronizeStream(stream));
  CHECK(fetch<int>(pair.second_value) == 55);
  CHECK(query(busy) == ACL_STREAM_STATUS_NOT_READY);
  pair.second.use();
  gate.open();
  REQUIRE_ACL(aclrtSynchronizeStream(busy));
  REQUIRE_ACL(aclrtDestroyStream(busy.release()));
  pair.first.use();
}

TEST_CASE("a copy between devices is checked") {
  Pair pair;
  pair.connect();
  CHECK_CODE(
      aclrtMemcpy(pair.first_value, 4096, pair.second_value, 4096, ACL_MEMCPY_DEVICE_TO_DEVICE),
      ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(aclrtMemcpy(pair.first_value, 3, pair.second_value, 4, ACL_MEMCPY_DEVICE_TO_DEVICE),
             ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(copy_int(pair.first_value, nullptr), ACL_ERROR_INVALID_PARAM);
  aclrtStream destroyed = nullptr;
  REQUIRE_ACL(aclrtCreateStream(&destroyed));
  REQUIRE_ACL(aclrtDestroyStream(destroyed));
  CHECK_CODE(copy_int_async(pair.first_value, pair.second_value, destroyed),
             ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_CASE("what one device wrote another reads after the event") {
  Pair pair;
  pair.connect();
  const Event event;
  pair.first.use();
  launch(nullptr, [value = pair.first_value.as<int>()] { *value = 77; });
  REQUIRE_ACL(aclrtRecordEvent(event, nullptr));
  pair.second.use();
  REQUIRE_ACL(aclrtStreamWaitEvent(nullptr, event));
  int seen = 0;
  launch(nullptr, [&seen, value = pair.first_value.as<int>()] { seen = *value; });
  REQUIRE_ACL(copy_int_async(pair.second_value, pair.first_value, nullptr));
  REQUIRE_ACL(aclrtSynchronizeStream(nullptr));
  CHECK(seen == 77);
  CHECK(fetch<int>(pair.second_value) == 77);
  pair.first.use();
}

TEST_CASE("the reset of a device ends its access") {
  const Device second(1);
  REQUIRE_ACL(aclrtDeviceEnablePeerAccess(0, 0));
  REQUIRE_ACL(aclrtSetDevice(0));
  REQUIRE_ACL(aclrtDeviceEnablePeerAccess(1, 0));
  CHECK(status_of(0, 1) == 1);
  REQUIRE_ACL(aclrtResetDevice(0));
  CHECK(status_of(0, 1) == 0);
  const Device first(0);
  CHECK_CODE(aclrtDeviceDisablePeerAccess(1), ACL_ERROR_RT_DRV_INTERNAL_ERROR);
}

// ---- another topology
// ----------------------------------------------------------------------------------

CHILD_PROGRAM(reach_in_two_groups) {
  for (int a = 0; a < 8; ++a) {
    for (int b = 0; b < 8; ++b) {
      if (a == b) continue;
      std::int32_t can = -1;
      CHILD_EXPECT_CODE(aclrtDeviceCanAccessPeer(&can, a, b), ACL_SUCCESS);
      CHILD_EXPECT(can == (a / 4 == b / 4 ? 1 : 0));
      std::uint32_t kind = 99;
      CHILD_EXPECT_CODE(aclsimGetLink(a, b, &kind), ACL_SUCCESS);
      CHILD_EXPECT((kind != 0) == (can != 0));
    }
  }
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtDeviceEnablePeerAccess(3, 0), ACL_SUCCESS);
  CHILD_EXPECT(aclrtDeviceEnablePeerAccess(4, 0) != ACL_SUCCESS);
  return 0;
}

TEST_CASE("in two groups devices reach their own group only") {
  const auto child = support::run_child("reach_in_two_groups", {{"ACLSIM_TOPOLOGY", "two-groups"}});
  INFO(child.output);
  CHECK(child.clean());
}

CHILD_PROGRAM(enable_more_than_two_peers) {
  CHILD_EXPECT_CODE(aclrtSetDevice(0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtDeviceEnablePeerAccess(2, 0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtDeviceEnablePeerAccess(2, 0), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtDeviceEnablePeerAccess(3, 0), ACL_ERROR_RT_RESOURCE_ALLOC_FAIL);
  CHILD_EXPECT_CODE(aclrtDeviceDisablePeerAccess(1), ACL_SUCCESS);
  CHILD_EXPECT_CODE(aclrtDeviceEnablePeerAccess(3, 0), ACL_SUCCESS);
  return 0;
}

TEST_CASE("a machine may limit the peers of a device") {
  const support::TempDir dir;
  const std::string file = dir.write("machine.toml", "[limits]\npeers = 2\n");
  const auto child = support::run_child("enable_more_than_two_peers", {{"ACLSIM_CONFIG", file}});
  INFO(child.output);
  CHECK(child.clean());
}
