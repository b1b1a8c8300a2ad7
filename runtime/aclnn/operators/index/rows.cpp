// SPDX-License-Identifier: Apache-2.0
// Slices along one dim, chosen by one tensor of indices.
#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_fill_tensor.h"
#include "aclnnop/aclnn_index_select.h"
#include "runtime/aclnn/operators/index/places.h"

namespace aclnn {
namespace {

constexpr TypeSet kSelected = kEvery.without({ACL_COMPLEX32});
constexpr TypeSet kIndexFilled = kFloats | kIndexes | kBool;

View at_least_one_dim(const View& view) { return view.rank() == 0 ? view.with_unit(0) : view; }

/// The dense tensor has the dims of the index in the place of the dim. The dense one may be larger
/// or smaller in memory, its shape is the caller's to check.
void plan_slices(Planner& p, const View& indexed, int dim, const View& index, const View& dense,
                 Direction direction) {
  const auto bytes = static_cast<std::int64_t>(size_of(indexed.type));
  Places places(index.shape, false);
  places.add(index, p.name(index), {indexed.size(dim), indexed.stride(dim) * bytes});
  IndexedCopy copy{std::move(places), indexed, dense, {}, {}};
  copy.dense.shape = index.shape;
  for (int d = 0; d < index.rank(); ++d) {
    copy.dense.strides[static_cast<std::size_t>(d)] = dense.stride(dim + d);
  }
  for (int d = 0; d < indexed.rank(); ++d) {
    if (d == dim) continue;
    const int other = d < dim ? d : d + index.rank() - 1;
    (d < dim ? copy.outer : copy.block)
        .push_back({indexed.size(d), indexed.stride(d), dense.stride(other)});
  }
  plan_indexed(p, std::move(copy), direction);
}

/// out = self with the dim replaced by the selected indices.
void plan_gather(Planner& p, const View& self, int dim, const View& index, const View& out) {
  Shape shape;
  for (int d = 0; d < dim; ++d) shape.append(self.size(d));
  require(self.rank() - 1 + index.rank() <= kMaxRank, "out has {} dims; expected at most {}",
          self.rank() - 1 + index.rank(), kMaxRank);
  for (int d = 0; d < index.rank(); ++d) shape.append(index.size(d));
  for (int d = dim + 1; d < self.rank(); ++d) shape.append(self.size(d));
  p.require_shape(out, shape);
  p.require_castable(self.type, out);
  plan_slices(p, self, dim, index, out, Direction::gather);
}

void plan_index_copy(Planner& p, View self, std::int64_t along, const View& index, View source) {
  p.require_rank(index, 0, 1);
  p.require_type(source, self.type);
  const int dim = p.dim(along, self.rank(), "dim");
  self = at_least_one_dim(self);
  source = at_least_one_dim(source);
  const View chosen = at_least_one_dim(index);
  Shape shape = self.shape;
  shape[dim] = chosen.size(0);
  p.require_shape(source, shape);
  plan_slices(p, self, dim, chosen, source, Direction::scatter);
}

/// Indices in host memory, so their order is known: consecutive indices become one copy.
void plan_index_fill(Planner& p, View self, std::int64_t along, std::vector<std::int64_t> index,
                     const aclScalar& value) {
  const int dim = p.dim(along, self.rank(), "dim");
  self = at_least_one_dim(self);
  const std::int64_t size = self.size(dim);
  for (std::size_t i = 0; i < index.size(); ++i) {
    require(index[i] >= -size && index[i] < size, "index[{}] is {}; expected {} to {}", i, index[i],
            -size, size - 1);
    if (index[i] < 0) index[i] += size;
  }
  std::sort(index.begin(), index.end());
  index.erase(std::unique(index.begin(), index.end()), index.end());
  const Element filled = element_of(value, self.type);
  Copies copies;
  for (std::size_t i = 0; i < index.size();) {
    std::size_t end = i + 1;
    while (end < index.size() && index[end] == index[end - 1] + 1) ++end;
    copies.fill(filled, self.sliced(dim, index[i], static_cast<std::int64_t>(end - i)));
    i = end;
  }
  copies.plan(p);
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnGatherV2GetWorkspaceSize(const aclTensor* self, int64_t dim,
                                          const aclTensor* index, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnGatherV2", workspaceSize, executor, [&](Planner& p) {
    const auto [x, i, y] = p.take(In{self, "self", kSelected}, In{index, "index", kIndexes},
                                  Out{out, "out", kSelected});
    const int along = p.dim(dim, x.rank(), "dim");
    plan_gather(p, at_least_one_dim(x), along, i, y);
  });
}
ACLNN_SECOND_PHASE(aclnnGatherV2)

aclnnStatus aclnnIndexSelectGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                             const aclTensor* index, aclTensor* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnIndexSelect", workspaceSize, executor, [&](Planner& p) {
    const auto [x, i, y] = p.take(In{self, "self", kSelected}, In{index, "index", kIndexes},
                                  Out{out, "out", kSelected});
    p.require_rank(i, 0, 1);
    const int along = p.dim(dim, x.rank(), "dim");
    // A tensor of rank 0 stays one, for any index.
    const View to = x.rank() == 0 ? at_least_one_dim(y) : y;
    plan_gather(p, at_least_one_dim(x), along, at_least_one_dim(i), to);
  });
}
ACLNN_SECOND_PHASE(aclnnIndexSelect)

aclnnStatus aclnnEmbeddingGetWorkspaceSize(const aclTensor* weight, const aclTensor* indices,
                                           const aclTensor* out, uint64_t* workspaceSize,
                                           aclOpExecutor** executor) {
  return first_phase("aclnnEmbedding", workspaceSize, executor, [&](Planner& p) {
    const auto [x, i, y] = p.take(In{weight, "weight", kSelected}, In{indices, "indices", kIndexes},
                                  Out{out, "out", kSelected});
    p.require_rank(x, 2, 2);
    plan_gather(p, x, 0, i, y);
  });
}
ACLNN_SECOND_PHASE(aclnnEmbedding)

aclnnStatus aclnnInplaceIndexCopyGetWorkspaceSize(aclTensor* selfRef, int64_t dim,
                                                  const aclTensor* index, const aclTensor* source,
                                                  uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return first_phase("aclnnInplaceIndexCopy", workspaceSize, executor, [&](Planner& p) {
    const auto [x, i, from] = p.take(Ref{selfRef, "selfRef", kSelected},
                                     In{index, "index", kIndexes}, In{source, "source", kSelected});
    plan_index_copy(p, x, dim, i, from);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceIndexCopy)

aclnnStatus aclnnInplaceIndexFillTensorGetWorkspaceSize(aclTensor* selfRef, int64_t dim,
                                                        const aclIntArray* index,
                                                        const aclScalar* value,
                                                        uint64_t* workspaceSize,
                                                        aclOpExecutor** executor) {
  return first_phase("aclnnInplaceIndexFillTensor", workspaceSize, executor, [&](Planner& p) {
    const auto [x, i, filled] = p.take(Ref{selfRef, "selfRef", kIndexFilled}, Ints{index, "index"},
                                       Value{value, "value", kReals});
    plan_index_fill(p, x, dim, i, filled);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceIndexFillTensor)
