/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of the flags by which cores of one kernel wait for each other. */
#ifndef RUNTIME_INCLUDE_RT_FFTS_H_
#define RUNTIME_INCLUDE_RT_FFTS_H_

#include "runtime/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The flags of the emulated cores are in no memory of the device: the address is a number that is
 * not 0. A kernel may take it as a parameter and pass it on (SetSyncBaseAddr).
 * Errors: ACL_ERROR_RT_PARAM_INVALID if an argument is null. */
RTS_API rtError_t rtGetC2cCtrlAddr(uint64_t* addr, uint32_t* len);

#ifdef __cplusplus
}
#endif

#endif /* RUNTIME_INCLUDE_RT_FFTS_H_ */
