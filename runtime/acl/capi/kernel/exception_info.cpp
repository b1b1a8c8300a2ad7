// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/kernel/exception_info.h"

#include "runtime/acl/capi/guard.h"
#include "runtime/acl/kernel/kernel_launch.h"

using namespace acl;

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

std::uint32_t field(const aclrtExceptionInfo* info, std::uint32_t aclrtExceptionInfo::*member) {
  const auto told = ToldFailure::find(info);
  return told ? told->info().*member : kNone;
}

ExceptionTable::Pin find(const aclrtExceptionInfo* info) {
  require_input(info, "info");
  auto told = ToldFailure::find(info);
  if (told) return told;
  fail(ACL_ERROR_INVALID_PARAM, "info is {}, which no exception callback that still runs was given",
       static_cast<const void*>(info));
}

}  // namespace

extern "C" {

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<ExceptionCallbacks>().set_slot(callback);
  });
}

aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<ExceptionCallbacks>().add(
        require_input(callback, "callback", ACL_ERROR_RT_PARAM_INVALID));
  });
}

aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback) {
  return guarded(__func__, [&](Runtime& runtime) {
    runtime.section<ExceptionCallbacks>().remove(
        require_input(callback, "callback", ACL_ERROR_RT_PARAM_INVALID));
  });
}

uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return field(info, &aclrtExceptionInfo::task_id);
}

uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return field(info, &aclrtExceptionInfo::stream_id);
}

uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return field(info, &aclrtExceptionInfo::thread_id);
}

uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return field(info, &aclrtExceptionInfo::device_id);
}

uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info) {
  return field(info, &aclrtExceptionInfo::error_code);
}

aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo* info, void** devArgsPtr,
                                       uint32_t* devArgsLen) {
  return guarded(__func__, [&](Runtime&) {
    void*& args = require_out(devArgsPtr, "devArgsPtr");
    uint32_t& length = require_out(devArgsLen, "devArgsLen");
    const auto told = find(info);
    const aclrtExceptionInfo& live = told->info();
    if (live.launch) {
      args = const_cast<void*>(live.launch->args());
      length = static_cast<uint32_t>(live.launch->args_size());
    } else {
      args = live.args.empty() ? nullptr : const_cast<unsigned char*>(live.args.data());
      length = static_cast<uint32_t>(live.args.size());
    }
  });
}

aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo* info,
                                             aclrtFuncHandle* func) {
  return guarded(__func__, [&](Runtime&) {
    aclrtFuncHandle& out = require_out(func, "func");
    out = nullptr;
    const auto told = find(info);
    if (!told->info().launch) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "the failed task was not launched by a function handle");
    }
    out = told->info().launch->function().handle();
  });
}

}  // extern "C"
