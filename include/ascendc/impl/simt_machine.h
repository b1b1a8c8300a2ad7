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
  uint64_t control; /* the control register; a launch of threads has one that saturates nothing */
} aclsimThread;

/* The thread that calls; outside of SIMT functions the only one of a block. */
const aclsimThread* aclsimThisThread(void);

/* Calls `body` once for each thread of the block, on the vector core that the kernel runs on. */
void aclsimRunThreads(void (*body)(const void* args), const void* args, const uint32_t threads[3],
                      const void* site);

/* Waits for all threads of the block that are not over. */
void aclsimSyncThreads(const void* site);

/* Waits until each thread of the warp has ended or waits. Threads that wait at the same site
   are active together: stores the value of each by lane and returns the bits of their lanes. */
uint32_t aclsimShareInWarp(uint64_t value, uint64_t lanes[32], const void* site);

/* Waits for the threads of the warp with the lanes `wanted` that have not ended; the calling thread
   is one of them. Stores and returns as the function above. */
uint32_t aclsimShareInTile(uint32_t wanted, uint64_t value, uint64_t lanes[32], const void* site);

/* Waits for `count` threads behind thread `first` of the block; the calling thread is one of them.
   Stores the value of each, 0 for a thread that has ended; returns how many have not ended. */
uint32_t aclsimShareInThreads(uint32_t first, uint32_t count, uint64_t value, uint64_t* values,
                              const void* site);

/* Says that a thread reads the value of a lane that takes no part. */
void aclsimInactiveLane(uint32_t lane, const void* site);

enum aclsimSpace { ACLSIM_IN_NONE = 0, ACLSIM_IN_GLOBAL, ACLSIM_IN_UNIFIED, ACLSIM_IN_STACK };
/* The memory that contains an address. */
uint32_t aclsimSpaceOf(const void* address);

#ifdef __cplusplus
}
#endif

#endif /* ASCENDC_IMPL_SIMT_MACHINE_H_ */
