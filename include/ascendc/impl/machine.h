/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The core that a kernel runs on, as the templates of kernel_operator.h see it: what it is, and the
 * calls that are no instructions (memory, queues, flags of the scalar unit, output). All of C, as
 * in instruction.h. `site` is an address in the kernel's code: the line that a message names.
 */
#ifndef ASCENDC_IMPL_MACHINE_H_
#define ASCENDC_IMPL_MACHINE_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The control register at the start of a kernel and after a reset, by architecture. */
#define ACLSIM_CONTROL_AT_START(arch) ((arch) == 3510 ? 0x1000000000000008ULL : 0ULL)

enum aclsimUnit { ACLSIM_NO_CORE = 0, ACLSIM_AIV, ACLSIM_AIC };

typedef struct aclsimCore {
  uint32_t size; /* of this structure */
  uint32_t kind; /* aclsimUnit */
  int64_t block; /* of the group: both vector cores of a group have the same */
  int64_t blocks;
  int64_t sub_block;
  int64_t sub_blocks;
  int64_t ratio;    /* vector cores in a group */
  uint64_t control; /* the control register */
  void* system_workspace;
  void* dump_workspace;
  uint64_t tiling_key;
  void* pipe;             /* the live TPipe */
  uint64_t counters[8];   /* of Metrics and the like; not used by the machine */
  uint32_t cores;         /* aclsimCoreKind of the launch */
  uint64_t dynamic_bytes; /* of the unified buffer, as the launch requests */
} aclsimCore;

/* The core that the calling kernel runs on. Outside of kernels one that does nothing. */
aclsimCore* aclsimThisCore(void);

/* ---- local memory ---- */

/* Address of byte `offset` of the memory behind a TPosition. Ends the kernel when it is behind the
 * end of the memory, and warns when only the `bytes` pass it. */
void* aclsimLocalAddress(uint32_t position, uint64_t offset, uint64_t bytes, const void* site);
/* Bytes of that memory. */
uint64_t aclsimLocalSize(uint32_t position);
/* The array of this key at the end of the unified buffer, the same at each call, and the bytes
   before all arrays. Ends the kernel if the array does not fit; null outside of kernels. */
/* `memory`: an aclsimMemory. */
void* aclsimLocalArray(uint32_t memory, const void* key, uint64_t bytes, const char* name,
                       const void* site);
uint64_t aclsimUnifiedArraysBegin(void);
/* The array of the bytes that the launch requests; null outside of kernels. */
void* aclsimDynamicArray(const char* name, const void* site);
/* The offset of a local address in its memory, in bytes. */
uint64_t aclsimLocalOffset(const void* address);

/* The scalar unit reads or writes `bytes` at `address`; `end` is where the tensor ends (0: not
   known). Returns where the bytes are now. */
void* aclsimScalarAccess(void* address, uint64_t bytes, uint64_t end, uint64_t tensor,
                         uint32_t access, const void* site);
/* The program gets a pointer to local memory: later writes through it are not seen. */
void aclsimPointerTaken(const void* address, uint64_t bytes);
/* It writes this value into global memory. */
void aclsimScalarWrite(void* address, uint64_t bytes, uint64_t end, const void* value,
                       const void* site);

/* ---- pipes ---- */

void aclsimSetFlag(uint32_t event, int32_t id, const void* site);
void aclsimWaitFlag(uint32_t event, int32_t id, const void* site);
/* Later instructions of the pipe wait for those before the last release of the number. */
void aclsimMutexLock(uint32_t pipe, uint32_t id, const void* site);
void aclsimMutexUnlock(uint32_t pipe, uint32_t id, const void* site);
/* A number that no other caller on this core has, until it is released. */
uint32_t aclsimMutexId(const void* site);
void aclsimMutexRelease(uint32_t id, const void* site);
void aclsimPipeBarrier(uint32_t pipe, const void* site);

/* Sets how the following copies write to global memory: 0 store, 1 add, 2 maximum, 3 minimum; and
 * the element type. */
void aclsimSetAtomic(uint32_t operation, uint32_t element);
/* The padding value of a DataCopyPad without one. */
void aclsimSetPadValue(uint64_t value, uint32_t bytes);

/* ---- TPipe, queues, buffers: by number, 0 is none ---- */

typedef struct aclsimBuffer {
  void* address;
  uint64_t bytes;
  uint64_t tensor;
  uint64_t offset; /* in its memory */
} aclsimBuffer;

/* A TPipe begins or ends. */
void aclsimPipeOpen(void* pipe, const void* site);
void aclsimPipeClose(void* pipe, int32_t barrier);
void aclsimPipeReset(const void* site);
/* A part of the memory of `parent` (0: of the TPipe); of the same bytes as `share` unless that is
 * 0. */
