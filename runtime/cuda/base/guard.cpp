// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/base/guard.h"

#include <new>
#include <system_error>

#include "acl/acl.h"
#include "acl/acl_sim.h"
#include "device_sim/base/error.h"

namespace cuda {
namespace {

CUresult report(const char* function, CUresult code, const char* text) noexcept {
  aclsimReportError(function, static_cast<int>(code), text);
  return code;
}

struct TranslationRow {
  int acl;
  CUresult cuda;
};

constexpr TranslationRow kTranslations[] = {
    {ACL_ERROR_INVALID_PARAM, CUDA_ERROR_INVALID_VALUE},
    {ACL_ERROR_RT_PARAM_INVALID, CUDA_ERROR_INVALID_VALUE},
    {ACL_ERROR_RT_INVALID_DEVICEID, CUDA_ERROR_INVALID_DEVICE},
    {ACL_ERROR_RT_CONTEXT_NULL, CUDA_ERROR_INVALID_CONTEXT},
    {ACL_ERROR_RT_INVALID_HANDLE, CUDA_ERROR_INVALID_HANDLE},
    {ACL_ERROR_RT_MEMORY_ALLOCATION, CUDA_ERROR_OUT_OF_MEMORY},
    {ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, CUDA_ERROR_OUT_OF_MEMORY},
    {ACL_ERROR_RT_FEATURE_NOT_SUPPORT, CUDA_ERROR_NOT_SUPPORTED},
};

}  // namespace

CUresult report_current_exception(const char* function) noexcept {
  try {
    throw;
  } catch (const Error& error) {
    return report(function, error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return report(function, CUDA_ERROR_OUT_OF_MEMORY, "the host is out of memory");
  } catch (const sim::MachineError& error) {
    return report(function, CUDA_ERROR_OUT_OF_MEMORY, error.what());
  } catch (const std::system_error& error) {
    return report(function, CUDA_ERROR_OPERATING_SYSTEM, error.what());
  } catch (const std::exception& error) {
    return report(function, CUDA_ERROR_UNKNOWN, error.what());
  } catch (...) {
    return report(function, CUDA_ERROR_UNKNOWN, "an unknown exception");
  }
}

void require_acl(int error, const char* what) {
  if (error == ACL_SUCCESS) return;
  CUresult code = CUDA_ERROR_LAUNCH_FAILED;
  for (const TranslationRow& row : kTranslations) {
    if (row.acl == error) code = row.cuda;
  }
  const char* const text = aclGetRecentErrMsg();
  fail(code, "{}: {}", what, text ? text : "no text");
}

}  // namespace cuda
