// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "runtime/acl/capi/guard.h"
#include "runtime/acl/tensor/group_info.h"

using namespace acl;

namespace {

constexpr std::int32_t kGroups = 1;

struct GroupRow {
  aclrtGroupAttr attribute;
  std::int32_t (*answer)(const sim::SystemConfig& config);
};

constexpr GroupRow kGroupRows[] = {
    {ACL_GROUP_AICORE_INT, [](const sim::SystemConfig& config) { return config.ai_cores; }},
    {ACL_GROUP_AIV_INT, [](const sim::SystemConfig& config) { return config.vector_cores; }},
    {ACL_GROUP_AIC_INT, [](const sim::SystemConfig& config) { return config.ai_cores; }},
    {ACL_GROUP_SDMANUM_INT, [](const sim::SystemConfig&) { return 16; }},
    {ACL_GROUP_ASQNUM_INT,
     [](const sim::SystemConfig& config) { return config.streams_per_device; }},
    {ACL_GROUP_GROUPID_INT, [](const sim::SystemConfig&) { return 0; }},
};

std::int32_t attribute_of(const sim::SystemConfig& config, aclrtGroupAttr attribute) {
  for (const GroupRow& row : kGroupRows) {
    if (row.attribute == attribute) return row.answer(config);
  }
  fail(ACL_ERROR_INVALID_PARAM, "attr is {}, which is not an attribute of a group",
       static_cast<int>(attribute));
}

GroupInfos::Table::Pin find_info(Runtime& runtime, const aclrtGroupInfo* handle) {
  require_input(handle, "groupInfo");
  auto pin = runtime.section<GroupInfos>().table().find(handle);
  if (!pin) {
    fail_for_handle(handle, ACL_ERROR_RT_INVALID_HANDLE,
                    "groupInfo is {}, which is not a live group information",
                    static_cast<const void*>(handle));
  }
  return pin;
}

}  // namespace

extern "C" {

// The one group has all cores: to choose it changes nothing.
aclError aclrtSetGroup(int32_t groupId) {
  return guarded(__func__, [&](Runtime& runtime) {
    current_context(runtime);
    if (groupId < 0 || groupId >= kGroups) {
      fail(ACL_ERROR_RT_GROUP_NOT_CREATE, "groupId is {}; expected 0 to {}", groupId, kGroups - 1);
    }
  });
}

aclError aclrtGetGroupCount(uint32_t* count) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(count, "count");
    current_context(runtime);
    out = kGroups;
  });
}

aclrtGroupInfo* aclrtCreateGroupInfo() {
  void* handle = nullptr;
  guarded(__func__, [&](Runtime& runtime) {
    handle = runtime.section<GroupInfos>().table().add(sim::make_ref<GroupInfo>());
    if (!handle) fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the process has too many groups");
  });
  return static_cast<aclrtGroupInfo*>(handle);
}

aclError aclrtDestroyGroupInfo(aclrtGroupInfo* groupInfo) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = find_info(runtime, groupInfo);
    if (!runtime.section<GroupInfos>().table().remove(found)) {
      fail(ACL_ERROR_RT_INVALID_HANDLE, "groupInfo was destroyed by another thread");
    }
  });
}

aclError aclrtGetAllGroupInfo(aclrtGroupInfo* groupInfo) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = find_info(runtime, groupInfo);
    current_context(runtime);
    found->count = kGroups;
  });
}

aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo* groupInfo, int32_t groupIndex,
                                 aclrtGroupAttr attr, void* attrValue, size_t valueLen,
                                 size_t* paramRetSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(attrValue, "attrValue");
    size_t& size_out = require_out(paramRetSize, "paramRetSize");
    const auto found = find_info(runtime, groupInfo);
    const std::int32_t count = found->count;
    if (groupIndex < 0 || groupIndex >= count) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "groupIndex is {}, but groupInfo holds {} groups",
           groupIndex, count);
    }
    const std::int32_t value = attribute_of(runtime.config().system, attr);
    if (valueLen < sizeof value) {
      fail(ACL_ERROR_INVALID_PARAM, "valueLen is {}; expected {} or more", valueLen, sizeof value);
    }
    std::memcpy(attrValue, &value, sizeof value);
    size_out = sizeof value;
  });
}

}  // extern "C"
