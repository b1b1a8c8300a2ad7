// SPDX-License-Identifier: Apache-2.0
// Positions of the greatest and least elements, and running sums.
#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_argmin.h"
#include "aclnnop/aclnn_cumsum.h"
#include "aclnnop/aclnn_max_dim.h"
#include "runtime/aclnn/operators/lanes.h"
#include "runtime/aclnn/operators/reduction/fold.h"
#include "runtime/aclnn/operators/reduction/folds.h"

namespace aclnn {
namespace {

using ExtremeLanes = Lanes<ComputeType::f32, ComputeType::f64, ComputeType::i64>;
using RunningLanes = Lanes<ComputeType::f32, ComputeType::f64, ComputeType::i64, ComputeType::c64,
                           ComputeType::c128>;
constexpr TypeSet kRunning = kAllFloats | kIntegers | kComplex;

void plan_extreme(Planner& p, const View& x, int dim, bool keep, bool least, const Folded& out) {
  const Dims mask = one_dim(dim);
  for (const View& view : {out.values, out.indexes}) {
    if (view) require_folded(p, x, mask, keep, view);
  }
  require(x.count() != 0 || folded_shape(x.shape, mask, keep).count() == 0,
          "{} has the shape {}; expected elements to compare", p.name(x), x.shape.text());
  in_lane<ExtremeLanes>(x.lane(), [&](auto zero) {
    using T = decltype(zero);
    plan_fold<T>(p, x, mask, out, Fold<T>::of(ExtremeFold<T>{least}));
  });
}

aclnnStatus index_of(const char* function, const aclTensor* self, std::int64_t dim, bool keepdim,
                     bool least, aclTensor* out, std::uint64_t* workspace,
                     aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{self, "self", kAllFloats | kIntegers}, Out{out, "out", kIndexes});
    plan_extreme(p, x, p.dim(dim, x.rank(), "dim"), keepdim, least, {{}, y});
  });
}

/// y[i] = x[0] + ... + x[i] along the rows [begin, end).
template <class T>
void running_sums(Execution& run, const Split& x, const Split& y, std::int64_t begin,
                  std::int64_t end) {
  using Sum = typename SumFold<T>::Acc;
  const RowReader<T> reader(x.along);
  const RowWriter<T> writer(y.along);
  std::vector<T> in(static_cast<std::size_t>(reader.count())), out(in.size());
  Walk to(run.at(y.rows));
  to.seek(begin);
  each_row(run.at(x.rows), begin, end, [&](std::byte* at, std::int64_t) {
    std::byte* const target = to.next(1).at;
    const T* const from = reader.all(at, in.data());
    T* const place = writer.place(target, out.data());
    Sum sum{};
    for (std::int64_t i = 0; i < reader.count(); ++i) {
      sum += static_cast<Sum>(from[i]);
      place[i] = static_cast<T>(sum);
    }
    writer.put(target, place);
  });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnArgMaxGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepdim,
                                        aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return index_of("aclnnArgMax", self, dim, keepdim, false, out, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnArgMax)

aclnnStatus aclnnArgMinGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepdim,
                                        aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return index_of("aclnnArgMin", self, dim, keepdim, true, out, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnArgMin)

aclnnStatus aclnnMaxDimGetWorkspaceSize(const aclTensor* self, int64_t dim, bool keepdim,
                                        aclTensor* out, aclTensor* indices, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return first_phase("aclnnMaxDim", workspaceSize, executor, [&](Planner& p) {
    const auto [x, values, indexes] = p.take(In{self, "self", kReals}, Out{out, "out", kReals},
                                             Out{indices, "indices", kIndexes});
    p.require_type(values, x.type);
    plan_extreme(p, x, p.dim(dim, x.rank(), "dim"), keepdim, false, {values, indexes});
  });
}
ACLNN_SECOND_PHASE(aclnnMaxDim)

aclnnStatus aclnnCumsumGetWorkspaceSize(const aclTensor* self, int64_t dim, aclDataType dtype,
                                        aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return first_phase("aclnnCumsum", workspaceSize, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{self, "self", kRunning}, Out{out, "out", kRunning});
    require(kRunning.has(dtype), "dtype is {}; expected {}", name_of(dtype), names_of(kRunning));
    p.require_castable(dtype, y);
    p.require_shape(y, x.shape);
    if (x.count() == 0) return;
    const Dims mask = one_dim(p.dim(dim, x.rank(), "dim"));
    const Split from = split(x, mask), to = split(y, mask);
    in_lane<RunningLanes>(compute_type_of(dtype), [&](auto zero) {
      p.job_over(from.rows.count(), std::max<std::int64_t>(1, kLeastFolded / from.along.count()),
                 [from, to](Execution& run, std::int64_t begin, std::int64_t end) {
                   running_sums<decltype(zero)>(run, from, to, begin, end);
                 });
    });
  });
}
ACLNN_SECOND_PHASE(aclnnCumsum)
