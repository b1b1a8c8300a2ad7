/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks and ranges for timelines and profiles, and blocks of a program's own memory pools for the
 * order checker. The functions are inline and do nothing in a program without the runtime library;
 * libms_tools_ext.so has them too, for programs that look them up.
 *
 * A message has 1 to 255 bytes. A mark or range with a stream is also a task of the stream,
 * recorded when the stream runs it. Calls with a destroyed domain or another invalid handle do
 * nothing.
 */
#ifndef ACL_INCLUDE_MSTX_MS_TOOLS_EXT_H_
#define ACL_INCLUDE_MSTX_MS_TOOLS_EXT_H_

#include <stddef.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifndef MSTX_FUNCTION_
#define MSTX_FUNCTION_ static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define MSTX_TOOL_INVALID_ID 0x0

typedef uint64_t mstxRangeId;
typedef struct mstxDomainRegistration_st* mstxDomainHandle_t;
typedef struct mstxMemHeap_st* mstxMemHeapHandle_t;
typedef struct mstxMemRegion_st* mstxMemRegionHandle_t;

typedef enum mstxMemHeapUsageType {
  MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR = 0
} mstxMemHeapUsageType;
typedef enum mstxMemType { MSTX_MEM_TYPE_VIRTUAL_ADDRESS = 0 } mstxMemType;
typedef enum mstxMemRegionRefType {
  MSTX_MEM_REGION_REF_TYPE_POINTER = 0,
  MSTX_MEM_REGION_REF_TYPE_HANDLE = 1
} mstxMemRegionRefType;

typedef struct mstxMemVirtualRangeDesc_t {
  uint32_t deviceId;
  void const* ptr;
  uint64_t size;
} mstxMemVirtualRangeDesc_t;

typedef struct mstxMemHeapDesc_t {
  mstxMemHeapUsageType usage;
  mstxMemType type;
  void const* typeSpecificDesc; /* a mstxMemVirtualRangeDesc_t */
} mstxMemHeapDesc_t;

typedef struct mstxMemRegionsRegisterBatch_t {
  mstxMemHeapHandle_t heap;
  mstxMemType regionType;
  size_t regionCount;
  void const* regionDescArray;                 /* of mstxMemVirtualRangeDesc_t */
  mstxMemRegionHandle_t* regionHandleArrayOut; /* may be null */
} mstxMemRegionsRegisterBatch_t;

typedef struct mstxMemRegionRef_t {
  mstxMemRegionRefType refType;
  __extension__ union {
    void const* pointer;
    mstxMemRegionHandle_t handle;
  };
} mstxMemRegionRef_t;

typedef struct mstxMemRegionsUnregisterBatch_t {
  size_t refCount;
  mstxMemRegionRef_t const* refArray;
} mstxMemRegionsUnregisterBatch_t;

/* The functions of the runtime library; a null domain is the default domain. */
typedef struct mstxFunctions_ {
  uint64_t (*toolId)(void);
  void (*mark)(const char* function, mstxDomainHandle_t, const char* message, aclrtStream);
  mstxRangeId (*rangeStart)(const char* function, mstxDomainHandle_t, const char* message,
                            aclrtStream);
  void (*rangeEnd)(const char* function, mstxDomainHandle_t, mstxRangeId);
  mstxDomainHandle_t (*domainCreate)(const char* name);
  void (*domainDestroy)(mstxDomainHandle_t);
  mstxMemHeapHandle_t (*heapRegister)(mstxDomainHandle_t, mstxMemHeapDesc_t const*);
  void (*heapUnregister)(mstxDomainHandle_t, mstxMemHeapHandle_t);
  void (*regionsRegister)(mstxDomainHandle_t, mstxMemRegionsRegisterBatch_t const*);
  void (*regionsUnregister)(mstxDomainHandle_t, mstxMemRegionsUnregisterBatch_t const*);
} mstxFunctions_;

/* Defined by the runtime library; null in a program without it. */
extern const mstxFunctions_* aclsimToolsExt(void) __attribute__((weak));

MSTX_FUNCTION_ const mstxFunctions_* mstxTool_(void) {
  return aclsimToolsExt ? aclsimToolsExt() : NULL;
}

