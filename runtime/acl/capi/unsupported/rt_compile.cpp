// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt_compile.h"

#include "runtime/acl/capi/unsupported.h"

// compilation at run time
ACL_UNSUPPORTED(aclError, aclrtcCreateProg,
                (aclrtcProg*, const char*, const char*, int, const char**, const char**),
                "compilation of kernels at run time");
ACL_UNSUPPORTED(aclError, aclrtcDestroyProg, (aclrtcProg*), "compilation of kernels at run time");
ACL_UNSUPPORTED(aclError, aclrtcAddNameExpr, (aclrtcProg, const char*),
                "compilation of kernels at run time");
ACL_UNSUPPORTED(aclError, aclrtcCompileProg, (aclrtcProg, int, const char**),
                "compilation of kernels at run time");
ACL_UNSUPPORTED(aclError, aclrtcGetLoweredName, (aclrtcProg, const char*, const char**),
                "compilation of kernels at run time");
ACL_UNSUPPORTED(aclError, aclrtcGetBinDataSize, (aclrtcProg, size_t*),
                "compilation of kernels at run time");
ACL_UNSUPPORTED(aclError, aclrtcGetBinData, (aclrtcProg, char*),
                "compilation of kernels at run time");
ACL_UNSUPPORTED(aclError, aclrtcGetCompileLogSize, (aclrtcProg, size_t*),
                "compilation of kernels at run time");
ACL_UNSUPPORTED(aclError, aclrtcGetCompileLog, (aclrtcProg, char*),
                "compilation of kernels at run time");
