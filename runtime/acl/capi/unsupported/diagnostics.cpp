// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// version
ACL_UNSUPPORTED(aclError, aclsysGetCANNVersion, (aclCANNPackageName, aclCANNPackageVersion*),
                "versions of installed packages");
ACL_UNSUPPORTED(aclError, aclsysGetVersionStr, (char*, char*), "versions of installed packages");
ACL_UNSUPPORTED(aclError, aclsysGetVersionNum, (char*, int32_t*), "versions of installed packages");

// errors and diagnostics
ACL_UNSUPPORTED(aclError, aclrtGetMemUceInfo, (int32_t, aclrtMemUceInfo*, size_t, size_t*),
                "repair of uncorrectable memory errors");
ACL_UNSUPPORTED(aclError, aclrtMemUceRepair, (int32_t, aclrtMemUceInfo*, size_t),
                "repair of uncorrectable memory errors");
ACL_UNSUPPORTED(aclError, aclrtGetErrorVerbose, (int32_t, aclrtErrorInfo*),
                "detailed fault report of a device");
ACL_UNSUPPORTED(aclError, aclrtRepairError, (int32_t, const aclrtErrorInfo*),
                "repair of device faults");

// exception callbacks
ACL_UNSUPPORTED(aclError, aclrtBinarySetExceptionCallback,
                (aclrtBinHandle, aclrtOpExceptionCallback, void*),
                "exception callback of one kernel binary");
