// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// snapshot of a process
ACL_UNSUPPORTED(aclError, aclrtSnapShotProcessLock, (int, void*), "process snapshots");
ACL_UNSUPPORTED(aclError, aclrtSnapShotProcessUnlock, (int, void*), "process snapshots");
ACL_UNSUPPORTED(aclError, aclrtSnapShotProcessBackup, (int, aclrtSnapShotBackupArgs*),
                "process snapshots");
ACL_UNSUPPORTED(aclError, aclrtSnapShotProcessRestore, (int, aclrtSnapShotRestoreArgs*),
                "process snapshots");
ACL_UNSUPPORTED(aclError, aclrtSnapShotCallbackRegister,
                (aclrtSnapShotStage, aclrtSnapShotCallBack, void*), "process snapshots");
ACL_UNSUPPORTED(aclError, aclrtSnapShotCallbackUnregister,
                (aclrtSnapShotStage, aclrtSnapShotCallBack), "process snapshots");
