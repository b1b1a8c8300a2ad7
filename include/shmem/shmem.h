/* SPDX-License-Identifier: Apache-2.0
 * SHMEM: memory of the same layout on all PEs, transfers, signals and barriers between them. */
#ifndef ACLSHMEM_SHMEM_H
#define ACLSHMEM_SHMEM_H

#ifdef SHMEM_API_H
#error "shmem.h and shmem_api.h are two versions of one interface: include one of them"
#endif

#include "host/data_plane/shmem_host_cc.h"
#include "host/data_plane/shmem_host_p2p_sync.h"
#include "host/data_plane/shmem_host_rma.h"
#include "host/data_plane/shmem_host_so.h"
#include "host/init/shmem_host_init.h"
#include "host/mem/shmem_host_heap.h"
#include "host/shmem_host_def.h"
#include "host/shmem_older_names.h"
#include "host/team/shmem_host_team.h"
#include "host/utils/shmem_log.h"

/* A source of kernels also calls the functions of the device side. */
#if defined(ACLSIM_PASS_CORE) && defined(__cplusplus)
#include "shmem_device.h"
#endif

#endif
