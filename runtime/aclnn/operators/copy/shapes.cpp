// SPDX-License-Identifier: Apache-2.0
// One tensor in another order, repeated, or cut.
#include "aclnnop/aclnn_expand.h"
#include "aclnnop/aclnn_flip.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_repeat_interleave.h"
#include "aclnnop/aclnn_roll.h"
#include "aclnnop/aclnn_slice.h"
#include "runtime/aclnn/loops/copy.h"

namespace aclnn {
namespace {

constexpr TypeSet kShaped = kEvery.without({ACL_COMPLEX32});
constexpr TypeSet kRepeated = kFloats | kIntegers | kBool;
constexpr TypeSet kSliced = kRepeated.without({ACL_INT16});
constexpr TypeSet kRolled = kRepeated | TypeSet{ACL_UINT32, ACL_COMPLEX64};
constexpr TypeSet kExpanded = kSliced.without({ACL_BF16});

void plan_shaped(Planner& p, const View& from, const View& to) {
  p.require_shape(to, from.shape);
  p.require_castable(from.type, to);
  plan_copy(p, from, to);
}

View permuted_as(const Planner& p, const View& x, const std::vector<std::int64_t>& dims) {
  require(static_cast<int>(dims.size()) == x.rank(),
          "dims has {} entries; expected {}, one for each dim", dims.size(), x.rank());
  if (!dims.empty()) p.dims(dims, x.rank(), "dims");  // all of them differ
  std::array<int, kMaxRank> order{};
  for (std::size_t i = 0; i < dims.size(); ++i) order[i] = p.dim(dims[i], x.rank(), "dims");
  return x.permuted(std::span<const int>(order.data(), dims.size()));
}

void plan_repeat(Planner& p, const View& x, const std::vector<std::int64_t>& repeats,
                 const View& y) {
  const auto rank = static_cast<int>(repeats.size());
  require(rank >= x.rank() && rank <= kMaxRank, "repeats has {} entries; expected {} to {}", rank,
          x.rank(), kMaxRank);
  const int missing = rank - x.rank();
  Shape shape;
  for (int d = 0; d < rank; ++d) {
    const std::int64_t often = repeats[static_cast<std::size_t>(d)];
    require(often >= 0, "repeats[{}] is {}; expected 0 or more", d, often);
    shape.append(often * (d < missing ? 1 : x.size(d - missing)));
  }
  p.require_shape(y, shape);
  p.require_castable(x.type, y);
  std::vector<CopyLoop> loops;
  for (int d = 0; d < rank; ++d) {
    const std::int64_t size = d < missing ? 1 : x.size(d - missing);
    loops.push_back({repeats[static_cast<std::size_t>(d)], 0, size * y.stride(d)});
    if (d >= missing) loops.push_back({size, x.stride(d - missing), y.stride(d)});
  }
  Copies copies;
  copies.add(x, y, loops);
  copies.plan(p);
}

void plan_interleave(Planner& p, View x, std::int64_t repeats, std::int64_t along,
                     std::int64_t output_size, const View& y) {
  const int dim = p.dim(along, x.rank(), "dim");
  require(repeats >= 0, "repeats is {}; expected 0 or more", repeats);
  if (x.rank() == 0) x = x.with_unit(0);
  Shape shape = x.shape;
  shape[dim] *= repeats;
  require(output_size == shape[dim], "outputSize is {}; expected {}", output_size, shape[dim]);
  p.require_shape(y, shape);
  p.require_castable(x.type, y);
  std::vector<CopyLoop> loops = loops_of(x, y);
  CopyLoop& loop = loops[static_cast<std::size_t>(dim)];
  const CopyLoop again{repeats, 0, loop.to};
  loop = {x.size(dim), loop.from, loop.to * repeats};
  loops.push_back(again);
  Copies copies;
  copies.add(x, y, loops);
  copies.plan(p);
}

View sliced_as(const Planner& p, const View& x, std::int64_t along, std::int64_t start,
               std::int64_t end, std::int64_t step) {
  p.require_rank(x, 1, kMaxRank);
  const int dim = p.dim(along, x.rank(), "dim");
  require(step > 0, "step is {}; expected 1 or more", step);
  const std::int64_t size = x.size(dim);
  const auto place = [size](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size);
  };
  const std::int64_t first = place(start), length = std::max<std::int64_t>(place(end) - first, 0);
  return x.sliced(dim, first, length == 0 ? 0 : (length - 1) / step + 1, step);
}

void plan_roll(Planner& p, const View& x, const std::vector<std::int64_t>& shifts,
               const std::vector<std::int64_t>& dims, const View& y) {
  require(shifts.size() == dims.size(), "shifts has {} entries and dims has {}; expected as many",
          shifts.size(), dims.size());
  p.require_shape(y, x.shape);
  p.require_castable(x.type, y);
  std::array<std::int64_t, kMaxRank> shift{};
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const int dim = p.dim(dims[i], x.rank(), "dims");
    if (x.rank() == 0 || x.size(dim) == 0) continue;
    const std::int64_t size = x.size(dim);
    auto& own = shift[static_cast<std::size_t>(dim)];
    own = (own + shifts[i] % size + size) % size;
  }
  std::vector<std::pair<View, View>> parts{{x, y}};  // each shifted dim cuts all of them in two
  for (int d = 0; d < x.rank(); ++d) {
    const std::int64_t by = shift[static_cast<std::size_t>(d)], rest = x.size(d) - by;
    if (by == 0) continue;
    const std::vector<std::pair<View, View>> whole = std::move(parts);
    parts.clear();
    for (const auto& [from, to] : whole) {
      parts.emplace_back(from.sliced(d, 0, rest), to.sliced(d, by, rest));
      parts.emplace_back(from.sliced(d, rest, by), to.sliced(d, 0, by));
    }
  }
  Copies copies;
  for (const auto& [from, to] : parts) copies.add(from, to);
  copies.plan(p);
}

