// SPDX-License-Identifier: Apache-2.0
// A custom operator, in a library that clients find: out = x + scale * y for vectors of
// floats.
#include <aclnn/aclsim_operator.h>

namespace {

int32_t scaled_add(const aclsimOperatorCall* call) {
  const aclsimOperandView &x = call->operands[0], &y = call->operands[1], &out = call->operands[2];
  const double scale = *static_cast<const double*>(call->attributes);
  for (int64_t i = call->piece; i < out.dims[0]; i += call->pieces) {
    static_cast<float*>(out.data)[i * out.strides[0]] =
        static_cast<const float*>(x.data)[i * x.strides[0]] +
        static_cast<float>(scale) * static_cast<const float*>(y.data)[i * y.strides[0]];
  }
  return 0;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) aclnnStatus aclnnScaledAddGetWorkspaceSize(
    const aclTensor* x, const aclTensor* y, double scale, aclTensor* out, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  const aclsimOperand operands[] = {{x, "x", ACLSIM_OPERAND_READ, 0},
                                    {y, "y", ACLSIM_OPERAND_READ, 0},
                                    {out, "out", ACLSIM_OPERAND_WRITE, 0}};
  const aclsimOperator op = {sizeof op, "aclnnScaledAdd", scaled_add,  operands, 3,
                             2,         &scale,           sizeof scale};
  return aclsimPlanOperator(&op, workspaceSize, executor);
}

extern "C" __attribute__((visibility("default"))) aclnnStatus aclnnScaledAdd(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream) {
  return aclsimRunOperator(workspace, workspaceSize, executor, stream);
}
