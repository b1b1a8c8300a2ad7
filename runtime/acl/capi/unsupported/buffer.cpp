// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// chained buffers
ACL_UNSUPPORTED(aclError, aclrtGetBufFromChain, (aclrtMbuf, uint32_t, aclrtMbuf*),
                "chained buffers");
ACL_UNSUPPORTED(aclError, aclrtGetBufChainNum, (aclrtMbuf, uint32_t*), "chained buffers");
ACL_UNSUPPORTED(aclError, aclrtAppendBufChain, (aclrtMbuf, aclrtMbuf), "chained buffers");
ACL_UNSUPPORTED(aclError, aclrtCopyBufRef, (const aclrtMbuf, aclrtMbuf*), "chained buffers");
ACL_UNSUPPORTED(aclError, aclrtGetBufUserData, (const aclrtMbuf, void*, size_t, size_t),
                "chained buffers");
ACL_UNSUPPORTED(aclError, aclrtSetBufUserData, (aclrtMbuf, const void*, size_t, size_t),
                "chained buffers");
ACL_UNSUPPORTED(aclError, aclrtGetBufData, (const aclrtMbuf, void**, size_t*), "chained buffers");
ACL_UNSUPPORTED(aclError, aclrtGetBufDataLen, (aclrtMbuf, size_t*), "chained buffers");
ACL_UNSUPPORTED(aclError, aclrtSetBufDataLen, (aclrtMbuf, size_t), "chained buffers");
ACL_UNSUPPORTED(aclError, aclrtFreeBuf, (aclrtMbuf), "chained buffers");
ACL_UNSUPPORTED(aclError, aclrtAllocBuf, (aclrtMbuf*, size_t), "chained buffers");
