/* SPDX-License-Identifier: Apache-2.0 */
/* Types of the runtime below ACL. Its functions return the codes of error_codes/rt_error_codes.h.
 */
#ifndef RUNTIME_INCLUDE_BASE_H_
#define RUNTIME_INCLUDE_BASE_H_

#include <stdbool.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifndef RTS_API
#define RTS_API ACL_FUNC_VISIBILITY
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef char char_t;
typedef int32_t rtError_t;
static const int32_t RT_ERROR_NONE = 0;
typedef void* rtStream_t; /* an aclrtStream */

typedef enum schemModeType {
  RT_SCHEM_MODE_NORMAL = 0,
  RT_SCHEM_MODE_BATCH = 1,
  RT_SCHEM_MODE_SYNC = 2,
  RT_SCHEM_MODE_END = 3
} rtschemModeType_t;

typedef struct tagRtTaskCfgInfo {
  uint8_t qos;
  uint8_t partId;
  uint8_t schemMode; /* rtschemModeType_t */
  bool d2dCrossFlag;
  uint32_t blockDimOffset;
  uint8_t dumpflag;
  uint8_t neverTimeout;
  uint8_t rev[2];
  uint32_t localMemorySize;
} rtTaskCfgInfo_t;

#ifdef __cplusplus
}
#endif

#endif /* RUNTIME_INCLUDE_BASE_H_ */
