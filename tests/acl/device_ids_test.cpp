// SPDX-License-Identifier: Apache-2.0
// The names of a device (ids, UUIDs, places on the bus), and the connection between two devices.
#include <set>

#include "tests/acl/world.h"
#include "tests/support/child.h"

using namespace world;

namespace {

std::string place_of(int device) {
  char text[32];
  REQUIRE_ACL(aclrtDeviceGetPCIBusId(device, text, sizeof text));
  return text;
}

using Translate = aclError (*)(const std::int32_t, std::int32_t* const);
const Translate translations[] = {aclrtGetLogicDevIdByUserDevId, aclrtGetUserDevIdByLogicDevId,
                                  aclrtGetLogicDevIdByPhyDevId,  aclrtGetPhyDevIdByLogicDevId,
                                  aclrtGetUserDevIdByPhyDevId,   aclrtGetPhyDevIdByUserDevId};

}  // namespace

// ---- ids
// -------------------------------------------------------------------------------------------

TEST_CASE("all ids of a device are the same while the process sees every device") {
  for (const Translate translate : translations) {
    for (const int device : {0, 3, 7}) {
      std::int32_t id = -1;
      REQUIRE_ACL(translate(device, &id));
      CHECK(id == device);
    }
    std::int32_t id = 5;
    CHECK_CODE(translate(0, nullptr), ACL_ERROR_INVALID_PARAM);
    CHECK_CODE(translate(-1, &id), ACL_ERROR_RT_INVALID_DEVICEID);
    CHECK_CODE(translate(8, &id), ACL_ERROR_RT_INVALID_DEVICEID);
    CHECK(id == 5);
  }
}

CHILD_PROGRAM(translate_ids_of_two_visible_devices) {
  std::int32_t id = -1;
  CHILD_EXPECT_CODE(aclrtGetPhyDevIdByUserDevId(1, &id), ACL_SUCCESS);
  CHILD_EXPECT(id == 6);
  CHILD_EXPECT_CODE(aclrtGetLogicDevIdByUserDevId(0, &id), ACL_SUCCESS);
  CHILD_EXPECT(id == 2);
  CHILD_EXPECT_CODE(aclrtGetUserDevIdByPhyDevId(2, &id), ACL_SUCCESS);
  CHILD_EXPECT(id == 0);
  CHILD_EXPECT_CODE(aclrtGetUserDevIdByLogicDevId(6, &id), ACL_SUCCESS);
  CHILD_EXPECT(id == 1);
  CHILD_EXPECT_CODE(aclrtGetPhyDevIdByLogicDevId(1, &id), ACL_SUCCESS);
  CHILD_EXPECT(id == 6);
  CHILD_EXPECT_CODE(aclrtGetLogicDevIdByPhyDevId(6, &id), ACL_SUCCESS);
  CHILD_EXPECT(id == 1);
  CHILD_EXPECT_CODE(aclrtGetPhyDevIdByLogicDevId(5, &id), ACL_ERROR_RT_INVALID_DEVICEID);
  CHILD_EXPECT_CODE(aclrtGetLogicDevIdByPhyDevId(5, &id), ACL_ERROR_RT_INVALID_DEVICEID);
  CHILD_EXPECT_CODE(aclrtGetUserDevIdByPhyDevId(5, &id), ACL_ERROR_RT_INVALID_DEVICEID);
  CHILD_EXPECT_CODE(aclrtGetPhyDevIdByUserDevId(2, &id), ACL_ERROR_RT_INVALID_DEVICEID);
  std::int32_t device = -1;
  CHILD_EXPECT_CODE(aclrtDeviceGetByPCIBusId("0000:07:00.0", &device), ACL_SUCCESS);
  CHILD_EXPECT(device == 1);
  CHILD_EXPECT_CODE(aclrtDeviceGetByPCIBusId("0000:01:00.0", &device),
                    ACL_ERROR_RT_INVALID_DEVICEID);
  return 0;
}

TEST_CASE("ids of the program follow the devices that it sees") {
  const auto child = support::run_child("translate_ids_of_two_visible_devices",
                                        {{"ASCEND_RT_VISIBLE_DEVICES", "2,6"}});
  INFO(child.output);
  CHECK(child.clean());
}

// ---- UUIDs
// -----------------------------------------------------------------------------------------

