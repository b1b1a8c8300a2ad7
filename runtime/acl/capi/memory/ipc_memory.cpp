// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/ipc_memory.h"

#include <cstring>

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/ipc/ipc_sharing.h"

using namespace acl;

namespace {

sim::IpcKey key_of(const char* key) {
  return ipc_key_of(IpcKind::memory, require_input(key, "key"), "key");
}

void allow(Runtime& runtime, const char* key, const std::int32_t* pids, std::size_t count) {
  require_input(pids, "pid");
  if (count == 0) fail(ACL_ERROR_RT_PARAM_INVALID, "num is 0");
  runtime.section<IpcSharing>().allow(key_of(key), pids, count, "key");
}

}  // namespace

extern "C" {

aclError aclrtIpcMemGetExportKey(void* devPtr, size_t size, char* key, size_t len, uint64_t flags) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(devPtr, "devPtr");
    require_out(key, "key");
    if (size == 0) fail(ACL_ERROR_RT_PARAM_INVALID, "size is 0");
    if (len < kIpcKeyText) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "len is {}; expected at least {}", len, kIpcKeyText);
    }
    if (flags > ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "flags is {:#x}; expected 0 or 1", flags);
    }
    const std::string text = runtime.section<IpcMemory>().share(
        devPtr, size, flags == ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION);
    std::memcpy(key, text.c_str(), kIpcKeyText);
  });
}

aclError aclrtIpcMemSetImportPid(const char* key, int32_t* pid, size_t num) {
  return guarded(__func__, [&](Runtime& runtime) { allow(runtime, key, pid, num); });
}

aclError aclrtIpcMemImportPidInterServer(const char* key, aclrtServerPid* serverPids, size_t num) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(key, "key");
    require_input(serverPids, "serverPids");
    if (num == 0) fail(ACL_ERROR_RT_PARAM_INVALID, "num is 0");
    // Every server is this host: which one a process says it runs on makes no difference.
    for (size_t i = 0; i < num; ++i) allow(runtime, key, serverPids[i].pid, serverPids[i].num);
  });
}

aclError aclrtIpcMemImportByKey(void** devPtr, const char* key, uint64_t flags) {
  return guarded(__func__, [&, caller = __builtin_return_address(0)](Runtime& runtime) {
    void*& out = require_out(devPtr, "devPtr");
    out = nullptr;
    require_input(key, "key");
    if (flags > ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "flags is {:#x}; expected 0 or 1", flags);
    }
    out = runtime.section<IpcMemory>().import(
        key_of(key), flags == ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS, caller);
  });
}

aclError aclrtIpcMemClose(const char* key) {
  return guarded(__func__,
                 [&](Runtime& runtime) { runtime.section<IpcMemory>().close(key_of(key)); });
}

aclError aclrtIpcMemSetAttr(const char* key, aclrtIpcMemAttrType type, uint64_t attr) {
  return guarded(__func__, [&](Runtime& runtime) {
    const sim::IpcKey found = key_of(key);
    if (type != ACL_RT_IPC_MEM_ATTR_ACCESS_LINK) {
      fail(ACL_ERROR_INVALID_PARAM, "type is {}; expected ACL_RT_IPC_MEM_ATTR_ACCESS_LINK",
           static_cast<int>(type));
    }
    if (attr > ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_MULTI_PORT_PATH) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "attr is {}; expected 0 to 3", attr);
    }
    runtime.section<IpcMemory>().require_exported(found);
    if (attr >= ACL_RT_IPC_MEM_ATTR_ACCESS_LINK_UB_ONE_PORT_PATH) {
      fail(ACL_ERROR_RT_LINK_TYPE_NOT_SUPPORTED, "attr is {}; this machine has no UB links", attr);
    }
  });
}

}  // extern "C"
