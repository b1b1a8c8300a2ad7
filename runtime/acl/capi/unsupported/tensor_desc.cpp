// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_base_mdl.h"

#include "runtime/acl/capi/unsupported.h"

// tensor descriptions: what only operators and models use
ACL_UNSUPPORTED(aclError, aclSetTensorShapeRange, (aclTensorDesc*, size_t, int64_t (*)[2]),
                "tensor descriptions");
ACL_UNSUPPORTED(aclError, aclSetTensorValueRange, (aclTensorDesc*, size_t, int64_t (*)[2]),
                "tensor descriptions");
ACL_UNSUPPORTED(aclError, aclGetTensorDescDimRange,
                (const aclTensorDesc*, size_t, size_t, int64_t*), "tensor descriptions");
ACL_UNSUPPORTED(void, aclSetTensorDescName, (aclTensorDesc*, const char*), "tensor descriptions");
ACL_UNSUPPORTED(const char*, aclGetTensorDescName, (aclTensorDesc*), "tensor descriptions");
ACL_UNSUPPORTED(aclError, aclTransTensorDescFormat,
                (const aclTensorDesc*, aclFormat, aclTensorDesc**), "tensor descriptions");
ACL_UNSUPPORTED(aclError, aclSetTensorStorageFormat, (aclTensorDesc*, aclFormat),
                "tensor descriptions");
ACL_UNSUPPORTED(aclError, aclSetTensorStorageShape, (aclTensorDesc*, int, const int64_t*),
                "tensor descriptions");
ACL_UNSUPPORTED(aclError, aclSetTensorFormat, (aclTensorDesc*, aclFormat), "tensor descriptions");
ACL_UNSUPPORTED(aclError, aclSetTensorShape, (aclTensorDesc*, int, const int64_t*),
                "tensor descriptions");
ACL_UNSUPPORTED(aclError, aclSetTensorOriginFormat, (aclTensorDesc*, aclFormat),
                "tensor descriptions");
ACL_UNSUPPORTED(aclError, aclSetTensorOriginShape, (aclTensorDesc*, int, const int64_t*),
                "tensor descriptions");
ACL_UNSUPPORTED(aclTensorDesc*, aclGetTensorDescByIndex, (aclTensorDesc*, size_t),
                "tensor descriptions");
ACL_UNSUPPORTED(void*, aclGetTensorDescAddress, (const aclTensorDesc*), "tensor descriptions");
ACL_UNSUPPORTED(aclError, aclSetTensorDynamicInput, (aclTensorDesc*, const char*),
                "tensor descriptions");
ACL_UNSUPPORTED(aclError, aclSetTensorConst, (aclTensorDesc*, void*, size_t),
                "tensor descriptions");
ACL_UNSUPPORTED(aclError, aclSetTensorPlaceMent, (aclTensorDesc*, aclMemType),
                "tensor descriptions");
