// SPDX-License-Identifier: Apache-2.0
#include "aclnnop/aclnn_logsoftmax.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_softmax_backward.h"
#include "runtime/aclnn/loops/softmax_rows.h"
#include "runtime/aclnn/operators/norm/row_plan.h"

namespace aclnn {
namespace {

template <class F>
aclnnStatus along_dim(const char* function, const aclTensor* self, std::int64_t dim, aclTensor* out,
                      F f, std::uint64_t* workspace, aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{self, "self", kAllFloats}, Out{out, "out", kAllFloats});
    const int along = p.dim(dim, x.rank(), "dim");
    p.require_shape(y, x.shape);
    with_float_lane(x.lane(), [&, x = x, y = y](auto zero) {
      using T = decltype(zero);
      plan_rows<T>(p, {x}, {y}, one_dim(along), [f](Execution&, std::int64_t) -> RowFunction<T> {
        return [f](const RowSet<T>& row, std::int64_t) { f(row.in[0], row.out[0], row.count); };
      });
    });
  });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnSoftmaxGetWorkspaceSize(const aclTensor* self, int64_t dim, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return along_dim(
      "aclnnSoftmax", self, dim, out,
      [](const auto* x, auto* y, std::int64_t count) { softmax_row(x, y, count); }, workspaceSize,
      executor);
}
ACLNN_SECOND_PHASE(aclnnSoftmax)

aclnnStatus aclnnLogSoftmaxGetWorkspaceSize(const aclTensor* self, int64_t dim, aclTensor* out,
                                            uint64_t* workspaceSize, aclOpExecutor** executor) {
  return along_dim(
      "aclnnLogSoftmax", self, dim, out,
      [](const auto* x, auto* y, std::int64_t count) { log_softmax_row(x, y, count); },
      workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnLogSoftmax)

aclnnStatus aclnnSoftmaxBackwardGetWorkspaceSize(const aclTensor* gradOutput,
                                                 const aclTensor* output, int64_t dim,
                                                 aclTensor* out, uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return first_phase("aclnnSoftmaxBackward", workspaceSize, executor, [&](Planner& p) {
    const auto [g, y, x] = p.take(In{gradOutput, "gradOutput", kFloats},
                                  In{output, "output", kFloats}, Out{out, "out", kFloats});
    const int along = p.dim(dim, g.rank(), "dim");
    p.require_shape(y, g.shape);
    p.require_shape(x, g.shape);
    plan_rows<float>(
        p, {g, y}, {x}, one_dim(along), [](Execution&, std::int64_t) -> RowFunction<float> {
          return [](const RowSet<float>& row, std::int64_t) {
            const float* const grad = row.in[0];
            const float* const result = row.in[1];
            const auto sum = static_cast<float>(
                sum_floats(row.count, [=](std::int64_t i) { return grad[i] * result[i]; }));
            for (std::int64_t i = 0; i < row.count; ++i)
              row.out[0][i] = (grad[i] - sum) * result[i];
          };
        });
  });
}
ACLNN_SECOND_PHASE(aclnnSoftmaxBackward)
