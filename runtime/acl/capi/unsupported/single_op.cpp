// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_op.h"

#include "runtime/acl/capi/unsupported.h"

// single operators
ACL_UNSUPPORTED(aclError, aclopSetModelDir, (const char*), "single operators");
ACL_UNSUPPORTED(aclError, aclopLoad, (const void*, size_t), "single operators");
ACL_UNSUPPORTED(aclopAttr*, aclopCreateAttr, (), "single operators");
ACL_UNSUPPORTED(void, aclopDestroyAttr, (const aclopAttr*), "single operators");
ACL_UNSUPPORTED(aclError, aclopSetAttrBool, (aclopAttr*, const char*, uint8_t), "single operators");
ACL_UNSUPPORTED(aclError, aclopSetAttrInt, (aclopAttr*, const char*, int64_t), "single operators");
ACL_UNSUPPORTED(aclError, aclopSetAttrFloat, (aclopAttr*, const char*, float), "single operators");
ACL_UNSUPPORTED(aclError, aclopSetAttrString, (aclopAttr*, const char*, const char*),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopSetAttrDataType, (aclopAttr*, const char*, aclDataType),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopSetAttrListDataType,
                (aclopAttr*, const char*, int, const aclDataType*), "single operators");
ACL_UNSUPPORTED(aclError, aclopSetAttrListBool, (aclopAttr*, const char*, int, const uint8_t*),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopSetAttrListInt, (aclopAttr*, const char*, int, const int64_t*),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopSetAttrListFloat, (aclopAttr*, const char*, int, const float*),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopSetAttrListString, (aclopAttr*, const char*, int, const char**),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopSetAttrListListInt,
                (aclopAttr*, const char*, int, const int*, const int64_t* const*),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopExecute,
                (const char*, int, const aclTensorDesc* const*, const aclDataBuffer* const*, int,
                 const aclTensorDesc* const*, aclDataBuffer* const*, const aclopAttr*, aclrtStream),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopExecuteV2,
                (const char*, int, aclTensorDesc**, aclDataBuffer**, int, aclTensorDesc**,
                 aclDataBuffer**, aclopAttr*, aclrtStream),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopCreateHandle,
                (const char*, int, const aclTensorDesc* const*, int, const aclTensorDesc* const*,
                 const aclopAttr*, aclopHandle**),
                "single operators");
ACL_UNSUPPORTED(void, aclopDestroyHandle, (aclopHandle*), "single operators");
ACL_UNSUPPORTED(aclError, aclopExecWithHandle,
                (aclopHandle*, int, const aclDataBuffer* const*, int, aclDataBuffer* const*,
                 aclrtStream),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopCast,
                (const aclTensorDesc*, const aclDataBuffer*, const aclTensorDesc*, aclDataBuffer*,
                 uint8_t, aclrtStream),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopCreateHandleForCast,
                (aclTensorDesc*, aclTensorDesc*, uint8_t, aclopHandle**), "single operators");
ACL_UNSUPPORTED(aclError, aclopCreateKernel,
                (const char*, const char*, const char*, void*, int, aclopEngineType,
                 aclDataDeallocator),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopRegisterCompileFunc, (const char*, aclopCompileFunc),
                "operator compiler");
ACL_UNSUPPORTED(aclError, aclopUnregisterCompileFunc, (const char*), "operator compiler");
ACL_UNSUPPORTED(aclError, aclopSetKernelArgs,
                (aclopKernelDesc*, const char*, uint32_t, const void*, uint32_t),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopSetKernelWorkspaceSizes, (aclopKernelDesc*, int, size_t*),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopUpdateParams,
                (const char*, int, const aclTensorDesc* const*, int, const aclTensorDesc* const*,
                 const aclopAttr*),
                "single operators");
ACL_UNSUPPORTED(aclError, aclopSetMaxOpQueueNum, (uint64_t), "single operators");
ACL_UNSUPPORTED(aclError, aclopInferShape,
                (const char*, int, aclTensorDesc**, aclDataBuffer**, int, aclTensorDesc**,
                 aclopAttr*),
                "single operators");
