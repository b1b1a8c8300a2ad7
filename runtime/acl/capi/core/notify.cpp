// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/core/notify.h"

#include <cstring>

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/ipc/ipc_sharing.h"

using namespace acl;

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

NotifyTable::Pin find_notify(Runtime& runtime, aclrtNotify handle) {
  return find_handle(runtime.section<Notifies>().table(), handle, "notify", "notify");
}

void require_create_flag(std::uint64_t flag) {
  if (flag > ACL_NOTIFY_DEVICE_USE_ONLY) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {:#x}; expected 0 or 1", flag);
  }
}

void* add_notify(Runtime& runtime, sim::Ref<Notify> notify) {
  void* const handle = runtime.section<Notifies>().table().add(std::move(notify));
  if (!handle) fail(ACL_ERROR_RT_NO_NOTIFY_RESOURCE, "the process has too many notifies");
  return handle;
}

}  // namespace

extern "C" {

aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t flag) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtNotify& out = require_out(notify, "notify");
    out = nullptr;
    require_create_flag(flag);
    out = add_notify(runtime, runtime.section<Notifies>().create(current_context(runtime)));
  });
}

aclError aclrtDestroyNotify(aclrtNotify notify) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = find_notify(runtime, notify);
    found->announce_end();
    end_handle(runtime.section<Notifies>().table(), found, "notify");
  });
}

aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(notify, "notify");
    Stream* const recording = own_stream(runtime, stream);
    find_notify(runtime, notify)->record(*recording);
  });
}

aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(notify, "notify");
    Stream* const waiting = own_stream(runtime, stream);
    const std::uint64_t limit = timeout == UINT32_MAX ? 0 : timeout * kSecond;
    find_notify(runtime, notify)->wait(*waiting, limit);
  });
}

aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint32_t& out = require_out(notifyId, "notifyId");
    out = find_notify(runtime, notify)->id();
  });
}

aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(notifies, "notifies");
    if (num == 0) fail(ACL_ERROR_RT_PARAM_INVALID, "num is 0");
    std::vector<NotifyTable::Pin> all;
    for (size_t i = 0; i < num; ++i) all.push_back(find_notify(runtime, notifies[i]));
    for (const auto& notify : all) notify->clear();
  });
}

aclError aclrtNotifyGetExportKey(aclrtNotify notify, char* key, size_t len, uint64_t flags) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_out(key, "key");
    const auto found = find_notify(runtime, notify);
    if (len < kIpcKeyText) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "len is {}; expected at least {}", len, kIpcKeyText);
    }
    if (flags != 0 && flags != ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "flags is {:#x}; expected 0 or 2", flags);
    }
    std::memcpy(key, found->share(flags != 0).c_str(), kIpcKeyText);
  });
}

aclError aclrtNotifySetImportPid(aclrtNotify notify, int32_t* pid, size_t num) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = find_notify(runtime, notify);
    require_input(pid, "pid");
    if (num == 0) fail(ACL_ERROR_RT_PARAM_INVALID, "num is 0");
    found->allow(pid, num);
  });
}

aclError aclrtNotifySetImportPidInterServer(aclrtNotify notify, aclrtServerPid* serverPids,
                                            size_t num) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found = find_notify(runtime, notify);
    require_input(serverPids, "serverPids");
    if (num == 0) fail(ACL_ERROR_RT_PARAM_INVALID, "num is 0");
    // Every server is this host: which one a process says it runs on makes no difference.
    for (size_t i = 0; i < num; ++i) found->allow(serverPids[i].pid, serverPids[i].num);
  });
}

aclError aclrtNotifyImportByKey(aclrtNotify* notify, const char* key, uint64_t flags) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtNotify& out = require_out(notify, "notify");
    out = nullptr;
    require_input(key, "key");
    if (flags != 0 && flags != ACL_RT_NOTIFY_IMPORT_FLAG_ENABLE_PEER_ACCESS) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "flags is {:#x}; expected 0 or 2", flags);
    }
    out =
        add_notify(runtime, runtime.section<Notifies>().import(
                                current_context(runtime), ipc_key_of(IpcKind::notify, key, "key")));
  });
}

}  // extern "C"
