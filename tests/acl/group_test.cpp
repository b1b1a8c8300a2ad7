// SPDX-License-Identifier: Apache-2.0
// Core groups: an emulated device has one with all its cores.
#include "tests/acl/world.h"

using namespace world;

namespace {

std::int32_t detail_of(const aclrtGroupInfo* info, aclrtGroupAttr attribute) {
  std::int32_t value = -1;
  std::size_t size = 0;
  REQUIRE_ACL(aclrtGetGroupInfoDetail(info, 0, attribute, &value, sizeof value, &size));
  CHECK(size == sizeof value);
  return value;
}

}  // namespace

TEST_CASE("the one group of a device has all its cores") {
  const Device device;
  std::uint32_t count = 0;
  REQUIRE_ACL(aclrtGetGroupCount(&count));
  CHECK(count == 1);
  aclrtGroupInfo* const info = aclrtCreateGroupInfo();
  REQUIRE(info != nullptr);
  CHECK(stats().otherHandles == 1);
  REQUIRE_ACL(aclrtGetAllGroupInfo(info));
  CHECK(detail_of(info, ACL_GROUP_AICORE_INT) == static_cast<std::int32_t>(machine().aiCores));
  CHECK(detail_of(info, ACL_GROUP_AIC_INT) == static_cast<std::int32_t>(machine().aiCores));
  CHECK(detail_of(info, ACL_GROUP_AIV_INT) == static_cast<std::int32_t>(machine().vectorCores));
  CHECK(detail_of(info, ACL_GROUP_SDMANUM_INT) > 0);
  CHECK(detail_of(info, ACL_GROUP_ASQNUM_INT) > 0);
  const std::int32_t id = detail_of(info, ACL_GROUP_GROUPID_INT);
  REQUIRE_ACL(aclrtSetGroup(id));
  REQUIRE_ACL(aclrtDestroyGroupInfo(info));
}

TEST_CASE("a group that does not exist cannot be chosen") {
  CHECK_CODE(aclrtSetGroup(0), ACL_ERROR_RT_CONTEXT_NULL);
  const Device device;
  for (const int bad : {-1, 1, 1000}) {
    CHECK_CODE(aclrtSetGroup(bad), ACL_ERROR_RT_GROUP_NOT_CREATE);
  }
}

TEST_CASE("group information is empty until it is asked for") {
  const Device device;
  aclrtGroupInfo* const info = aclrtCreateGroupInfo();
  std::int32_t value = -1;
  std::size_t size = 99;
  CHECK_CODE(aclrtGetGroupInfoDetail(info, 0, ACL_GROUP_AIC_INT, &value, sizeof value, &size),
             ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(aclrtGetAllGroupInfo(info));
  for (const int bad : {-1, 1}) {
    CHECK_CODE(aclrtGetGroupInfoDetail(info, bad, ACL_GROUP_AIC_INT, &value, sizeof value, &size),
               ACL_ERROR_RT_PARAM_INVALID);
  }
  for (const int bad : {-1, 6}) {
    CHECK_CODE(aclrtGetGroupInfoDetail(info, 0, static_cast<aclrtGroupAttr>(bad), &value,
                                       sizeof value, &size),
               ACL_ERROR_INVALID_PARAM);
  }
  for (const std::size_t bad : {std::size_t{0}, std::size_t{3}}) {
    CHECK_CODE(aclrtGetGroupInfoDetail(info, 0, ACL_GROUP_AIC_INT, &value, bad, &size),
               ACL_ERROR_INVALID_PARAM);
  }
  CHECK_CODE(aclrtGetGroupInfoDetail(info, 0, ACL_GROUP_AIC_INT, nullptr, 4, &size),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetGroupInfoDetail(info, 0, ACL_GROUP_AIC_INT, &value, 4, nullptr),
             ACL_ERROR_INVALID_PARAM);
  CHECK(value == -1);
  CHECK(size == 99);
  REQUIRE_ACL(aclrtDestroyGroupInfo(info));
}

TEST_CASE("group information that is null or was destroyed is refused") {
  std::uint32_t count = 0;
  CHECK_CODE(aclrtGetGroupCount(&count), ACL_ERROR_RT_CONTEXT_NULL);
  const Device device;
  std::int32_t value = 0;
  std::size_t size = 0;
  aclrtGroupInfo* const destroyed = aclrtCreateGroupInfo();
  REQUIRE_ACL(aclrtDestroyGroupInfo(destroyed));
  CHECK_CODE(aclrtDestroyGroupInfo(destroyed), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtGetAllGroupInfo(destroyed), ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtGetGroupInfoDetail(destroyed, 0, ACL_GROUP_AIC_INT, &value, 4, &size),
             ACL_ERROR_RT_INVALID_HANDLE);
  CHECK_CODE(aclrtDestroyGroupInfo(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetAllGroupInfo(nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetGroupInfoDetail(nullptr, 0, ACL_GROUP_AIC_INT, &value, 4, &size),
             ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(aclrtGetGroupCount(nullptr), ACL_ERROR_INVALID_PARAM);
}
