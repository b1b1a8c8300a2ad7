// SPDX-License-Identifier: Apache-2.0
#include "tests/acl/world.h"

using namespace world;

namespace {

const aclrtAtomicOperation operations[] = {
    ACL_RT_ATOMIC_OPERATION_DMA_ADD, ACL_RT_ATOMIC_OPERATION_CAS, ACL_RT_ATOMIC_OPERATION_DMA_MAX};

}  // namespace

TEST_CASE("devices reduce while they copy to a peer, and have no other atomics there") {
  std::uint32_t found[3] = {9, 9, 9};
  REQUIRE_ACL(aclrtDeviceGetP2PAtomicCapabilities(found, operations, 3, 0, 1));
  for (const int reduction : {0, 2}) {
    CHECK((found[reduction] & ACL_RT_ATOMIC_CAPABILITY_REDUCTION) != 0);
    CHECK((found[reduction] & ACL_RT_ATOMIC_CAPABILITY_SCALAR32) != 0);
  }
  CHECK(found[1] == 0);
}

TEST_CASE("a device has no atomics on host memory") {
  std::uint32_t found[3] = {9, 9, 9};
  REQUIRE_ACL(aclrtDeviceGetHostAtomicCapabilities(found, operations, 3, 0));
  for (const std::uint32_t bits : found) CHECK(bits == 0);
}

TEST_CASE("atomic capabilities are asked with known operations of devices that exist") {
  std::uint32_t found[2] = {9, 9};
  const aclrtAtomicOperation unknown[] = {ACL_RT_ATOMIC_OPERATION_DMA_ADD,
                                          static_cast<aclrtAtomicOperation>(13)};
  CHECK_CODE(aclrtDeviceGetP2PAtomicCapabilities(nullptr, operations, 1, 0, 1),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtDeviceGetP2PAtomicCapabilities(found, nullptr, 1, 0, 1), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtDeviceGetP2PAtomicCapabilities(found, operations, 0, 0, 1),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtDeviceGetP2PAtomicCapabilities(found, unknown, 2, 0, 1), ACL_ERROR_INVALID_PARAM);
  CHECK(found[0] == 9);  // nothing is written by a call that fails
  CHECK_CODE(aclrtDeviceGetP2PAtomicCapabilities(found, operations, 1, 1, 1),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtDeviceGetP2PAtomicCapabilities(found, operations, 1, 8, 1),
             ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK_CODE(aclrtDeviceGetP2PAtomicCapabilities(found, operations, 1, 0, -1),
             ACL_ERROR_RT_INVALID_DEVICEID);
  CHECK_CODE(aclrtDeviceGetHostAtomicCapabilities(nullptr, operations, 1, 0),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtDeviceGetHostAtomicCapabilities(found, nullptr, 1, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtDeviceGetHostAtomicCapabilities(found, operations, 0, 0),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtDeviceGetHostAtomicCapabilities(found, unknown, 2, 0), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtDeviceGetHostAtomicCapabilities(found, operations, 1, 8),
             ACL_ERROR_RT_INVALID_DEVICEID);
}
