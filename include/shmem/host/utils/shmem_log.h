/* SPDX-License-Identifier: Apache-2.0
 * The log of SHMEM, on standard error. */
#ifndef SHMEM_LOG_H
#define SHMEM_LOG_H

#ifndef __cplusplus
#include <stdbool.h>
#endif
#include "../shmem_host_def.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 0 debug, 1 info, 2 warning, 3 error, 4 fatal; -1 for other values. SHMEM_LOG_LEVEL has
 * precedence. init sets the level to error. */
ACLSHMEM_HOST_API int32_t aclshmemx_set_log_level(int level);
/* Each line is also passed to func; NULL removes it. Any thread may call func. */
ACLSHMEM_HOST_API int32_t aclshmemx_set_extern_logger(void (*func)(int level, const char* msg));
/* Cycles of devices are not emulated: the functions report that, and *out_profs is set to NULL. */
ACLSHMEM_HOST_API void aclshmemx_show_prof(void);
ACLSHMEM_HOST_API void aclshmemx_get_prof(aclshmem_prof_pe_t** out_profs, bool verbose);

#ifdef __cplusplus
}
#endif

#endif
