/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNN_INCLUDE_ACLNN_BASE_H_
#define ACLNN_INCLUDE_ACLNN_BASE_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Prepares operators alone; aclInit does it too, and both may be called. `configPath` may be NULL;
 * a path names a JSON file as for aclInit. */
ACL_META_API aclnnStatus aclnnInit(const char* configPath);
/* Returns 0. aclFinalize, or the end of the process, releases the resources of aclnnInit. */
ACL_META_API aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif /* ACLNN_INCLUDE_ACLNN_BASE_H_ */