uint32_t aclsimPoolCreate(uint32_t parent, uint32_t position, uint64_t bytes, uint32_t share,
                          const void* site);
void aclsimPoolReset(uint32_t pool);
/* The offset of its start in the memory of `position`, in bytes. */
uint64_t aclsimPoolBegin(uint32_t pool, uint32_t position);

uint32_t aclsimQueueCreate(uint32_t from, uint32_t to, uint32_t depth);
void aclsimQueueInit(uint32_t queue, uint32_t pool, uint32_t position, uint32_t num, uint64_t bytes,
                     const void* site);
/* `num` buffers in memory that the program divides itself; each then gets its place. */
void aclsimQueueStart(uint32_t queue, uint32_t num, const void* site);
void aclsimQueuePlace(uint32_t queue, uint32_t number, uint32_t position, uint64_t offset,
                      uint64_t bytes, const void* site);
aclsimBuffer aclsimBufferPlace(uint32_t position, uint64_t offset, uint64_t bytes,
                               const void* site);
aclsimBuffer aclsimBufferCreate(uint32_t pool, uint32_t position, uint64_t bytes, const void* site);
aclsimBuffer aclsimBufferOf(uint64_t tensor);
/* A buffer of a queue, as AllocTensor and DeQue take it. The two below give its number only. */
aclsimBuffer aclsimBufferAlloc(uint32_t queue, const void* site);
aclsimBuffer aclsimBufferDeque(uint32_t queue, const void* site);
uint64_t aclsimQueueAlloc(uint32_t queue, const void* site);
void aclsimQueueEnque(uint32_t queue, uint64_t tensor, const void* site);
uint64_t aclsimQueueDeque(uint32_t queue, const void* site);
void aclsimQueueFree(uint32_t queue, uint64_t tensor, const void* site);
uint32_t aclsimQueueCount(uint32_t queue);
uint32_t aclsimQueueIdle(uint32_t queue);
uint32_t aclsimBufferState(uint64_t tensor);

/* A free flag of the event, allocated or only returned; -1 if no flag is free. */
int32_t aclsimEventId(uint32_t event, int32_t take);
void aclsimEventRelease(uint32_t event, int32_t id);

/* ---- cores with each other ---- */

/* Waits until all cores (or all vector cores) of the launch are here. */
void aclsimSyncAll(int32_t vector_only, const void* site);
void aclsimCrossSet(uint32_t mode, uint32_t pipe, uint32_t flag, const void* site);
void aclsimCrossWait(uint32_t flag, const void* site);
/* Flags by place: `slot` is an address in the workspace that the program names. */
void aclsimBlockSet(const void* slot, int32_t id, const void* site);
void aclsimBlockWait(const void* slot, int32_t id, const void* site);

/* ---- end and output of a kernel ---- */

/* `sentence` is wrong: `value` is given, and `limit` is the most; both 0: the sentence says it all.
 */
void aclsimViolation(const char* sentence, uint64_t value, uint64_t limit, const void* site);
/* An argument that the documentation forbids, although hardware does what is asked. */
void aclsimForbidden(const char* sentence, const void* site);
void aclsimTrap(const void* site) __attribute__((noreturn));
void aclsimAssertFailed(const char* expression, const char* file, uint32_t line,
                        const char* function, const void* site) __attribute__((noreturn));
/* Text of the block, kept until it is shown as a whole. */
void aclsimPrint(const char* text, size_t bytes);

enum aclsimPrintKind {
  ACLSIM_PRINT_WHOLE = 0,
  ACLSIM_PRINT_UNSIGNED,
  ACLSIM_PRINT_FLOAT,
  ACLSIM_PRINT_TEXT,
  ACLSIM_PRINT_POINTER
};
typedef struct aclsimPrintArgument {
  uint32_t kind;
  uint32_t reserved;
  uint64_t whole;
  double real;
  const char* text;
} aclsimPrintArgument;
void aclsimPrintFormatted(const char* format, const aclsimPrintArgument* args, size_t count);
/* `shape` of `dims` axes; 0: as a row. */
struct aclsimOperand;
void aclsimDumpTensor(const struct aclsimOperand* tensor, uint32_t desc, uint32_t elements,
                      uint32_t dims, const uint32_t* shape);
/* Nanoseconds of the clock of the machine. */
uint64_t aclsimCycle(void);

#ifdef __cplusplus
}
#endif

#endif /* ASCENDC_IMPL_MACHINE_H_ */
