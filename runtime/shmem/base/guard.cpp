// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/base/guard.h"

#include "acl/acl_sim.h"
#include "runtime/shmem/base/log.h"

namespace shmem {
namespace {

aclshmem_error_code_t code_of(fabric::Status status) noexcept {
  switch (status) {
    case fabric::Status::timed_out:
      return ACLSHMEM_TIMEOUT_ERROR;
    case fabric::Status::lost:
    case fabric::Status::closed:
      return ACLSHMEM_INNER_ERROR;
    case fabric::Status::refused:
    case fabric::Status::broken:
      return ACLSHMEM_BOOTSTRAP_ERROR;
    case fabric::Status::invalid:
      return ACLSHMEM_INVALID_VALUE;
  }
  return ACLSHMEM_INNER_ERROR;
}

}  // namespace

int report_current_exception(const char* function) noexcept {
  constexpr fabric::Codes<aclshmem_error_code_t> kCodes{code_of, ACLSHMEM_MALLOC_FAILED,
                                                        ACLSHMEM_INNER_ERROR};
  return fabric::report_exception(kCodes, [&](aclshmem_error_code_t code, const char* text) {
    aclsimReportError(function, code, text);
    try {
      log(Level::error, fmt::format("{}: {} [{}]", function, text, static_cast<int>(code)));
    } catch (...) {  // no memory for the log line
    }
    return code;
  });
}

int refuse_unsupported(const char* function, const char* feature) noexcept {
  aclsimRefuse(function, feature);
  try {
    log(Level::error, fmt::format("{} is not emulated: {}", function, feature));
  } catch (...) {
  }
  return ACLSHMEM_NOT_SUPPORTED;
}

}  // namespace shmem
