// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/base/guard.h"

#include <algorithm>
#include <string_view>

#include "acl/acl_sim.h"
#include "runtime/hccl/base/unsupported.h"

namespace hccl {
namespace {

HcclResult code_of(fabric::Status status) noexcept {
  switch (status) {
    case fabric::Status::timed_out:
      return HCCL_E_TIMEOUT;
    case fabric::Status::lost:
      return HCCL_E_REMOTE;
    case fabric::Status::refused:
      return HCCL_E_TCP_CONNECT;
    case fabric::Status::closed:
      return HCCL_E_TCP_TRANSFER;
    case fabric::Status::invalid:
      return HCCL_E_PARA;
    case fabric::Status::broken:
      return HCCL_E_INTERNAL;
  }
  return HCCL_E_INTERNAL;
}

}  // namespace

HcclResult report_current_exception(const char* function) noexcept {
  constexpr fabric::Codes<HcclResult> kCodes{code_of, HCCL_E_OOM, HCCL_E_INTERNAL};
  return fabric::report_exception(kCodes, [&](HcclResult code, const char* text) {
    aclsimReportError(function, code, text);
    return code;
  });
}

int require_device() {
  std::int32_t device = -1;
  if (aclrtGetDevice(&device) != ACL_SUCCESS) {
    fail(HCCL_E_RUNTIME, "this thread has no device; call aclrtSetDevice first");
  }
  return device;
}

HcclResult refuse_unsupported(const char* function, const char* feature) noexcept {
  aclsimRefuse(function, feature);
  return HCCL_E_NOT_SUPPORT;
}

HcclResult refuse_unsupported(const char* function, const char* feature, const char* names,
                              std::initializer_list<bool> given) noexcept {
  std::string_view rest = names;
  for (const bool each : given) {
    const std::string_view name = rest.substr(0, rest.find(','));
    if (!each) {
      return guarded(function, [&] { fail(HCCL_E_PTR, "{} is null", name); });
    }
    rest.remove_prefix(std::min(rest.size(), name.size() + 2));  // ", "
  }
  return refuse_unsupported(function, feature);
}

}  // namespace hccl
