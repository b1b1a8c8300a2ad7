// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_dump.h"
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// dump
ACL_UNSUPPORTED(aclError, aclmdlInitDump, (), "model dump");
ACL_UNSUPPORTED(aclError, aclmdlSetDump, (const char*), "model dump");
ACL_UNSUPPORTED(aclError, aclmdlFinalizeDump, (), "model dump");
ACL_UNSUPPORTED(aclError, acldumpRegCallback,
                (int32_t(*const)(const acldumpChunk*, int32_t), int32_t), "dump");
ACL_UNSUPPORTED(void, acldumpUnregCallback, (), "dump");
ACL_UNSUPPORTED(aclError, aclopStartDumpArgs, (uint32_t, const char*), "dump");
ACL_UNSUPPORTED(aclError, aclopStopDumpArgs, (uint32_t), "dump");
ACL_UNSUPPORTED(const char*, acldumpGetPath, (acldumpType), "dump");
ACL_UNSUPPORTED(aclError, acldumpSaveExceptionInfo,
                (const char*, const char*, const acldumpTensorInfo*, size_t), "dump");
ACL_UNSUPPORTED(aclError, acldumpGetExceptionInfoPath, (char*, size_t), "dump");
