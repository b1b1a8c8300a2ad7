// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

// copy
ACL_UNSUPPORTED(aclError, aclrtMemcpyAsyncWithCondition,
                (void*, size_t, const void*, size_t, aclrtMemcpyKind, aclrtStream),
                "copy with implicit wait for pageable memory");
ACL_UNSUPPORTED(aclError, aclrtMemcpy2d,
                (void*, size_t, const void*, size_t, size_t, size_t, aclrtMemcpyKind),
                "two-dimensional copy");
ACL_UNSUPPORTED(aclError, aclrtMemcpy2dAsync,
                (void*, size_t, const void*, size_t, size_t, size_t, aclrtMemcpyKind, aclrtStream),
                "two-dimensional copy");
ACL_UNSUPPORTED(aclError, aclrtGetMemcpyDescSize, (aclrtMemcpyKind, size_t*), "copy descriptors");
ACL_UNSUPPORTED(aclError, aclrtSetMemcpyDesc, (void*, aclrtMemcpyKind, void*, void*, size_t, void*),
                "copy descriptors");
ACL_UNSUPPORTED(aclError, aclrtMemcpyAsyncWithOffset,
                (void**, size_t, size_t, const void**, size_t, size_t, aclrtMemcpyKind,
                 aclrtStream),
                "copy through address tables");
ACL_UNSUPPORTED(aclError, aclrtMemcpyAsyncWithDesc, (void*, aclrtMemcpyKind, aclrtStream),
                "copy descriptors");
ACL_UNSUPPORTED(aclError, aclrtMemcpyBatch,
                (void**, size_t*, void**, size_t*, size_t, aclrtMemcpyBatchAttr*, size_t*, size_t,
                 size_t*),
                "batched copies");
ACL_UNSUPPORTED(aclError, aclrtMemcpyBatchV2,
                (void**, size_t*, void**, size_t*, size_t, aclrtMemcpyBatchAttr*, size_t*, size_t),
                "batched copies");
ACL_UNSUPPORTED(aclError, aclrtMemcpyBatchAsync,
                (void**, size_t*, void**, size_t*, size_t, aclrtMemcpyBatchAttr*, size_t*, size_t,
                 size_t*, aclrtStream),
                "batched copies");
ACL_UNSUPPORTED(aclError, aclrtMemcpyBatchAsyncV2,
                (void**, size_t*, void**, size_t*, size_t, aclrtMemcpyBatchAttr*, size_t*, size_t,
                 aclrtStream),
                "batched copies");

// fill
ACL_UNSUPPORTED(aclError, aclrtMemsetD32, (void*, size_t, uint32_t, size_t),
                "fill with 32-bit values");
ACL_UNSUPPORTED(aclError, aclrtMemsetD32Async, (void*, size_t, uint32_t, size_t, aclrtStream),
                "fill with 32-bit values");

// device symbols
ACL_UNSUPPORTED(aclError, aclrtGetSymbolAddress, (const void*, void**), "device symbols");
ACL_UNSUPPORTED(aclError, aclrtGetSymbolSize, (const void*, size_t*), "device symbols");
ACL_UNSUPPORTED(aclError, aclrtMemcpyFromSymbol,
                (void*, size_t, const void*, size_t, size_t, aclrtMemcpyKind), "device symbols");
ACL_UNSUPPORTED(aclError, aclrtMemcpyFromSymbolAsync,
                (void*, size_t, const void*, size_t, size_t, aclrtMemcpyKind, aclrtStream),
                "device symbols");
ACL_UNSUPPORTED(aclError, aclrtMemcpyToSymbol,
                (const void*, const void*, size_t, size_t, aclrtMemcpyKind), "device symbols");
ACL_UNSUPPORTED(aclError, aclrtMemcpyToSymbolAsync,
                (const void*, const void*, size_t, size_t, aclrtMemcpyKind, aclrtStream),
                "device symbols");
