// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/ipc/ipc_key.h"
#include "runtime/acl/ipc/ipc_sharing.h"

using namespace acl;

extern "C" {

aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtIpcEventHandle& out = require_out(handle, "handle");
    const auto found = find_event(runtime, event);
    if (!found->ipc()) {
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "event has the flags {:#x}; expected one that was created with ACL_EVENT_IPC",
           found->flags());
    }
    const std::string text = found->ipc()->share(runtime.section<IpcSharing>(), runtime.driver());
    static_assert(sizeof out.reserved == kIpcKeyText - 1);
    std::memcpy(out.reserved, text.data(), sizeof out.reserved);
  });
}

aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent* event) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtEvent& out = require_out(event, "event");
    out = nullptr;
    Context& context = current_context(runtime);
    const std::string text(handle.reserved, sizeof handle.reserved);
    const sim::IpcKey key = ipc_key_of(IpcKind::event, text.c_str(), "handle");
    out =
        runtime.create_event(context, Event::Kind::ex, ACL_EVENT_IPC, sim::make_ref<IpcEvent>(key));
  });
}

}  // extern "C"
