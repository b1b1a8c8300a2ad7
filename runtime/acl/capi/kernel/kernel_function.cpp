// SPDX-License-Identifier: Apache-2.0
// Queries about a kernel function and the chips that its binary supports.
#include <cstring>

#include "runtime/acl/capi/kernel/kernel_lookup.h"
#include "runtime/acl/device/device_info.h"
#include "runtime/acl/kernel/host_kernel.h"

using namespace acl;

namespace {

/// A chip's name without the number of its variant: "Ascend910B" of "Ascend910B1".
std::string_view family(std::string_view soc) {
  const auto last = soc.find_last_not_of("0123456789");
  const bool variant = last != std::string_view::npos && soc.substr(0, last + 1) != "Ascend";
  return variant ? soc.substr(0, last + 1) : soc;
}

}  // namespace

extern "C" {

aclError aclrtGetFunctionName(aclrtFuncHandle funcHandle, uint32_t maxLen, char* name) {
  return guarded(__func__, [&](Runtime& runtime) {
    char& out = require_out(name, "name");
    const auto function = find_function(runtime, funcHandle);
    const std::size_t needed = std::strlen(function->name()) + 1;
    if (maxLen < needed) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "maxLen is {}; expected {} or more", maxLen, needed);
    }
    std::memcpy(&out, function->name(), needed);
  });
}

aclError aclrtGetFunctionAddr(aclrtFuncHandle funcHandle, void** aicAddr, void** aivAddr) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& aic = require_out(aicAddr, "aicAddr");
    void*& aiv = require_out(aivAddr, "aivAddr");
    const auto function = find_function(runtime, funcHandle);
    const KernelCode& code = function->code();
    void* const entry = code.ascendc ? reinterpret_cast<void*>(code.ascendc->entry)
                                     : reinterpret_cast<void*>(code.function);
    const bool cubes = function->type() == ACL_KERNEL_TYPE_CUBE;
    aic = cubes || function->type() == ACL_KERNEL_TYPE_MIX ? entry : nullptr;
    aiv = cubes ? nullptr : entry;
  });
}

aclError aclrtGetFunctionSize(aclrtFuncHandle funcHandle, size_t* aicSize, size_t* aivSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& aic = require_out(aicSize, "aicSize");
    size_t& aiv = require_out(aivSize, "aivSize");
    const auto function = find_function(runtime, funcHandle);
    if (function->code().size == 0) {
      fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "the code size of the kernel '{}' is not known",
           function->name());
    }
    aic = 0;
    aiv = function->code().size;
  });
}

aclError aclrtGetFunctionAttribute(aclrtFuncHandle funcHandle, aclrtFuncAttribute attrType,
                                   int64_t* attrValue) {
  return guarded(__func__, [&](Runtime& runtime) {
    int64_t& out = require_out(attrValue, "attrValue");
    const auto function = find_function(runtime, funcHandle);
    switch (attrType) {
      case ACL_FUNC_ATTR_KERNEL_TYPE:
        out = function->type();
        return;
      case ACL_FUNC_ATTR_KERNEL_RATIO:       // of kernels that use both kinds of cores
      case ACL_FUNC_ATTR_KERNEL_SCHED_MODE:  // the normal one
        out = 0;
        return;
    }
    fail(ACL_ERROR_RT_PARAM_INVALID, "attrType is {}, which is no attribute of a function",
         static_cast<int>(attrType));
  });
}

aclError aclrtFunctionGetBinary(const aclrtFuncHandle funcHandle, aclrtBinHandle* binHandle) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_handle_out(binHandle, "binHandle");
    const auto function = find_function(runtime, funcHandle);
    void* const handle = function->binary().handle();
    if (!handle) {
      fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
           "the kernel '{}' was found by its symbol: it belongs to the program, not to a binary",
           function->name());
    }
    out = handle;
  });
}

aclError aclrtFunctionGetParamCount(const void* func, size_t* paramCount) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& out = require_out(paramCount, "paramCount");
    out = find_function_or_symbol(runtime, func)->parameters().size();
  });
}

aclError aclrtFunctionGetParamInfo(const void* func, size_t paramIndex, size_t* paramOffset,
                                   size_t* paramSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& offset_out = require_out(paramOffset, "paramOffset");
    size_t& size_out = require_out(paramSize, "paramSize");
    const auto function = find_function_or_symbol(runtime, func);
    const std::vector<std::size_t>& sizes = function->parameters();
    if (paramIndex >= sizes.size()) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "paramIndex is {}; the kernel '{}' has {} parameters",
           paramIndex, function->name(), sizes.size());
    }
    std::size_t end = 0;
    for (std::size_t i = 0; i < paramIndex; ++i) end = parameter_offset(end, sizes[i]) + sizes[i];
    offset_out = parameter_offset(end, sizes[paramIndex]);
    size_out = sizes[paramIndex];
  });
}

aclError aclrtFunctionGetAvailDynUbufPerBlock(void* func, uint32_t flags, size_t* dynamicUbufSize) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& out = require_out(dynamicUbufSize, "dynamicUbufSize");
    const auto function = find_function_or_symbol(runtime, func);
    if (flags != 0) fail(ACL_ERROR_RT_PARAM_INVALID, "flags is {:#x}; expected 0", flags);
    // A host function uses none of it before it starts.
    out = static_cast<size_t>(device_info(runtime, 0, ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE));
  });
}

aclError aclrtCheckArchCompatibility(const char* socVersion, int32_t* canCompatible) {
  return guarded(__func__, [&](Runtime& runtime) {
    int32_t& out = require_out(canCompatible, "canCompatible");
    require_input(socVersion, "socVersion");
    out = family(socVersion) == family(runtime.config().system.soc_name) ? 1 : 0;
  });
}

}  // extern "C"
