// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_prof.h"
#include "acl/acl_rt.h"

#include "runtime/acl/unsupported.h"

template <>
constexpr aclprofSubscribeOpFlag acl::undefined_value<aclprofSubscribeOpFlag> = ACL_SUBSCRIBE_NONE;

// profiling
ACL_UNSUPPORTED(aclError, aclrtProfTrace, (void*, int32_t, aclrtStream), "profiling trace points");

// sessions
ACL_UNSUPPORTED(aclError, aclprofInit, (const char*, size_t), "profiling");
ACL_UNSUPPORTED(aclError, aclprofFinalize, (), "profiling");
ACL_UNSUPPORTED(aclError, aclprofStart, (const aclprofConfig*), "profiling");
ACL_UNSUPPORTED(aclprofConfig*, aclprofCreateConfig,
                (uint32_t*, uint32_t, aclprofAicoreMetrics, const aclprofAicoreEvents*, uint64_t),
                "profiling");
ACL_UNSUPPORTED(aclError, aclprofDestroyConfig, (const aclprofConfig*), "profiling");
ACL_UNSUPPORTED(aclError, aclprofStop, (const aclprofConfig*), "profiling");
ACL_UNSUPPORTED(aclError, aclprofSetConfig, (aclprofConfigType, const char*, size_t), "profiling");

// subscription of model operators
ACL_UNSUPPORTED(aclError, aclprofModelSubscribe, (uint32_t, const aclprofSubscribeConfig*),
                "profiling of model operators");
ACL_UNSUPPORTED(aclError, aclprofModelUnSubscribe, (uint32_t), "profiling of model operators");
ACL_UNSUPPORTED(aclprofSubscribeConfig*, aclprofCreateSubscribeConfig,
                (int8_t, aclprofAicoreMetrics, void*), "profiling of model operators");
ACL_UNSUPPORTED(aclError, aclprofDestroySubscribeConfig, (const aclprofSubscribeConfig*),
                "profiling of model operators");
ACL_UNSUPPORTED(aclError, aclprofGetOpDescSize, (size_t*), "profiling of model operators");
ACL_UNSUPPORTED(aclError, aclprofGetOpNum, (const void*, size_t, uint32_t*),
                "profiling of model operators");
ACL_UNSUPPORTED(aclError, aclprofGetOpTypeLen, (const void*, size_t, uint32_t, size_t*),
                "profiling of model operators");
ACL_UNSUPPORTED(aclError, aclprofGetOpType, (const void*, size_t, uint32_t, char*, size_t),
                "profiling of model operators");
ACL_UNSUPPORTED(aclError, aclprofGetOpNameLen, (const void*, size_t, uint32_t, size_t*),
                "profiling of model operators");
ACL_UNSUPPORTED(aclError, aclprofGetOpName, (const void*, size_t, uint32_t, char*, size_t),
                "profiling of model operators");
ACL_UNSUPPORTED(uint64_t, aclprofGetOpStart, (const void*, size_t, uint32_t),
                "profiling of model operators");
ACL_UNSUPPORTED(uint64_t, aclprofGetOpEnd, (const void*, size_t, uint32_t),
                "profiling of model operators");
ACL_UNSUPPORTED(uint64_t, aclprofGetOpDuration, (const void*, size_t, uint32_t),
                "profiling of model operators");
ACL_UNSUPPORTED(size_t, aclprofGetModelId, (const void*, size_t, uint32_t),
                "profiling of model operators");
ACL_UNSUPPORTED(aclprofSubscribeOpFlag, aclprofGetOpFlag, (const void*, size_t, uint32_t),
                "profiling of model operators");
ACL_UNSUPPORTED(const char*, aclprofGetOpAttriValue,
                (const void*, size_t, uint32_t, aclprofSubscribeOpAttri),
                "profiling of model operators");

// steps, stamps and ranges
ACL_UNSUPPORTED(aclError, aclprofGetStepTimestamp, (aclprofStepInfo*, aclprofStepTag, aclrtStream),
                "profiling");
ACL_UNSUPPORTED(aclprofStepInfo*, aclprofCreateStepInfo, (), "profiling");
ACL_UNSUPPORTED(void, aclprofDestroyStepInfo, (aclprofStepInfo*), "profiling");
ACL_UNSUPPORTED(void*, aclprofCreateStamp, (), "profiling marks");
ACL_UNSUPPORTED(void, aclprofDestroyStamp, (void*), "profiling marks");
ACL_UNSUPPORTED(aclError, aclprofPush, (void*), "profiling marks");
ACL_UNSUPPORTED(aclError, aclprofPop, (), "profiling marks");
ACL_UNSUPPORTED(aclError, aclprofRangeStart, (void*, uint32_t*), "profiling marks");
ACL_UNSUPPORTED(aclError, aclprofRangeStop, (uint32_t), "profiling marks");
ACL_UNSUPPORTED(aclError, aclprofSetStampTraceMessage, (void*, const char*, uint32_t),
                "profiling marks");
ACL_UNSUPPORTED(aclError, aclprofMark, (void*), "profiling marks");
ACL_UNSUPPORTED(aclError, aclprofMarkEx, (const char*, size_t, aclrtStream), "profiling marks");
ACL_UNSUPPORTED(uint64_t, aclprofStr2Id, (const char*), "profiling marks");
ACL_UNSUPPORTED(aclError, aclprofRangePushEx, (aclprofEventAttributes*), "profiling marks");
ACL_UNSUPPORTED(aclError, aclprofRangePop, (), "profiling marks");
