// SPDX-License-Identifier: Apache-2.0
#include "aclnnop/aclnn_embedding_dense_backward.h"
#include "runtime/aclnn/loops/elementwise.h"
#include "runtime/aclnn/loops/rows.h"

namespace aclnn {
namespace {

struct EmbeddingPlan {
  View grad, indexes, out;  // [..., columns], [...], [weights, columns]
  std::uint64_t padding;
  bool by_frequency;
};

/// The lookups of each row of the weights, in their order; false, with the failure reported, where
/// an index is none of a row.
bool lookups_by_row(Execution& run, const EmbeddingPlan& plan,
                    std::vector<std::vector<std::int64_t>>& by_row) {
  const std::vector<std::int64_t> indexes = elements_of<std::int64_t>(run.at(plan.indexes));
  const std::int64_t rows = plan.out.size(0);
  by_row.resize(static_cast<std::size_t>(rows));
  for (std::size_t i = 0; i < indexes.size(); ++i) {
    const std::int64_t row = indexes[i];
    if (static_cast<std::uint64_t>(row) == plan.padding) continue;
    if (row < 0 || row >= rows) {
      run.fail(fmt::format("aclnnEmbeddingDenseBackward: indices[{}] is {}; expected 0 to {}", i,
                           row, rows - 1));
      return false;
    }
    by_row[static_cast<std::size_t>(row)].push_back(static_cast<std::int64_t>(i));
  }
  return true;
}

/// Rows [begin, end) of the weights' slope. Each piece looks through all indexes, which are few
/// numbers beside the rows that it adds.
void embedding_rows(Execution& run, const EmbeddingPlan& plan, std::int64_t begin,
                    std::int64_t end) {
  std::vector<std::vector<std::int64_t>> by_row;
  if (!lookups_by_row(run, plan, by_row)) return;
  const Split grad = split(plan.grad, one_dim(plan.grad.rank() - 1));
  const Split out = split(plan.out, one_dim(1));
  const RowReader<float> reader(grad.along);
  const RowWriter<float> writer(out.along);
  const auto columns = static_cast<std::size_t>(reader.count());
  std::vector<float> buffer(columns), row(columns);
  std::vector<double> sums(columns);
  each_row(run.at(out.rows), begin, end, [&](std::byte* at, std::int64_t number) {
    const auto& lookups = by_row[static_cast<std::size_t>(number)];
    std::fill(sums.begin(), sums.end(), 0.0);
    for (const std::int64_t lookup : lookups) {
      each_row(run.at(grad.rows), lookup, lookup + 1, [&](std::byte* from, std::int64_t) {
        const float* const x = reader.all(from, buffer.data());
        for (std::size_t j = 0; j < columns; ++j) sums[j] += static_cast<double>(x[j]);
      });
    }
    const double scale =
        plan.by_frequency && !lookups.empty() ? 1.0 / static_cast<double>(lookups.size()) : 1.0;
    for (std::size_t j = 0; j < columns; ++j) row[j] = static_cast<float>(sums[j] * scale);
    writer.put(at, row.data());
  });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnEmbeddingDenseBackwardGetWorkspaceSize(
    const aclTensor* grad, const aclTensor* indices, uint64_t numWeights, uint64_t paddingIdx,
    bool scaleGradByFreq, const aclTensor* out, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnEmbeddingDenseBackward", workspaceSize, executor, [&](Planner& p) {
    const auto [slopes, indexes, y] = p.take(
        In{grad, "grad", kFloats}, In{indices, "indices", kIndexes}, Out{out, "out", kFloats});
    p.require_rank(slopes, 1, kMaxRank);
    Shape expected = indexes.shape;
    const std::int64_t columns = slopes.size(slopes.rank() - 1);
    require(expected.rank < kMaxRank, "indices has {} dims; expected at most {}", expected.rank,
            kMaxRank - 1);
    expected.append(columns);
    p.require_shape(slopes, expected);
    p.require_shape(y, Shape{static_cast<std::int64_t>(numWeights), columns});
    if (y.count() == 0) return;
    const EmbeddingPlan plan{slopes, indexes, y, paddingIdx, scaleGradByFreq};
    p.job_over(y.size(0), std::max<std::int64_t>(1, kLeastElements / columns),
               [plan](Execution& run, std::int64_t begin, std::int64_t end) {
                 embedding_rows(run, plan, begin, end);
               });
  });
}
ACLNN_SECOND_PHASE(aclnnEmbeddingDenseBackward)
