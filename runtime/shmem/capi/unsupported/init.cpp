// SPDX-License-Identifier: Apache-2.0
#include "shmem/host/init/shmem_host_init.h"
#include "shmem/host/utils/shmem_log.h"

#include "runtime/shmem/base/unsupported.h"

SHMEM_UNSUPPORTED(int, aclshmemx_instance_ctx_set, (uint64_t), "several instances");
SHMEM_UNSUPPORTED(void, aclshmemx_show_prof, (), "cycles of devices");
