/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core that a kernel runs on, as the templates of kernel_operator.h see it: what it is, and the calls
 * that are no instructions (memory, queues, flags of the scalar unit, output). All of C, as in instruction.h.
 * `site` is an address in the kernel's code: the line that a message names.
 */
#ifndef ASCENDC_IMPL_MACHINE_H_
#define ASCENDC_IMPL_MACHINE_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum aclsimUnit { ACLSIM_NO_CORE = 0, ACLSIM_AIV, ACLSIM_AIC };

typedef struct aclsimCore {
  uint32_t size; /* of this structure */
  uint32_t kind; /* aclsimUnit */
  int64_t block; /* of the group: both vector cores of a group have the same */
  int64_t blocks;
  int64_t sub_block;
  int64_t sub_blocks;
  int64_t ratio;         /* vector cores in a group */
  uint64_t control;      /* the control register */
  void *system_workspace;
  void *dump_workspace;
  uint64_t tiling_key;
  void *pipe;            /* the live TPipe */
  uint64_t counters[8];  /* of Metrics and the like; not used by the machine */
} aclsimCore;

/* The core that the calling kernel runs on. Outside of kernels one that does nothing. */
aclsimCore *aclsimThisCore(void);

/* ---- local memory ---- */

/* Address of byte `offset` of the memory behind a TPosition; ends the kernel when it passes its end. */
void *aclsimLocalAddress(uint32_t position, uint64_t offset, uint64_t bytes, const void *site);
/* Bytes of that memory. */
uint64_t aclsimLocalSize(uint32_t position);
/* Where in its memory a local address lies. */
uint64_t aclsimLocalOffset(const void *address);

/* The scalar unit reads or writes `bytes` at `address`; `end` is where the tensor ends (0: not known).
   Returns where the bytes are now. */
void *aclsimScalarAccess(void *address, uint64_t bytes, uint64_t end, uint64_t tensor,
                         uint32_t access, const void *site);

/* ---- pipes ---- */

void aclsimSetFlag(uint32_t event, int32_t id, const void *site);
void aclsimWaitFlag(uint32_t event, int32_t id, const void *site);
void aclsimPipeBarrier(uint32_t pipe, const void *site);

/* ---- what ends a kernel, what it says ---- */

void aclsimTrap(const void *site) __attribute__((noreturn));
void aclsimAssertFailed(const char *expression, const char *file, uint32_t line,
                        const char *function, const void *site) __attribute__((noreturn));
/* Text of the block, kept until it is shown as a whole. */
void aclsimPrint(const char *text, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif /* ASCENDC_IMPL_MACHINE_H_ */
