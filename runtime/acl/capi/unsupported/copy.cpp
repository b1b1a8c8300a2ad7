// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/capi/unsupported.h"

// Symbols name variables inside device binaries, and kernels are host functions here: there is no
// device binary whose variables could be found.
ACL_UNSUPPORTED(aclError, aclrtGetSymbolAddress, (const void*, void**), "variables of device binaries");
ACL_UNSUPPORTED(aclError, aclrtGetSymbolSize, (const void*, size_t*), "variables of device binaries");
ACL_UNSUPPORTED(aclError, aclrtMemcpyFromSymbol,
                (void*, size_t, const void*, size_t, size_t, aclrtMemcpyKind), "variables of device binaries");
ACL_UNSUPPORTED(aclError, aclrtMemcpyFromSymbolAsync,
                (void*, size_t, const void*, size_t, size_t, aclrtMemcpyKind, aclrtStream),
                "variables of device binaries");
ACL_UNSUPPORTED(aclError, aclrtMemcpyToSymbol,
                (const void*, const void*, size_t, size_t, aclrtMemcpyKind), "variables of device binaries");
ACL_UNSUPPORTED(aclError, aclrtMemcpyToSymbolAsync,
                (const void*, const void*, size_t, size_t, aclrtMemcpyKind, aclrtStream),
                "variables of device binaries");
