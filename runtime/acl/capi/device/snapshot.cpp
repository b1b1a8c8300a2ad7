// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/device/snapshot.h"

#include <unistd.h>

#include "runtime/acl/capi/guard.h"

using namespace acl;

namespace {

/// The calls on the process take its own id and nothing else, so far.
aclError on_process(const char* function, int pid, const void* reserved, const char* argument,
                    void (Snapshot::*action)()) {
  return guarded(function, [&](Runtime& runtime) {
    if (pid != getpid()) {
      fail(ACL_ERROR_INVALID_PARAM, "pid is {}; expected {}, this process", pid, getpid());
    }
    if (reserved) {
      fail(ACL_ERROR_INVALID_PARAM, "{} is not null; it is reserved and must be", argument);
    }
    (runtime.section<Snapshot>().*action)();
  });
}

}  // namespace

extern "C" {

aclError aclrtSnapShotProcessLock(int pid, void* reserve) {
  return on_process(__func__, pid, reserve, "reserve", &Snapshot::lock);
}

aclError aclrtSnapShotProcessUnlock(int pid, void* reserve) {
  return on_process(__func__, pid, reserve, "reserve", &Snapshot::unlock);
}

aclError aclrtSnapShotProcessBackup(int pid, aclrtSnapShotBackupArgs* args) {
  return on_process(__func__, pid, args, "args", &Snapshot::backup);
}

aclError aclrtSnapShotProcessRestore(int pid, aclrtSnapShotRestoreArgs* args) {
  return on_process(__func__, pid, args, "args", &Snapshot::restore);
}

aclError aclrtSnapShotCallbackRegister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback,
                                       void* args) {
  return guarded(__func__,
                 [&](Runtime& runtime) { runtime.section<Snapshot>().add(stage, callback, args); });
}

aclError aclrtSnapShotCallbackUnregister(aclrtSnapShotStage stage, aclrtSnapShotCallBack callback) {
  return guarded(__func__,
                 [&](Runtime& runtime) { runtime.section<Snapshot>().remove(stage, callback); });
}

}  // extern "C"
