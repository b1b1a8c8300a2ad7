// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// notify
ACL_UNSUPPORTED(aclError, aclrtCreateNotify, (aclrtNotify*, uint64_t), "notifies");
ACL_UNSUPPORTED(aclError, aclrtDestroyNotify, (aclrtNotify), "notifies");
ACL_UNSUPPORTED(aclError, aclrtRecordNotify, (aclrtNotify, aclrtStream), "notifies");
ACL_UNSUPPORTED(aclError, aclrtWaitAndResetNotify, (aclrtNotify, aclrtStream, uint32_t),
                "notifies");
ACL_UNSUPPORTED(aclError, aclrtGetNotifyId, (aclrtNotify, uint32_t*), "notifies");
ACL_UNSUPPORTED(aclError, aclrtNotifyBatchReset, (aclrtNotify*, size_t), "notifies");
ACL_UNSUPPORTED(aclError, aclrtNotifyGetExportKey, (aclrtNotify, char*, size_t, uint64_t),
                "notifies shared between processes");
ACL_UNSUPPORTED(aclError, aclrtNotifyImportByKey, (aclrtNotify*, const char*, uint64_t),
                "notifies shared between processes");
ACL_UNSUPPORTED(aclError, aclrtNotifySetImportPid, (aclrtNotify, int32_t*, size_t),
                "notifies shared between processes");
ACL_UNSUPPORTED(aclError, aclrtNotifySetImportPidInterServer,
                (aclrtNotify, aclrtServerPid*, size_t), "notifies shared between processes");

// counting notify
ACL_UNSUPPORTED(aclError, aclrtCntNotifyCreate, (aclrtCntNotify*, uint64_t), "counting notifies");
ACL_UNSUPPORTED(aclError, aclrtCntNotifyDestroy, (aclrtCntNotify), "counting notifies");
ACL_UNSUPPORTED(aclError, aclrtCntNotifyRecord,
                (aclrtCntNotify, aclrtStream, aclrtCntNotifyRecordInfo*), "counting notifies");
ACL_UNSUPPORTED(aclError, aclrtCntNotifyWaitWithTimeout,
                (aclrtCntNotify, aclrtStream, aclrtCntNotifyWaitInfo*), "counting notifies");
ACL_UNSUPPORTED(aclError, aclrtCntNotifyReset, (aclrtCntNotify, aclrtStream), "counting notifies");
ACL_UNSUPPORTED(aclError, aclrtCntNotifyGetId, (aclrtCntNotify, uint32_t*), "counting notifies");

// value write and wait
ACL_UNSUPPORTED(aclError, aclrtValueWrite, (void*, uint64_t, uint32_t, aclrtStream),
                "value writes and waits");
ACL_UNSUPPORTED(aclError, aclrtValueWait, (void*, uint64_t, uint32_t, aclrtStream),
                "value writes and waits");