/* ---- marks and ranges --------------------------------------------------------------------------
 */

/* The id of the tool that listens; MSTX_TOOL_INVALID_ID: none. */
MSTX_FUNCTION_ void mstxGetToolId(uint64_t* id) {
  const mstxFunctions_* const tool = mstxTool_();
  if (id) *id = tool ? tool->toolId() : MSTX_TOOL_INVALID_ID;
}

MSTX_FUNCTION_ void mstxMarkA(const char* message, aclrtStream stream) {
  const mstxFunctions_* const tool = mstxTool_();
  if (tool) tool->mark("mstxMarkA", NULL, message, stream);
}

/* 0: failed. */
MSTX_FUNCTION_ mstxRangeId mstxRangeStartA(const char* message, aclrtStream stream) {
  const mstxFunctions_* const tool = mstxTool_();
  return tool ? tool->rangeStart("mstxRangeStartA", NULL, message, stream) : 0;
}

MSTX_FUNCTION_ void mstxRangeEnd(mstxRangeId id) {
  const mstxFunctions_* const tool = mstxTool_();
  if (tool) tool->rangeEnd("mstxRangeEnd", NULL, id);
}

/* ---- domains -----------------------------------------------------------------------------------
 */

/* Null: failed. */
MSTX_FUNCTION_ mstxDomainHandle_t mstxDomainCreateA(const char* name) {
  const mstxFunctions_* const tool = mstxTool_();
  return tool ? tool->domainCreate(name) : NULL;
}

MSTX_FUNCTION_ void mstxDomainDestroy(mstxDomainHandle_t domain) {
  const mstxFunctions_* const tool = mstxTool_();
  if (tool) tool->domainDestroy(domain);
}

MSTX_FUNCTION_ void mstxDomainMarkA(mstxDomainHandle_t domain, const char* message,
                                    aclrtStream stream) {
  const mstxFunctions_* const tool = mstxTool_();
  if (tool && domain) tool->mark("mstxDomainMarkA", domain, message, stream);
}

MSTX_FUNCTION_ mstxRangeId mstxDomainRangeStartA(mstxDomainHandle_t domain, const char* message,
                                                 aclrtStream stream) {
  const mstxFunctions_* const tool = mstxTool_();
  return tool && domain ? tool->rangeStart("mstxDomainRangeStartA", domain, message, stream) : 0;
}

MSTX_FUNCTION_ void mstxDomainRangeEnd(mstxDomainHandle_t domain, mstxRangeId id) {
  const mstxFunctions_* const tool = mstxTool_();
  if (tool && domain) tool->rangeEnd("mstxDomainRangeEnd", domain, id);
}

/* ---- memory pools ------------------------------------------------------------------------------
 */

/* Null: failed. */
MSTX_FUNCTION_ mstxMemHeapHandle_t mstxMemHeapRegister(mstxDomainHandle_t domain,
                                                       mstxMemHeapDesc_t const* desc) {
  const mstxFunctions_* const tool = mstxTool_();
  return tool ? tool->heapRegister(domain, desc) : NULL;
}

MSTX_FUNCTION_ void mstxMemHeapUnregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap) {
  const mstxFunctions_* const tool = mstxTool_();
  if (tool) tool->heapUnregister(domain, heap);
}

/* Blocks are handed out. */
MSTX_FUNCTION_ void mstxMemRegionsRegister(mstxDomainHandle_t domain,
                                           mstxMemRegionsRegisterBatch_t const* desc) {
  const mstxFunctions_* const tool = mstxTool_();
  if (tool) tool->regionsRegister(domain, desc);
}

/* Blocks are taken back. */
MSTX_FUNCTION_ void mstxMemRegionsUnregister(mstxDomainHandle_t domain,
                                             mstxMemRegionsUnregisterBatch_t const* desc) {
  const mstxFunctions_* const tool = mstxTool_();
  if (tool) tool->regionsUnregister(domain, desc);
}

#ifdef __cplusplus
}
#endif

#endif /* ACL_INCLUDE_MSTX_MS_TOOLS_EXT_H_ */
