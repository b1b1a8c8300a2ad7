// SPDX-License-Identifier: Apache-2.0
// Copies that convert.
#include "aclnnop/aclnn_cast.h"
#include "aclnnop/aclnn_copy.h"
#include "runtime/aclnn/loops/copy.h"

using namespace aclnn;

aclnnStatus aclnnCastGetWorkspaceSize(const aclTensor* self, const aclDataType dtype,
                                      aclTensor* out, uint64_t* workspaceSize,
                                      aclOpExecutor** executor) {
  return first_phase("aclnnCast", workspaceSize, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{self, "self", kEvery}, Out{out, "out", kEvery});
    require(dtype == y.type, "dtype is {}; expected {}, the type of out", name_of(dtype),
            name_of(y.type));
    p.require_shape(y, x.shape);
    plan_copy(p, x, y);
  });
}
ACLNN_SECOND_PHASE(aclnnCast)

aclnnStatus aclnnInplaceCopyGetWorkspaceSize(aclTensor* selfRef, const aclTensor* src,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnInplaceCopy", workspaceSize, executor, [&](Planner& p) {
    const auto [y, x] = p.take(Out{selfRef, "selfRef", kEvery}, In{src, "src", kEvery});
    plan_copy(p, p.expand(x, y.shape), y);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceCopy)
