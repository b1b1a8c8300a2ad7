/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The threads of a SIMT function, as its code sees them. All of C, as in instruction.h.
 */
#ifndef ASCENDC_IMPL_SIMT_MACHINE_H_
#define ASCENDC_IMPL_SIMT_MACHINE_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct aclsimThread {
  uint32_t size;   /* of this structure */
  uint32_t number; /* in its block; 32 in a row are a warp */
  uint32_t index[3];
  uint32_t block[3];
  uint32_t block_dim[3];
  uint32_t grid_dim[3];
} aclsimThread;

/* The thread that calls; outside of SIMT functions the only one of a block. */
const aclsimThread* aclsimThisThread(void);

/* Calls `body` once for each thread of the block, on the vector core that the kernel runs on. */
void aclsimRunThreads(void (*body)(const void* args), const void* args, const uint32_t threads[3],
                      const void* site);

/* Waits for all threads of the block that are not over. */
void aclsimSyncThreads(const void* site);

/* Waits for the other threads of the warp. Stores the value of each by lane and returns the bits of
   the lanes that have not ended. */
uint32_t aclsimShareInWarp(uint64_t value, uint64_t lanes[32], const void* site);

#ifdef __cplusplus
}
#endif

#endif /* ASCENDC_IMPL_SIMT_MACHINE_H_ */
