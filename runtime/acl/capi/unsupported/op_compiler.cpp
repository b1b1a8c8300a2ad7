// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_op_compiler.h"

#include "runtime/acl/capi/unsupported.h"

// operator compiler
ACL_UNSUPPORTED(aclError, aclopCompile,
                (const char*, int, const aclTensorDesc* const*, int, const aclTensorDesc* const*,
                 const aclopAttr*, aclopEngineType, aclopCompileType, const char*),
                "operator compiler");
ACL_UNSUPPORTED(aclError, aclopCompileAndExecute,
                (const char*, int, const aclTensorDesc* const*, const aclDataBuffer* const*, int,
                 const aclTensorDesc* const*, aclDataBuffer* const*, const aclopAttr*,
                 aclopEngineType, aclopCompileType, const char*, aclrtStream),
                "operator compiler");
ACL_UNSUPPORTED(aclError, aclopCompileAndExecuteV2,
                (const char*, int, aclTensorDesc**, aclDataBuffer**, int, aclTensorDesc**,
                 aclDataBuffer**, aclopAttr*, aclopEngineType, aclopCompileType, const char*,
                 aclrtStream),
                "operator compiler");
ACL_UNSUPPORTED(aclError, aclSetCompileopt, (aclCompileOpt, const char*), "operator compiler");
ACL_UNSUPPORTED(size_t, aclGetCompileoptSize, (aclCompileOpt), "operator compiler");
ACL_UNSUPPORTED(aclError, aclGetCompileopt, (aclCompileOpt, char*, size_t), "operator compiler");
ACL_UNSUPPORTED(aclError, aclopSetCompileFlag, (aclOpCompileFlag), "operator compiler");
ACL_UNSUPPORTED(aclError, aclGenGraphAndDumpForOp,
                (const char*, int, const aclTensorDesc* const*, const aclDataBuffer* const*, int,
                 const aclTensorDesc* const*, aclDataBuffer* const*, const aclopAttr*,
                 aclopEngineType, const char*, const aclGraphDumpOption*),
                "operator compiler");
ACL_UNSUPPORTED(aclGraphDumpOption*, aclCreateGraphDumpOpt, (), "operator compiler");
ACL_UNSUPPORTED(aclError, aclDestroyGraphDumpOpt, (const aclGraphDumpOption*), "operator compiler");
