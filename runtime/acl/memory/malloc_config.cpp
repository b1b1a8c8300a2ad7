// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/malloc_config.h"

#include <climits>

#include "runtime/acl/base/error.h"

namespace acl {
namespace {

void apply(MallocConfig& out, const aclrtMallocAttribute& attribute, std::size_t index) {
  switch (attribute.attr) {
    case ACL_RT_MEM_ATTR_MODULE_ID:
      out.module = attribute.value.moduleId;
      return;
    case ACL_RT_MEM_ATTR_DEVICE_ID:
      if (attribute.value.deviceId > INT_MAX) {
        fail(ACL_ERROR_RT_INVALID_DEVICEID, "cfg->attrs[{}] names device {}", index,
             attribute.value.deviceId);
      }
      out.device = static_cast<int>(attribute.value.deviceId);
      return;
    case ACL_RT_MEM_ATTR_VA_FLAG:
      if (attribute.value.vaFlag > 1) {
        fail(ACL_ERROR_INVALID_PARAM, "cfg->attrs[{}] has the flag {}; expected 0 or 1", index,
             attribute.value.vaFlag);
      }
      return;
    default:
      fail(ACL_ERROR_INVALID_PARAM, "cfg->attrs[{}].attr is {}; expected {} to {}", index,
           static_cast<int>(attribute.attr), static_cast<int>(ACL_RT_MEM_ATTR_MODULE_ID),
           static_cast<int>(ACL_RT_MEM_ATTR_VA_FLAG));
  }
}

}  // namespace

MallocConfig MallocConfig::parse(const aclrtMallocConfig* config) {
  MallocConfig out;
  if (!config) return out;
  if (config->numAttrs != 0 && !config->attrs) {
    fail(ACL_ERROR_INVALID_PARAM, "cfg->attrs is null, but cfg->numAttrs is {}", config->numAttrs);
  }
  for (std::size_t i = 0; i < config->numAttrs; ++i) apply(out, config->attrs[i], i);
  return out;
}

}  // namespace acl
