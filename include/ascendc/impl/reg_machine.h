/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of libascendc_runtime that compute on registers of the vector unit and move them.
 * All of C, as in instruction.h. A register is an array of 256 or 512 bytes, a mask of 32 bytes:
 * 256 bits, of which each lane owns an equal share and uses the lowest.
 */
#ifndef ASCENDC_IMPL_REG_MACHINE_H_
#define ASCENDC_IMPL_REG_MACHINE_H_

#include <stdint.h>

#include "ascendc/impl/vector_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Operations on lanes that vector_rows.h does not have; its operations keep their numbers. */
enum aclsimRegOp {
  ACLSIM_REG_Xor = 300,
  ACLSIM_REG_Log2,
  ACLSIM_REG_Log10,
  ACLSIM_REG_MulAddDst, /* dst = src0 * src1 + dst, one rounding */
  ACLSIM_REG_MulDstAdd, /* dst = dst * src0 + src1, one rounding */
  ACLSIM_REG_Axpy,      /* dst = src0 * scalar + dst, one rounding */
  ACLSIM_REG_AbsSub,
  ACLSIM_REG_Max, /* of 0 and -0: 0 */
  ACLSIM_REG_Min,
  ACLSIM_REG_Maxs,
  ACLSIM_REG_Mins,
  ACLSIM_REG_ShiftLeft, /* by the lanes of src1; signed elements keep their sign */
  ACLSIM_REG_ShiftLefts,
  ACLSIM_REG_ShiftRight,
  ACLSIM_REG_ShiftRights,
  ACLSIM_REG_Prelu,
  ACLSIM_REG_Fill /* dst = scalar */
};

enum aclsimRegFlag {
  ACLSIM_REG_MERGES = 1, /* lanes that the mask leaves out keep their value; else they become 0 */
  ACLSIM_REG_TWICE = 2,  /* 512 bytes */
  ACLSIM_REG_HIGHEST = 4,
  ACLSIM_REG_DOWN = 8,     /* decreasing */
  ACLSIM_REG_SAT = 16,     /* an instruction's own mode of conversions */
  ACLSIM_REG_UPDATES = 32, /* the address register advances */
  ACLSIM_REG_FLUSHES = 64  /* subnormal floats count as 0 */
};

typedef struct aclsimRegForm {
  uint16_t operation;
  uint8_t element;
  uint8_t source; /* the element type of the sources, if it differs */
  uint8_t flags;  /* aclsimRegFlag */
  uint8_t mode;   /* of rounding, comparison, reduction */
  uint8_t layout; /* which of the narrow lanes */
  uint8_t reserved;
} aclsimRegForm;

/* ---- the call of a function of registers: one operation of the vector pipe ---- */

void aclsimVfBegin(const void* site);
void aclsimVfEnd(void);
/* How many times this call has asked before at the line. */
uint64_t aclsimRegIteration(const char* file, uint32_t line);
/* Later accesses of kind `after` follow all earlier ones of kind `before` (MemType). */
void aclsimRegBarrier(uint32_t before, uint32_t after);

/* ---- computation ---- */

void aclsimRegLanes(aclsimRegForm form, void* dst, const void* src0, const void* src1,
                    const void* mask, uint64_t scalar);
void aclsimRegCompare(aclsimRegForm form, void* dst, const void* src0, const void* src1,
                      const void* mask, uint64_t scalar);
void aclsimRegCast(aclsimRegForm form, void* dst, const void* src, const void* mask);
void aclsimRegReduce(aclsimRegForm form, void* dst, const void* src, const void* mask);

/* Changes of the order of lanes; `bytes` of an element. A null mask has all lanes. */
enum aclsimRegOrder {
  ACLSIM_REG_INTERLEAVE = 1,
  ACLSIM_REG_DEINTERLEAVE,
  ACLSIM_REG_SQUEEZE,
  ACLSIM_REG_SQUEEZE_STORED, /* the size goes to the address register */
  ACLSIM_REG_UNSQUEEZE,
  ACLSIM_REG_GATHER,
  ACLSIM_REG_FIRST, /* dst = the first lane of src0, or the last */
  ACLSIM_REG_SELECT,
  ACLSIM_REG_MOVE,
  ACLSIM_REG_PACK,
  ACLSIM_REG_UNPACK,
  ACLSIM_REG_ARANGE,
  ACLSIM_REG_HISTOGRAM,
  ACLSIM_REG_LONG_PRODUCT
};
void aclsimRegOrder(aclsimRegForm form, void* dst0, void* dst1, const void* src0, const void* src1,
                    const void* mask, uint64_t scalar);
/* Sums and differences of 32 bits with carries; a null carry comes from nowhere. */
void aclsimRegCarry(aclsimRegForm form, void* carry, void* dst, const void* src0, const void* src1,
                    const void* carried, const void* mask);
/* Masks as values: bits of `bytes` bytes each change their order. */
void aclsimMaskOrder(aclsimRegForm form, void* dst0, void* dst1, const void* src0,
                     const void* src1);
void aclsimMaskFrom(void* dst, const void* src, uint32_t bytes);
/* The mask that SetVectorMask has left, for elements of `bytes` bytes. */
void aclsimMaskKept(void* dst, uint32_t bytes);

/* ---- moves between registers and the unified buffer ---- */

/* LoadDist and StoreDist, by number; `element` gives the size of DIST_NORM. */
void aclsimRegLoad(aclsimRegForm form, void* dst0, void* dst1, const void* from);
void aclsimRegStore(aclsimRegForm form, void* to, const void* src0, const void* src1,
                    const void* mask);
/* Eight blocks of 32 bytes, `stride` blocks apart. */
void aclsimRegLoadBlocks(aclsimRegForm form, void* dst, const void* from, uint32_t stride,
                         const void* mask);
void aclsimRegStoreBlocks(aclsimRegForm form, void* to, const void* src, uint32_t stride,
                          const void* mask);
void aclsimRegLoadMask(aclsimRegForm form, void* dst, const void* from);
void aclsimRegStoreMask(aclsimRegForm form, void* to, const void* mask);
/* `index` in elements of `source`; a byte is gathered into 16 bits. */
void aclsimRegGather(aclsimRegForm form, void* dst, const void* from, const void* index,
                     const void* mask);
void aclsimRegGatherBlocks(aclsimRegForm form, void* dst, const void* from, const void* index,
                           const void* mask);
void aclsimRegScatter(aclsimRegForm form, void* to, const void* src, const void* index,
                      const void* mask);
/* At any address. */
void aclsimRegLoadPre(void* kept, const void* from);
void aclsimRegLoadUnaligned(aclsimRegForm form, void* dst, void* kept, const void* from);
void aclsimRegStoreUnaligned(aclsimRegForm form, void* to, const void* src, void* kept,
                             uint64_t bytes);
void aclsimRegStorePost(void* to, void* kept);
/* The same for masks; returns the bytes that it stores. */
uint64_t aclsimRegStoreMaskUnaligned(aclsimRegForm form, void* to, const void* mask, void* kept);
/* Stores the bytes that the last squeeze has kept, behind the bytes that the address register
 * counts. */
void aclsimRegStoreSqueezed(aclsimRegForm form, void* to, const void* src, void* kept);

#ifdef __cplusplus
}
#endif

#endif /* ASCENDC_IMPL_REG_MACHINE_H_ */
