// SPDX-License-Identifier: Apache-2.0
// acl_tdt_queue.h: attributes of queues.
#include <algorithm>

#include "device_sim/base/mutex.h"
#include "runtime/acl/capi/tensor/description.h"

using namespace acl;

namespace {

auto find_attributes(Runtime& runtime, const acltdtQueueAttr* attr) {
  return find_handle(descriptions(runtime).attributes, attr, "attr", "queue attributes");
}

void set_name(QueueAttributes& attributes, const char* name) {
  require_input(name, "the name that param points to");
  const std::size_t length = ::strnlen(name, QueueAttributes::kMaxName);
  if (length == QueueAttributes::kMaxName) {
    fail(ACL_ERROR_INVALID_PARAM, "the name is longer than {} characters",
         QueueAttributes::kMaxName - 1);
  }
  attributes.name = {};
  std::copy_n(name, length, attributes.name.begin());
}

void set_depth(QueueAttributes& attributes, std::uint32_t depth) {
  if (depth < QueueAttributes::kMinDepth || depth > QueueAttributes::kMaxDepth) {
    fail(ACL_ERROR_INVALID_PARAM, "the depth is {}; expected {} to {}", depth,
         QueueAttributes::kMinDepth, QueueAttributes::kMaxDepth);
  }
  attributes.depth = depth;
}

}  // namespace

extern "C" {

acltdtQueueAttr* acltdtCreateQueueAttr() {
  return create_description<acltdtQueueAttr>(__func__, &QueueDescriptions::attributes,
                                             QueueAttributes{}, "queue attributes");
}

aclError acltdtDestroyQueueAttr(const acltdtQueueAttr* attr) {
  return destroy_description(__func__, &QueueDescriptions::attributes, attr, "attr",
                             "queue attributes");
}

aclError acltdtSetQueueAttr(acltdtQueueAttr* attr, acltdtQueueAttrType type, size_t len,
                            const void* param) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = find_attributes(runtime, attr);
    require_input(param, "param");
    const sim::LockGuard guard(found->mutex);
    switch (static_cast<int>(type)) {
      case ACL_TDT_QUEUE_NAME_PTR:
        return set_name(found->value, param_in<const char*>(len, param));
      case ACL_TDT_QUEUE_DEPTH_UINT32:
        return set_depth(found->value, param_in<std::uint32_t>(len, param));
      default:
        refuse_type(type, ACL_TDT_QUEUE_DEPTH_UINT32);
    }
  });
}

aclError acltdtGetQueueAttr(const acltdtQueueAttr* attr, acltdtQueueAttrType type, size_t len,
                            size_t* paramRetSize, void* param) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& returned = require_out(paramRetSize, "paramRetSize");
    require_input(param, "param");
    const auto found = find_attributes(runtime, attr);
    const Described<QueueAttributes>& described = *found;
    const sim::LockGuard guard(described.mutex);
    const QueueAttributes& attributes = described.value;
    switch (static_cast<int>(type)) {
      case ACL_TDT_QUEUE_NAME_PTR:
        return param_out(len, returned, param, attributes.name.data());
      case ACL_TDT_QUEUE_DEPTH_UINT32:
        return param_out(len, returned, param, attributes.depth);
      default:
        refuse_type(type, ACL_TDT_QUEUE_DEPTH_UINT32);
    }
  });
}

}  // extern "C"
