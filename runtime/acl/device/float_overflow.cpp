// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/float_overflow.h"

#include <cstring>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

void* FloatOverflow::status(const Context& context) {
  const sim::LockGuard guard(mutex_);
  void*& status = status_[&context];
  if (!status) {
    sim::Memory& memory = runtime_.memory();
    status = memory.device(context.device()).allocate(kStatusSize, 512);
    std::memset(memory.engine(status), 0, kStatusSize);
  }
  return status;
}

void FloatOverflow::set_mode(int device, aclrtFloatOverflowMode mode) {
  if (mode != ACL_RT_OVERFLOW_MODE_SATURATION && mode != ACL_RT_OVERFLOW_MODE_INFNAN) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "mode is {}; expected ACL_RT_OVERFLOW_MODE_SATURATION or ACL_RT_OVERFLOW_MODE_INFNAN",
         static_cast<int>(mode));
  }
  const sim::LockGuard guard(mutex_);
  modes_[device] = mode;
}

aclrtFloatOverflowMode FloatOverflow::mode(int device) const {
  const sim::LockGuard guard(mutex_);
  const auto it = modes_.find(device);
  return it == modes_.end() ? ACL_RT_OVERFLOW_MODE_INFNAN : it->second;
}

void FloatOverflow::reset() {
  const sim::LockGuard guard(mutex_);
  modes_.clear();
}

void FloatOverflow::context_ends(const Context& context) {
  const sim::LockGuard guard(mutex_);
  const auto it = status_.find(&context);
  if (it == status_.end()) return;
  if (it->second) runtime_.memory().device(context.device()).free(it->second);
  status_.erase(it);
}

void FloatOverflow::device_ends(int device) {
  const sim::LockGuard guard(mutex_);
  modes_.erase(device);
}

}  // namespace acl
