/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACLNNOP_INCLUDE_ACLNN_TRIANGULAR_SOLVE_H_
#define ACLNNOP_INCLUDE_ACLNN_TRIANGULAR_SOLVE_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * X with A X = self (A upper or lower, optionally transposed, optionally unit diagonal); mOut =
 * copy of the used triangle.
 * Types: self,A: f32 f64 c64 c128; upper,transpose,unitriangular: bool; xOut,mOut: f32 f64 c64
 * c128.
 * Shapes: batch dims broadcast; self [..,n,k].
 */
ACLNN_API aclnnStatus aclnnTriangularSolveGetWorkspaceSize(
    const aclTensor* self, const aclTensor* A, bool upper, bool transpose, bool unitriangular,
    aclTensor* xOut, aclTensor* mOut, uint64_t* workspaceSize, aclOpExecutor** executor);
ACLNN_API aclnnStatus aclnnTriangularSolve(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif /* ACLNNOP_INCLUDE_ACLNN_TRIANGULAR_SOLVE_H_ */
