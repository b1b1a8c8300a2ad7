// SPDX-License-Identifier: Apache-2.0
// Lists of tensors made one, and one tensor made a list.
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_split_tensor.h"
#include "aclnnop/aclnn_split_with_size.h"
#include "aclnnop/aclnn_stack.h"
#include "runtime/aclnn/loops/copy.h"

namespace aclnn {
namespace {

constexpr TypeSet kJoined = kEvery.without({ACL_COMPLEX32});

void require_members(const std::vector<View>& list, const char* name) {
  require(!list.empty(), "{} is empty; expected one tensor or more", name);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i]) fail(kNullPointer, "{}[{}] is null", name, i);
  }
}

aclDataType promoted(const Planner& p, const std::vector<View>& list) {
  View all = list[0];
  for (const View& view : list) all.type = p.promote(all, view);
  return all.type;
}

/// A tensor of the shape [0] joins with anything.
bool counts_for_nothing(const View& view) { return view.rank() == 1 && view.size(0) == 0; }

void plan_cat(Planner& p, const std::vector<View>& tensors, std::int64_t along, const View& out) {
  require_members(tensors, "tensors");
  p.require_castable(promoted(p, tensors), out);
  const View* first = nullptr;
  for (const View& view : tensors) {
    if (!first || counts_for_nothing(*first)) first = &view;
  }
  require(first->rank() != 0, "tensors have rank 0; expected 1 dim or more");
  const int dim = p.dim(along, first->rank(), "dim");
  Shape shape = first->shape;
  shape[dim] = 0;
  Copies copies;
  std::vector<std::pair<View, std::int64_t>> parts;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const View& view = tensors[i];
    if (counts_for_nothing(view)) continue;
    Shape expected = view.shape;
    require(view.rank() == shape.rank, "tensors[{}] has the shape {}; expected {} dims", i,
            view.shape.text(), shape.rank);
    expected[dim] = shape[dim];
    require(expected == shape, "tensors[{}] has the shape {}; expected {} but for dim {}", i,
            view.shape.text(), first->shape.text(), dim);
    parts.emplace_back(view, shape[dim]);
    shape[dim] += view.size(dim);
  }
  p.require_shape(out, shape);
  for (const auto& [view, at] : parts) copies.add(view, out.sliced(dim, at, view.size(dim)));
  copies.plan(p);
}

void plan_stack(Planner& p, const std::vector<View>& tensors, std::int64_t along, const View& out) {
  require_members(tensors, "tensors");
  p.require_castable(promoted(p, tensors), out);
  const Shape& one = tensors[0].shape;
  const int dim = p.dim(along, one.rank + 1, "dim");
  require(one.rank < kMaxRank, "tensors have {} dims; expected at most {}", one.rank, kMaxRank - 1);
  Shape shape = tensors[0].with_unit(dim).shape;
  shape[dim] = static_cast<std::int64_t>(tensors.size());
  p.require_shape(out, shape);
  Copies copies;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    require(tensors[i].shape == one, "tensors[{}] has the shape {}; expected {}", i,
            tensors[i].shape.text(), one.text());
    copies.add(tensors[i], out.selected(dim, static_cast<std::int64_t>(i)));
  }
  copies.plan(p);
}

void plan_split(Planner& p, const View& self, const std::vector<std::int64_t>& sizes, int dim,
                const std::vector<View>& out) {
  require_members(out, "out");
  require(out.size() == sizes.size(), "out has {} tensors; expected {}", out.size(), sizes.size());
  Copies copies;
  std::int64_t at = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    Shape shape = self.shape;
    shape[dim] = sizes[i];
    require(out[i].shape == shape, "out[{}] has the shape {}; expected {}", i, out[i].shape.text(),
            shape.text());
    p.require_castable(self.type, out[i]);
    copies.add(self.sliced(dim, at, sizes[i]), out[i]);
    at += sizes[i];
  }
  copies.plan(p);
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnCatGetWorkspaceSize(const aclTensorList* tensors, int64_t dim, aclTensor* out,
                                     uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnCat", workspaceSize, executor, [&](Planner& p) {
    const auto [list, y] = p.take(ListIn{tensors, "tensors", kJoined}, Out{out, "out", kJoined});
    plan_cat(p, list, dim, y);
  });
}
ACLNN_SECOND_PHASE(aclnnCat)

aclnnStatus aclnnStackGetWorkspaceSize(const aclTensorList* tensors, int64_t dim, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnStack", workspaceSize, executor, [&](Planner& p) {
    const auto [list, y] = p.take(ListIn{tensors, "tensors", kJoined}, Out{out, "out", kJoined});
    plan_stack(p, list, dim, y);
  });
}
ACLNN_SECOND_PHASE(aclnnStack)

aclnnStatus aclnnSplitTensorGetWorkspaceSize(const aclTensor* self, uint64_t splitSections,
                                             int64_t dim, aclTensorList* out,
                                             uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnSplitTensor", workspaceSize, executor, [&](Planner& p) {
    const auto [x, list] = p.take(In{self, "self", kJoined}, ListOut{out, "out", kJoined});
    p.require_rank(x, 1, kMaxRank);
    const int d = p.dim(dim, x.rank(), "dim");
    const std::int64_t size = x.size(d);
    require(splitSections != 0 || size == 0, "splitSections is 0; expected 1 or more");
    const auto most = static_cast<std::int64_t>(
        std::min(splitSections, static_cast<std::uint64_t>(std::max<std::int64_t>(size, 1))));
    std::vector<std::int64_t> sizes;
    for (std::int64_t at = 0; at < size; at += most) sizes.push_back(std::min(most, size - at));
    if (sizes.empty()) sizes.push_back(0);
    plan_split(p, x, sizes, d, list);
  });
}
ACLNN_SECOND_PHASE(aclnnSplitTensor)

aclnnStatus aclnnSplitWithSizeGetWorkspaceSize(const aclTensor* self, const aclIntArray* splitSize,
                                               int64_t dim, aclTensorList* out,
                                               uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnSplitWithSize", workspaceSize, executor, [&](Planner& p) {
    const auto [x, sizes, list] = p.take(In{self, "self", kJoined}, Ints{splitSize, "splitSize"},
                                         ListOut{out, "out", kJoined});
    p.require_rank(x, 1, kMaxRank);
    const int d = p.dim(dim, x.rank(), "dim");
    std::int64_t sum = 0;
    for (const std::int64_t size : sizes) {
      require(size >= 0 && size <= x.size(d) - sum,
              "splitSize has the sizes {}; expected a sum of {}, the size of dim {}",
              fmt::join(sizes, ", "), x.size(d), d);
      sum += size;
    }
    require(sum == x.size(d), "the sum of splitSize is {}; expected {}, the size of dim {}", sum,
            x.size(d), d);
    plan_split(p, x, sizes, d, list);
  });
}
ACLNN_SECOND_PHASE(aclnnSplitWithSize)
