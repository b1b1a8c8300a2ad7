// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/error.h"

namespace acl {

aclError code_of(sim::Failure failure) noexcept {
  if (failure.error == sim::Error::kernel_failed) {
    return failure.detail > 0 ? failure.detail : ACL_ERROR_RT_VECTOR_CORE_EXCEPTION;
  }
  return code_of(failure.error);
}

aclError code_of(sim::Error error) noexcept {
  switch (error) {
    case sim::Error::none: return ACL_SUCCESS;
    case sim::Error::kernel_failed: return ACL_ERROR_RT_VECTOR_CORE_EXCEPTION;
    case sim::Error::host_call_failed: return ACL_ERROR_RT_INTERNAL_ERROR;
    case sim::Error::wait_timeout: return ACL_ERROR_RT_WAIT_TIMEOUT;
    case sim::Error::aborted: return ACL_ERROR_RT_STREAM_ABORT;
    case sim::Error::out_of_memory: return ACL_ERROR_RT_MEMORY_ALLOCATION;
    case sim::Error::invalid_argument: return ACL_ERROR_RT_PARAM_INVALID;
    case sim::Error::no_such_device: return ACL_ERROR_RT_INVALID_DEVICEID;
    case sim::Error::not_found: return ACL_ERROR_RT_PARAM_INVALID;
  }
  return ACL_ERROR_RT_INTERNAL_ERROR;
}

std::string text_of(sim::Failure failure) {
  if (failure.error == sim::Error::kernel_failed && failure.detail > 0) {
    return fmt::format("a kernel failed with device error {}", failure.detail);
  }
  return sim::describe(failure.error);
}

}  // namespace acl