View flipped(const Planner& p, View x, const std::vector<std::int64_t>& dims) {
  if (dims.empty() || x.rank() == 0) {
    for (const std::int64_t dim : dims) p.dim(dim, x.rank(), "dims");
    return x;
  }
  const auto mask = p.dims(dims, x.rank(), "dims");
  for (int d = 0; d < x.rank(); ++d) {
    if (mask[static_cast<std::size_t>(d)]) x = x.sliced(d, x.size(d) - 1, x.size(d), -1);
  }
  return x;
}

Shape expanded_shape(const View& x, const std::vector<std::int64_t>& size) {
  const auto rank = static_cast<int>(size.size());
  require(rank >= x.rank() && rank <= kMaxRank, "size has {} entries; expected {} to {}", rank,
          x.rank(), kMaxRank);
  Shape shape{std::span<const std::int64_t>(size)};
  const int missing = rank - x.rank();
  for (int d = 0; d < rank; ++d) {
    if (shape[d] == -1 && d >= missing) shape[d] = x.size(d - missing);
    require(shape[d] >= 0, "size[{}] is {}; expected 0 or more, or -1 for a dim of self", d,
            shape[d]);
  }
  return shape;
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnPermuteGetWorkspaceSize(const aclTensor* self, const aclIntArray* dims,
                                         aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return first_phase("aclnnPermute", workspaceSize, executor, [&](Planner& p) {
    const auto [x, order, y] =
        p.take(In{self, "self", kShaped}, Ints{dims, "dims"}, Out{out, "out", kShaped});
    plan_shaped(p, permuted_as(p, x, order), y);
  });
}
ACLNN_SECOND_PHASE(aclnnPermute)

aclnnStatus aclnnRepeatGetWorkspaceSize(const aclTensor* self, const aclIntArray* repeats,
                                        aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return first_phase("aclnnRepeat", workspaceSize, executor, [&](Planner& p) {
    const auto [x, often, y] =
        p.take(In{self, "self", kShaped}, Ints{repeats, "repeats"}, Out{out, "out", kShaped});
    plan_repeat(p, x, often, y);
  });
}
ACLNN_SECOND_PHASE(aclnnRepeat)

aclnnStatus aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(const aclTensor* self, int64_t repeats,
                                                            int64_t dim, int64_t outputSize,
                                                            aclTensor* out, uint64_t* workspaceSize,
                                                            aclOpExecutor** executor) {
  return first_phase("aclnnRepeatInterleaveIntWithDim", workspaceSize, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{self, "self", kRepeated}, Out{out, "out", kRepeated});
    plan_interleave(p, x, repeats, dim, outputSize, y);
  });
}
ACLNN_SECOND_PHASE(aclnnRepeatInterleaveIntWithDim)

aclnnStatus aclnnSliceGetWorkspaceSize(const aclTensor* self, int64_t dim, int64_t start,
                                       int64_t end, int64_t step, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnSlice", workspaceSize, executor, [&](Planner& p) {
    const auto [x, y] = p.take(In{self, "self", kSliced}, Out{out, "out", kSliced});
    plan_shaped(p, sliced_as(p, x, dim, start, end, step), y);
  });
}
ACLNN_SECOND_PHASE(aclnnSlice)

aclnnStatus aclnnRollGetWorkspaceSize(const aclTensor* x, const aclIntArray* shifts,
                                      const aclIntArray* dims, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnRoll", workspaceSize, executor, [&](Planner& p) {
    const auto [from, by, along, to] = p.take(In{x, "x", kRolled}, Ints{shifts, "shifts"},
                                              Ints{dims, "dims"}, Out{out, "out", kRolled});
    plan_roll(p, from, by, along, to);
  });
}
ACLNN_SECOND_PHASE(aclnnRoll)

aclnnStatus aclnnFlipGetWorkspaceSize(const aclTensor* self, const aclIntArray* dims,
                                      aclTensor* out, uint64_t* workspaceSize,
                                      aclOpExecutor** executor) {
  return first_phase("aclnnFlip", workspaceSize, executor, [&](Planner& p) {
    const auto [x, along, y] =
        p.take(In{self, "self", kNumbers}, Ints{dims, "dims"}, Out{out, "out", kNumbers});
    plan_shaped(p, flipped(p, x, along), y);
  });
}
ACLNN_SECOND_PHASE(aclnnFlip)

aclnnStatus aclnnExpandGetWorkspaceSize(const aclTensor* self, const aclIntArray* size,
                                        aclTensor* out, uint64_t* workspaceSize,
                                        aclOpExecutor** executor) {
  return first_phase("aclnnExpand", workspaceSize, executor, [&](Planner& p) {
    const auto [x, sizes, y] =
        p.take(In{self, "self", kExpanded}, Ints{size, "size"}, Out{out, "out", kExpanded});
    plan_shaped(p, p.expand(x, expanded_shape(x, sizes)), y);
  });
}
ACLNN_SECOND_PHASE(aclnnExpand)
