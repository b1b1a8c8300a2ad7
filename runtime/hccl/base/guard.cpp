// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/base/guard.h"

#include <new>

#include "acl/acl_sim.h"
#include "runtime/fabric/base/error.h"
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

HcclResult report(const char* function, HcclResult code, const char* text) noexcept {
  aclsimReportError(function, code, text);
  return code;
}

}  // namespace

HcclResult report_current_exception(const char* function) noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return report(function, error.code(), error.what());
  } catch (const fabric::FabricError& error) {
    return report(function, code_of(error.status()), error.what());
  } catch (const std::bad_alloc&) {
    return report(function, HCCL_E_OOM, "the host is out of memory");
  } catch (const std::exception& error) {
    return report(function, HCCL_E_INTERNAL, error.what());
  } catch (...) {
    return report(function, HCCL_E_INTERNAL, "an unknown exception");
  }
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

}  // namespace hccl
