// SPDX-License-Identifier: Apache-2.0
// Tensors full of one value, and identities.
#include "aclnnop/aclnn_eye.h"
#include "aclnnop/aclnn_fill_scalar.h"
#include "aclnnop/aclnn_fill_tensor.h"
#include "aclnnop/aclnn_ones.h"
#include "aclnnop/aclnn_zero.h"
#include "runtime/aclnn/loops/copy.h"

namespace aclnn {
namespace {

constexpr TypeSet kFilled = kEvery.without({ACL_COMPLEX32});
constexpr TypeSet kFilledByTensor = kFilled.without({ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128});
constexpr TypeSet kZeroed = kFilled.without({ACL_UINT32, ACL_UINT64});
constexpr TypeSet kIdentities = kFloats | kIntegers | kBool;

aclScalar number(std::int64_t value) {
  aclScalar scalar;
  scalar.type = ACL_INT64;
  scalar.integer = value;
  scalar.number = static_cast<double>(value);
  return scalar;
}

void plan_fill(Planner& p, const aclScalar& value, const View& to) {
  Copies copies;
  copies.fill(element_of(value, to.type), to);
  copies.plan(p);
}

/// Each row: zeros, a one on the diagonal, zeros.
void plan_identity(Planner& p, const View& y) {
  const std::int64_t rows = y.size(0), columns = y.size(1), step = y.stride(1);
  if (y.count() == 0) return;
  const Element one = element_of(number(1), y.type);
  const Transfer fill({{columns, 0, step}}, y.type, y.type);
  p.job_over(rows, std::max<std::int64_t>((1 << 16) / columns, 1),
             [=](Execution& run, std::int64_t begin, std::int64_t end) {
               const Element zero;
               for (std::int64_t row = begin; row < end; ++row) {
                 std::byte* const to = run.at(y.selected(0, row)).at;
                 const std::int64_t diagonal = std::min(row, columns);
                 const std::int64_t behind = std::min(row + 1, columns);
                 fill.run(zero.bytes.data(), to, 0, diagonal);
                 fill.run(one.bytes.data(), to, diagonal, behind);
                 fill.run(zero.bytes.data(), to, behind, columns);
               }
             });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnInplaceFillScalarGetWorkspaceSize(aclTensor* selfRef, const aclScalar* value,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
  return first_phase("aclnnInplaceFillScalar", workspaceSize, executor, [&](Planner& p) {
    const auto [y, filled] =
        p.take(Out{selfRef, "selfRef", kFilled}, Value{value, "value", kFilled});
    plan_fill(p, filled, y);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceFillScalar)

aclnnStatus aclnnInplaceZeroGetWorkspaceSize(aclTensor* selfRef, uint64_t* workspaceSize,
                                             aclOpExecutor** executor) {
  return first_phase("aclnnInplaceZero", workspaceSize, executor, [&](Planner& p) {
    const auto [y] = p.take(Out{selfRef, "selfRef", kZeroed});
    plan_fill(p, number(0), y);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceZero)

aclnnStatus aclnnInplaceOneGetWorkspaceSize(const aclTensor* selfRef, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return first_phase("aclnnInplaceOne", workspaceSize, executor, [&](Planner& p) {
    const auto [y] = p.take(Out{selfRef, "selfRef", kZeroed.without(kComplex)});
    plan_fill(p, number(1), y);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceOne)

aclnnStatus aclnnInplaceFillTensorGetWorkspaceSize(aclTensor* selfRef, const aclTensor* value,
                                                   uint64_t* workspaceSize,
                                                   aclOpExecutor** executor) {
  return first_phase("aclnnInplaceFillTensor", workspaceSize, executor, [&](Planner& p) {
    const auto [y, x] =
        p.take(Out{selfRef, "selfRef", kFilledByTensor}, In{value, "value", kFilledByTensor});
    require(x.count() == 1 && x.rank() <= 1, "value has the shape {}; expected one element",
            x.shape.text());
    View one = x;
    one.shape = {};
    plan_copy(p, one.expanded(y.shape), y);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceFillTensor)

aclnnStatus aclnnEyeGetWorkspaceSize(int64_t n, int64_t m, aclTensor* out, uint64_t* workspaceSize,
                                     aclOpExecutor** executor) {
  return first_phase("aclnnEye", workspaceSize, executor, [&](Planner& p) {
    const auto [y] = p.take(Out{out, "out", kIdentities});
    require(n >= 0 && m >= 0, "n is {} and m is {}; expected 0 or more", n, m);
    p.require_shape(y, {n, m});
    plan_identity(p, y);
  });
}
ACLNN_SECOND_PHASE(aclnnEye)
