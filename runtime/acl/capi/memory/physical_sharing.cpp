// SPDX-License-Identifier: Apache-2.0
// Physical memory between processes: handles that can be passed on as bytes.
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/ipc/ipc_sharing.h"
#include "runtime/acl/memory/virtual_memory.h"

using namespace acl;

namespace {

void require_export_flags(std::uint64_t flags) {
  if (flags > ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION) {
    fail(ACL_ERROR_INVALID_PARAM, "flags is {:#x}; expected 0 or 1", flags);
  }
}

sim::IpcKey share(Runtime& runtime, void* handle, std::uint64_t flags) {
  require_input(handle, "handle");
  require_export_flags(flags);
  return runtime.section<VirtualMemory>().share(
      handle, flags == ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
}

void require_type(aclrtMemSharedHandleType type) {
  if (type != ACL_MEM_SHARE_HANDLE_TYPE_DEFAULT && type != ACL_MEM_SHARE_HANDLE_TYPE_FABRIC) {
    fail(ACL_ERROR_INVALID_PARAM, "shareType is {}; expected default (1) or fabric (2)",
         static_cast<int>(type));
  }
}

/// The key that `handle` points to.
sim::IpcKey key_at(const void* handle, aclrtMemSharedHandleType type) {
  require_input(handle, "shareableHandle");
  require_type(type);
  if (type == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC) {
    return ipc_key_of(IpcKind::physical, *static_cast<const aclrtMemFabricHandle*>(handle),
                      "shareableHandle");
  }
  return *static_cast<const std::uint64_t*>(handle);
}

void allow(Runtime& runtime, sim::IpcKey key, const std::int32_t* pids, std::size_t count) {
  require_input(pids, "pid");
  if (count == 0) fail(ACL_ERROR_INVALID_PARAM, "pidNum is 0");
  runtime.section<IpcSharing>().allow(key, pids, count, "shareableHandle");
}

}  // namespace

extern "C" {

aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle handle, aclrtMemHandleType handleType,
                                         uint64_t flags, uint64_t* shareableHandle) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint64_t& out = require_out(shareableHandle, "shareableHandle");
    out = 0;
    if (handleType != ACL_MEM_HANDLE_TYPE_NONE) {
      fail(ACL_ERROR_INVALID_PARAM, "handleType is {}; expected ACL_MEM_HANDLE_TYPE_NONE",
           static_cast<int>(handleType));
    }
    out = share(runtime, handle, flags);
  });
}

aclError aclrtMemExportToShareableHandleV2(aclrtDrvMemHandle handle, uint64_t flags,
                                           aclrtMemSharedHandleType shareType,
                                           void* shareableHandle) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(shareableHandle, "shareableHandle");
    require_type(shareType);
    const sim::IpcKey key = share(runtime, handle, flags);
    if (shareType == ACL_MEM_SHARE_HANDLE_TYPE_FABRIC) {
      *static_cast<aclrtMemFabricHandle*>(shareableHandle) = ipc_fabric_of(IpcKind::physical, key);
    } else {
      *static_cast<uint64_t*>(shareableHandle) = key;
    }
  });
}

aclError aclrtMemImportFromShareableHandle(uint64_t shareableHandle, int32_t deviceId,
                                           aclrtDrvMemHandle* handle) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtDrvMemHandle& out = require_out(handle, "handle");
    out = nullptr;
    const int device = runtime.physical(deviceId);
    out = runtime.section<VirtualMemory>().import(shareableHandle, device);
  });
}

aclError aclrtMemImportFromShareableHandleV2(void* shareableHandle,
                                             aclrtMemSharedHandleType shareType, uint64_t flags,
                                             aclrtDrvMemHandle* handle) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtDrvMemHandle& out = require_out(handle, "handle");
    out = nullptr;
    if (flags != 0) {
      fail(ACL_ERROR_INVALID_PARAM, "flags is {:#x}; it is reserved and must be 0", flags);
    }
    const sim::IpcKey key = key_at(shareableHandle, shareType);
    const int device = current_context(runtime).device();
    out = runtime.section<VirtualMemory>().import(key, device);
  });
}

aclError aclrtMemSetPidToShareableHandle(uint64_t shareableHandle, int32_t* pid, size_t pidNum) {
  return guarded(__func__, [&](Runtime& runtime) { allow(runtime, shareableHandle, pid, pidNum); });
}

aclError aclrtMemSetPidToShareableHandleV2(void* shareableHandle,
                                           aclrtMemSharedHandleType shareType, int32_t* pid,
                                           size_t pidNum) {
  return guarded(__func__, [&](Runtime& runtime) {
    allow(runtime, key_at(shareableHandle, shareType), pid, pidNum);
  });
}

}  // extern "C"
