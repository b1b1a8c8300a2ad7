// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/base/guard.h"

#include <new>

#include "acl/acl_sim.h"
#include "runtime/fabric/base/error.h"
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

int report(const char* function, int code, const char* text) noexcept {
  aclsimReportError(function, code, text);
  try {
    log(Level::error, fmt::format("{}: {} [{}]", function, text, code));
  } catch (...) {  // no memory for the line
  }
  return code;
}

}  // namespace

int report_current_exception(const char* function) noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return report(function, error.code(), error.what());
  } catch (const fabric::FabricError& error) {
    return report(function, code_of(error.status()), error.what());
  } catch (const std::bad_alloc&) {
    return report(function, ACLSHMEM_MALLOC_FAILED, "the host is out of memory");
  } catch (const std::exception& error) {
    return report(function, ACLSHMEM_INNER_ERROR, error.what());
  } catch (...) {
    return report(function, ACLSHMEM_INNER_ERROR, "an unknown exception");
  }
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
