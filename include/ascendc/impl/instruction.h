/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The templates of kernel_operator.h pass instructions of a core to the emulator as plain values. A
 * template only fills in the structure; libascendc_runtime checks, orders and computes it. So small
 * kernels compile fast, and their arithmetic is as fast in a build without optimisation. Every
 * structure begins with its own size in bytes, so that a later library understands older kernels.
 * No type of the C++ library crosses this boundary (kernels may be built with another ABI of it).
 */
#ifndef ASCENDC_IMPL_INSTRUCTION_H_
#define ASCENDC_IMPL_INSTRUCTION_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Element types, numbered as the emulator likes. */
enum aclsimElement {
  ACLSIM_NO_ELEMENT = 0,
  ACLSIM_BOOL,
  ACLSIM_INT4,
  ACLSIM_INT8,
  ACLSIM_UINT8,
  ACLSIM_INT16,
  ACLSIM_UINT16,
  ACLSIM_INT32,
  ACLSIM_UINT32,
  ACLSIM_INT64,
  ACLSIM_UINT64,
  ACLSIM_HALF,
  ACLSIM_BFLOAT16,
  ACLSIM_FLOAT,
  ACLSIM_DOUBLE,
  ACLSIM_COMPLEX32,
  ACLSIM_COMPLEX64,
  ACLSIM_OTHER_ELEMENT, /* moved as bytes, never computed with */
  ACLSIM_FP8_E4M3FN,
  ACLSIM_FP8_E5M2,
  ACLSIM_FP8_E8M0,
  ACLSIM_HIFLOAT8,
  ACLSIM_FP4_E1M2, /* two numbers in a byte, as ACLSIM_INT4; so are the next two */
  ACLSIM_FP4_E2M1,
  ACLSIM_INT4X2
};

/* Which lanes an instruction works on. */
enum aclsimForm {
  ACLSIM_NO_LANES = 0,
  ACLSIM_COUNT,     /* the first `count` elements */
  ACLSIM_MASK_N,    /* the first mask[0] lanes of each repeat */
  ACLSIM_MASK_BITS, /* mask[0] lanes 0 to 63, mask[1] lanes 64 to 127 of each repeat */
  ACLSIM_MASK_KEPT, /* what SetVectorMask left (isSetMask = false, or forms without a mask) */
  ACLSIM_REPEATS    /* all lanes of each repeat */
};

enum aclsimAccess {
  ACLSIM_READS = 1,
  ACLSIM_WRITES = 2,
  ACLSIM_LOCAL = 4,  /* a scalar, of a LocalTensor */
  ACLSIM_POINTER = 8 /* the kernel gives an address, which may be one of a __ubuf__ array */
};

/* One tensor of an instruction. */
typedef struct aclsimOperand {
  void* address;   /* the first element, in this process */
  uint64_t bytes;  /* from address to the end of the tensor; 0: unknown; ~distance if address is
                      after  the end */
  uint64_t tensor; /* which tensor of the core this is, for messages and queues; 0: none */
  uint16_t block_stride;  /* in blocks of 32 bytes */
  uint16_t repeat_stride; /* in blocks of 32 bytes */
  uint8_t element;        /* aclsimElement */
  uint8_t position;       /* TPosition, as in types.h */
  uint8_t access;         /* aclsimAccess, or-ed */
  uint8_t reserved;
} aclsimOperand;

#define ACLSIM_MAX_OPERANDS 6
#define ACLSIM_MAX_SCALARS 6

typedef struct aclsimInstruction {
  uint32_t size;
  uint16_t opcode;  /* aclsimOpcode (opcodes.h) */
  uint8_t pipe;     /* pipe_t */
  uint8_t form;     /* aclsimForm */
  uint8_t operands; /* the destination first */
  uint8_t scalars;
  uint16_t repeat;
  int32_t mode;  /* what the opcode makes of it: rounding, comparison, pattern ... */
  int64_t count; /* of ACLSIM_COUNT, as the program gave it */
  uint64_t mask[2];
  const void* site; /* where the program issued it: an address in its code */
  const void* more; /* parameters of the opcode (structure: see opcodes.h), read at the call */
  uint64_t scalar[ACLSIM_MAX_SCALARS]; /* bits, low bytes first; by default of operand 0's type */
  aclsimOperand operand[ACLSIM_MAX_OPERANDS];
} aclsimInstruction;

/*
 * Issues one instruction on the core that the calling kernel runs on. Returns once it is accepted;
 * it is computed before anything that is ordered after it. A violation ends the kernel (the call
 * does not return) or is reported and passed over, as docs/kernels.md says for each.
 */
void aclsimIssue(const aclsimInstruction* instruction);

#ifdef __cplusplus
}
#endif

#endif /* ASCENDC_IMPL_INSTRUCTION_H_ */
