// SPDX-License-Identifier: Apache-2.0
// The vocabulary of the tests of queues and routes.
#pragma once

#include "acl/acl_tdt_queue.h"
#include "tests/acl/world.h"

namespace world {

/// A queue that lives as long as a scope, which must have a device set.
class Queue {
 public:
  explicit Queue(std::uint32_t depth = 2) {
    acltdtQueueAttr* const attr = acltdtCreateQueueAttr();
    REQUIRE_ACL(acltdtSetQueueAttr(attr, ACL_TDT_QUEUE_DEPTH_UINT32, sizeof depth, &depth));
    REQUIRE_ACL(acltdtCreateQueue(attr, &id_));
    REQUIRE_ACL(acltdtDestroyQueueAttr(attr));
  }
  ~Queue() {
    if (id_ != 0) acltdtDestroyQueue(id_);
  }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  operator std::uint32_t() const { return id_; }
  aclError destroy() { return acltdtDestroyQueue(std::exchange(id_, 0)); }

 private:
  std::uint32_t id_ = 0;
};

inline aclError put(std::uint32_t queue, std::int64_t number, std::int32_t timeout = 0) {
  return acltdtEnqueueData(queue, &number, sizeof number, nullptr, 0, timeout, 0);
}

/// The number that was taken out, or minus the code.
inline std::int64_t take(std::uint32_t queue, std::int32_t timeout = 0) {
  std::int64_t number = 0;
  std::size_t size = 0;
  const aclError code =
      acltdtDequeueData(queue, &number, sizeof number, &size, nullptr, 0, timeout);
  return code == ACL_SUCCESS ? number : -code;
}

inline constexpr std::int64_t kEmptyQueue = -ACL_ERROR_RT_QUEUE_EMPTY;
inline constexpr std::int64_t kNoQueue = -ACL_ERROR_RT_PARAM_INVALID;

}  // namespace world
