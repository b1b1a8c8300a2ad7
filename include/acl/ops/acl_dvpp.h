/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory for media functions: device memory as from aclrtMalloc, which every function accepts.
 * Media functions themselves are not emulated and not declared.
 */
#ifndef ACL_INCLUDE_OPS_ACL_DVPP_H_
#define ACL_INCLUDE_OPS_ACL_DVPP_H_

#include <stddef.h>

#include "acl/acl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Allocates on the current device. A size of 0 or a null devPtr: 100000. No context: 107002. */
ACL_FUNC_VISIBILITY aclError acldvppMalloc(void **devPtr, size_t size);
/* Frees what acldvppMalloc gave, or aclrtMalloc. Null: 100000. No allocation's start: 107000. */
ACL_FUNC_VISIBILITY aclError acldvppFree(void *devPtr);

#ifdef __cplusplus
}
#endif

#endif /* ACL_INCLUDE_OPS_ACL_DVPP_H_ */
