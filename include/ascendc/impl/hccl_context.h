/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The context of a communicator: libhccl writes it into memory of the device, a kernel passes its
 * address to Hccl::InitV2, and libascendc_runtime reads it. All of C.
 */
#ifndef ASCENDC_IMPL_HCCL_CONTEXT_H_
#define ASCENDC_IMPL_HCCL_CONTEXT_H_

#include <stdint.h>

#define ACLSIM_HCCL_CONTEXT_MARK 0x3174786563636861ULL

typedef struct aclsimHcclContext {
  uint64_t mark;  /* ACLSIM_HCCL_CONTEXT_MARK */
  uint64_t size;  /* of all of it */
  uint64_t group; /* the communicator's number: equal for all ranks, and no other has it */
  uint32_t rank;
  uint32_t ranks;        /* all in this process */
  uint64_t limit_ns;     /* how long a rank waits for the others; 0: no limit */
  uint64_t window_bytes; /* of each window */
  char name[128];
  /* Then for each rank the address of its input window and of its output window. */
} aclsimHcclContext;

#endif /* ASCENDC_IMPL_HCCL_CONTEXT_H_ */
