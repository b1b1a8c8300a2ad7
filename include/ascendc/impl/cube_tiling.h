/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a product is cut into parts: what the host's tiling computes and the Matmul object reads.
 * C++11.
 */
#ifndef ASCENDC_IMPL_CUBE_TILING_H_
#define ASCENDC_IMPL_CUBE_TILING_H_

#include <stdint.h>

/* Its fields in order: name by name for the host's class with set_ and get_, too. */
/* One field a line or as many as fit: clang-format indents such lists deeper and deeper. */
/* clang-format off */
#define ACLSIM_CUBE_TILING_FIELDS(FIELD)                                                         \
  FIELD(usedCoreNum) FIELD(M) FIELD(N) FIELD(Ka) FIELD(Kb) FIELD(singleCoreM) FIELD(singleCoreN) \
  FIELD(singleCoreK) FIELD(baseM) FIELD(baseN) FIELD(baseK) FIELD(depthA1) FIELD(depthB1)        \
  FIELD(stepM) FIELD(stepN) FIELD(isBias) FIELD(transLength) FIELD(iterateOrder)                 \
  FIELD(shareMode) FIELD(shareL1Size) FIELD(shareL0CSize) FIELD(shareUbSize) FIELD(batchM)       \
  FIELD(batchN) FIELD(singleBatchM) FIELD(singleBatchN) FIELD(stepKa) FIELD(stepKb)              \
  FIELD(depthAL1CacheUB) FIELD(depthBL1CacheUB) FIELD(dbL0A) FIELD(dbL0B) FIELD(dbL0C)           \
  FIELD(ALayoutInfoB) FIELD(ALayoutInfoS) FIELD(ALayoutInfoN) FIELD(ALayoutInfoG)                \
  FIELD(ALayoutInfoD) FIELD(BLayoutInfoB) FIELD(BLayoutInfoS) FIELD(BLayoutInfoN)                \
  FIELD(BLayoutInfoG) FIELD(BLayoutInfoD) FIELD(CLayoutInfoB) FIELD(CLayoutInfoS1)               \
  FIELD(CLayoutInfoN) FIELD(CLayoutInfoG) FIELD(CLayoutInfoS2) FIELD(BatchNum) FIELD(mxTypePara)
/* clang-format on */

namespace AscendC {
namespace tiling {
struct TCubeTiling {
#define ACLSIM_FIELD(name) int32_t name;
  ACLSIM_CUBE_TILING_FIELDS(ACLSIM_FIELD)
#undef ACLSIM_FIELD
};
}  // namespace tiling
}  // namespace AscendC

#endif /* ASCENDC_IMPL_CUBE_TILING_H_ */