TEST_CASE("every device has a UUID of its own that stays") {
  std::set<std::string> seen;
  for (int device = 0; device < 8; ++device) {
    aclrtUuid uuid{};
    aclrtUuid again{};
    REQUIRE_ACL(aclrtDeviceGetUuid(device, &uuid));
    REQUIRE_ACL(aclrtDeviceGetUuid(device, &again));
    CHECK(std::memcmp(uuid.bytes, again.bytes, sizeof uuid.bytes) == 0);
    seen.emplace(uuid.bytes, sizeof uuid.bytes);
  }
  CHECK(seen.size() == 8);
  aclrtUuid uuid{};
  CHECK_CODE(aclrtDeviceGetUuid(0, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtDeviceGetUuid(8, &uuid), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK_CODE(aclrtDeviceGetUuid(-1, &uuid), ACL_ERROR_RT_INVALID_DEVICEID);
}

// ---- the bus
// ---------------------------------------------------------------------------------------

TEST_CASE("a device is found at its place on the bus") {
  std::set<std::string> places;
  for (int device = 0; device < 8; ++device) {
    const std::string place = place_of(device);
    places.insert(place);
    std::int32_t found = -1;
    REQUIRE_ACL(aclrtDeviceGetByPCIBusId(place.c_str(), &found));
    CHECK(found == device);
  }
  CHECK(places.size() == 8);
}

TEST_CASE("a place on the bus may leave out the domain or the function, and be in capitals") {
  REQUIRE(place_of(0) == "0000:01:00.0");
  for (const char* const place : {"01:00.0", "0000:01:00", "01:00", "1:0", "0:1:0.0"}) {
    CAPTURE(place);
    std::int32_t found = -1;
    REQUIRE_ACL(aclrtDeviceGetByPCIBusId(place, &found));
    CHECK(found == 0);
  }
}

TEST_CASE("a place that is malformed or empty of devices is refused") {
  std::int32_t found = -1;
  for (const char* const bad :
       {"", ":", "01", "0000:01:00.", "0000:01:00.0 ", "x:01:00.0", "0000:01:00.00",
        "00000:01:00.0", "0000:01:00:00.0", "01:00.0.0", "-1:00.0", "0000:01.0:00", "0000:01:"}) {
    CAPTURE(bad);
    CHECK_CODE(aclrtDeviceGetByPCIBusId(bad, &found), ACL_ERROR_RT_PARAM_INVALID);
  }
  for (const char* const nobody : {"0000:00:00.0", "0000:09:00.0", "0001:01:00.0", "0000:01:01.0",
                                   "0000:01:00.1", "ffff:ff:1f.7"}) {
    CAPTURE(nobody);
    CHECK_CODE(aclrtDeviceGetByPCIBusId(nobody, &found), ACL_ERROR_RT_INVALID_DEVICEID);
  }
  CHECK(found == -1);
  CHECK_CODE(aclrtDeviceGetByPCIBusId(nullptr, &found), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtDeviceGetByPCIBusId("01:00.0", nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("a place on the bus needs room for its text") {
  char text[14] = "xxxxxxxxxxxxx";
  for (const std::int32_t len : {0, -1, 12}) {
    CHECK_CODE(aclrtDeviceGetPCIBusId(0, text, len), ACL_ERROR_RT_PARAM_INVALID);
    CHECK(text[0] == 'x');
  }
  REQUIRE_ACL(aclrtDeviceGetPCIBusId(0, text, 13));
  CHECK(std::string(text).size() == 12);
  CHECK_CODE(aclrtDeviceGetPCIBusId(0, nullptr, 13), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtDeviceGetPCIBusId(8, text, 13), ACL_ERROR_RT_INVALID_DEVICEID);
}

// ---- topology
// --------------------------------------------------------------------------------------

TEST_CASE("one switch joins all devices of the default machine") {
  std::uint64_t link = 99;
  REQUIRE_ACL(aclrtGetDevicesTopo(0, 7, &link));
  CHECK(link == ACL_RT_DEVS_TOPOLOGY_HCCS);
  REQUIRE_ACL(aclrtGetDevicesTopo(3, 3, &link));
  CHECK(link == 0);
  CHECK_CODE(aclrtGetDevicesTopo(0, 1, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetDevicesTopo(8, 1, &link), ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK_CODE(aclrtGetDevicesTopo(0, 0xffffffffU, &link), ACL_ERROR_RT_INVALID_DEVICEID);
}

CHILD_PROGRAM(ask_for_the_links_of_two_groups) {
  std::uint64_t link = 99;
  CHILD_EXPECT_CODE(aclrtGetDevicesTopo(0, 3, &link), ACL_SUCCESS);
  CHILD_EXPECT(link == ACL_RT_DEVS_TOPOLOGY_PIX);
  CHILD_EXPECT_CODE(aclrtGetDevicesTopo(3, 4, &link), ACL_SUCCESS);
  CHILD_EXPECT(link == 0);
  std::uint32_t bits = 99;
  const aclrtAtomicOperation operation = ACL_RT_ATOMIC_OPERATION_DMA_ADD;
  CHILD_EXPECT_CODE(aclrtDeviceGetP2PAtomicCapabilities(&bits, &operation, 1, 0, 3), ACL_SUCCESS);
  CHILD_EXPECT(bits != 0);
  CHILD_EXPECT_CODE(aclrtDeviceGetP2PAtomicCapabilities(&bits, &operation, 1, 0, 4), ACL_SUCCESS);
  CHILD_EXPECT(bits == 0);
  return 0;
}

TEST_CASE("devices without a path between them have no link and no atomics") {
  const auto child =
      support::run_child("ask_for_the_links_of_two_groups", {{"ACLSIM_TOPOLOGY", "two-groups"}});
  INFO(child.output);
  CHECK(child.clean());
}
