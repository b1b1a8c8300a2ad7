// SPDX-License-Identifier: Apache-2.0
// Matrices of which one side of a diagonal is kept.
#include "aclnnop/aclnn_tril.h"
#include "aclnnop/aclnn_triu.h"
#include "runtime/aclnn/loops/copy.h"

namespace aclnn {
namespace {

constexpr TypeSet kMatrices = kEvery.without({ACL_COMPLEX128});
constexpr std::int64_t kLeastMatrixElements = std::int64_t{1} << 16;

enum class Side { lower, upper };

/// Rows of matrices: kept elements are copied unless they are already in place; the rest becomes 0.
void plan_triangle(Planner& p, const View& x, const View& y, Side side, std::int64_t diagonal) {
  p.require_rank(x, 2, kMaxRank);
  p.require_shape(y, x.shape);
  p.require_castable(x.type, y);
  const int last = x.rank() - 1;
  const std::int64_t columns = x.size(last), height = x.size(last - 1);
  const bool in_place = x.slot == y.slot;
  diagonal = std::clamp(diagonal, -height, columns);
  const Transfer copy({{columns, x.stride(last), y.stride(last)}}, x.type, y.type);
  const Transfer zero({{columns, 0, y.stride(last)}}, y.type, y.type);
  const std::int64_t least =
      std::max<std::int64_t>(kLeastMatrixElements / std::max<std::int64_t>(columns, 1), 1);
  p.job_over(columns == 0 ? 0 : x.count() / columns, least,
             [=, from = x.without(last), to = y.without(last)](Execution& run, std::int64_t begin,
                                                               std::int64_t end) {
               Walk sources(run.at(from)), targets(run.at(to));
               sources.seek(begin);
               targets.seek(begin);
               const Element zeros;
               for (std::int64_t i = begin; i < end; ++i) {
                 const std::byte* const source = sources.next(1).at;
                 std::byte* const target = targets.next(1).at;
                 const std::int64_t row = i % height + diagonal;
                 const std::int64_t split =
                     std::clamp<std::int64_t>(side == Side::lower ? row + 1 : row, 0, columns);
                 const bool lower = side == Side::lower;
                 if (!in_place)
                   copy.run(source, target, lower ? 0 : split, lower ? split : columns);
                 zero.run(zeros.bytes.data(), target, lower ? split : 0, lower ? columns : split);
               }
             });
}

aclnnStatus triangle(const char* function, const aclTensor* self, const aclTensor* out, Side side,
                     std::int64_t diagonal, std::uint64_t* workspace, aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{self, "self", kMatrices}, Out{out, "out", kMatrices});
    plan_triangle(p, x, y, side, diagonal);
  });
}

aclnnStatus triangle_in_place(const char* function, const aclTensor* self, Side side,
                              std::int64_t diagonal, std::uint64_t* workspace,
                              aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x] = p.take(Ref{self, "selfRef", kMatrices});
    plan_triangle(p, x, x, side, diagonal);
  });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnTrilGetWorkspaceSize(const aclTensor* self, int64_t diagonal, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return triangle("aclnnTril", self, out, Side::lower, diagonal, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnTril)

aclnnStatus aclnnTriuGetWorkspaceSize(const aclTensor* self, int64_t diagonal, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return triangle("aclnnTriu", self, out, Side::upper, diagonal, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnTriu)

aclnnStatus aclnnInplaceTrilGetWorkspaceSize(const aclTensor* selfRef, int64_t diagonal,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return triangle_in_place("aclnnInplaceTril", selfRef, Side::lower, diagonal, workspaceSize,
                           executor);
}
ACLNN_SECOND_PHASE(aclnnInplaceTril)

aclnnStatus aclnnInplaceTriuGetWorkspaceSize(aclTensor* selfRef, int64_t diagonal,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return triangle_in_place("aclnnInplaceTriu", selfRef, Side::upper, diagonal, workspaceSize,
                           executor);
}
ACLNN_SECOND_PHASE(aclnnInplaceTriu)
