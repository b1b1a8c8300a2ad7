// SPDX-License-Identifier: Apache-2.0
// Indices of several dims at once: numbers that broadcast together, masks, and dims that are left
// whole.
#include "aclnnop/aclnn_index.h"
#include "aclnnop/aclnn_index_put_impl.h"
#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/operators/index/places.h"

namespace aclnn {
namespace {

constexpr TypeSet kIndexed = kEvery;
constexpr TypeSet kPut = kReals;
constexpr TypeSet kMasks = kBool | TypeSet{ACL_UINT8};

/// The effect of a list of indices on a tensor.
struct Indices {
  struct One {
    View view;
    int dim;  // the first that it chooses from
  };
  std::vector<One> numbers, masks;
  std::array<bool, kMaxRank> chosen{};  // dims of the tensor that are gone
  int at = 0;                           // where in the result the indices' dims are
  Shape shape;                          // of the numbers together

  int rank() const { return masks.empty() ? shape.rank : std::max(shape.rank, 1); }
};

Indices taken_apart(const Planner& p, const View& self, const std::vector<View>& list) {
  Indices indices;
  int dim = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool mask = list[i] && kMasks.has(list[i].type);
    const int dims = mask ? list[i].rank() : 1;
    require(dims > 0, "indices[{}] is a mask of rank 0; expected 1 dim or more", i);
    require(dim + dims <= self.rank(), "indices has more dims than self, which has the shape {}",
            self.shape.text());
    for (int d = 0; mask && d < dims; ++d) {
      require(list[i].size(d) == self.size(dim + d),
              "indices[{}] has the shape {}; expected the size {} in dim {}", i,
              list[i].shape.text(), self.size(dim + d), d);
    }
    if (list[i]) {
      (mask ? indices.masks : indices.numbers).push_back({list[i], dim});
      std::fill_n(indices.chosen.begin() + dim, dims, true);
      if (!mask) {
        View all = list[i];
        all.shape = indices.shape;
        indices.shape = p.broadcast(all, list[i]);
      }
    }
    dim += dims;
  }
  require(!indices.numbers.empty() || !indices.masks.empty(),
          "indices has no tensors; expected one or more");
  // Adjacent indexed dims keep their position; otherwise the indexed dims move to the front.
  const auto begin = indices.chosen.begin(), end = begin + self.rank();
  const auto first = std::find(begin, end, true);
  const auto last = std::find(first, end, false);
  if (std::find(last, end, true) == end) indices.at = static_cast<int>(first - begin);
  return indices;
}

/// The shape of the result, where the indices have this shape.
Shape result_shape(const View& self, const Indices& indices, const Shape& places) {
  Shape rest, shape;
  for (int d = 0; d < self.rank(); ++d) {
    if (!indices.chosen[static_cast<std::size_t>(d)]) rest.append(self.size(d));
  }
  for (int d = 0; d < indices.at; ++d) shape.append(rest[d]);
  for (int d = 0; d < places.rank; ++d) shape.append(places[d]);
  for (int d = indices.at; d < rest.rank; ++d) shape.append(rest[d]);
  return shape;
}

void require_result_rank(const View& self, const Indices& indices) {
  const auto gone = std::count(indices.chosen.begin(), indices.chosen.end(), true);
  const int rank = self.rank() - static_cast<int>(gone) + indices.rank();
  require(rank <= kMaxRank, "the result has {} dims; expected at most {}", rank, kMaxRank);
}

/// Between the blocks of self and a dense tensor of the result's shape.
IndexedCopy copy_of(const View& self, const Indices& indices, const Shape& places,
                    const View& dense) {
  const auto bytes = static_cast<std::int64_t>(size_of(self.type));
  const auto chosen = [&](int dim) { return Chosen{self.size(dim), self.stride(dim) * bytes}; };
  IndexedCopy copy{Places(places, true), self, dense, {}, {}};
  for (const Indices::One& one : indices.numbers)
    copy.places.add(one.view, "indices", chosen(one.dim));
  for (const Indices::One& one : indices.masks) {
    std::vector<Chosen> dims;
    for (int d = 0; d < one.view.rank(); ++d) dims.push_back(chosen(one.dim + d));
    copy.places.add_mask(one.view, "indices", std::move(dims));
  }
  copy.dense.shape = places;
  for (int d = 0; d < places.rank; ++d) {
    copy.dense.strides[static_cast<std::size_t>(d)] = dense.stride(indices.at + d);
  }
  int other = 0;
  for (int d = 0; d < self.rank(); ++d) {
    if (indices.chosen[static_cast<std::size_t>(d)]) continue;
    const bool before = other < indices.at;
    (before ? copy.outer : copy.block)
        .push_back(
            {self.size(d), self.stride(d), dense.stride(other + (before ? 0 : places.rank))});
    ++other;
  }
  return copy;
}

void plan_index(Planner& p, const View& self, const std::vector<View>& list, const View& out) {
  const Indices indices = taken_apart(p, self, list);
  require_result_rank(self, indices);
  p.require_type(out, self.type);
  Shape places = indices.shape;
  if (!indices.masks.empty()) {  // the output's size determines their number
    if (places.rank == 0) places.append(1);
    const int last = indices.at + places.rank - 1;
    if (places[places.rank - 1] == 1 && last < out.rank()) places[places.rank - 1] = out.size(last);
  }
  p.require_shape(out, result_shape(self, indices, places));
  plan_indexed(p, copy_of(self, indices, places, out), Direction::gather);
}

/// Offsets of all places with their numbers, sorted: equal offsets are neighbours.
std::vector<std::pair<std::int64_t, std::int64_t>> sorted_places(Execution& run,
                                                                 const Places& places) {
  Places::Reading reading(run, places);
  std::vector<std::pair<std::int64_t, std::int64_t>> order;
  std::int64_t offsets[kChunk];
  for (std::int64_t at = 0, all = places.count(); at < all; at += kChunk) {
    const std::int64_t count = std::min(kChunk, all - at);
    if (!reading.get(at, count, offsets)) return {};
    for (std::int64_t i = 0; i < count; ++i) order.emplace_back(offsets[i], at + i);
  }
  std::sort(order.begin(), order.end());
  return order;
}

/// A view of one block: all loops but those over places.
Data block_of(Data data, const IndexedCopy& copy, std::int64_t CopyLoop::*stride) {
  data.view.shape.rank = 0;
  for (const auto* loops : {&copy.outer, &copy.block}) {
    for (const CopyLoop& loop : *loops) {
      data.view.strides[static_cast<std::size_t>(data.view.rank())] = loop.*stride;
      data.view.shape.append(loop.size);
    }
  }
  return data;
}

/// Sums into the elements [begin, end) of the indexed blocks: all values of one place one after the
/// other, rounded once.
template <class T>
void sum_into_places(Execution& run, const IndexedCopy& copy, std::int64_t begin,
                     std::int64_t end) {
  const auto order = sorted_places(run, copy.places);
  const Data indexed = run.at(copy.indexed), dense = run.at(copy.dense);
  Data target = block_of(indexed, copy, &CopyLoop::from);
  Data source = block_of(dense, copy, &CopyLoop::to);
  Walk walk(dense);
  T sums[kChunk], buffer[kChunk];
  for (std::size_t first = 0, next; first < order.size(); first = next) {
    for (next = first; next < order.size() && order[next].first == order[first].first;) ++next;
    target.at = indexed.at + order[first].first;
    for (std::int64_t at = begin; at < end; at += kChunk) {
      const std::int64_t part = std::min(kChunk, end - at);
      Reader<T> old(target);
      old.seek(at);
      std::copy_n(old.next(part, buffer), part, sums);
      for (std::size_t i = first; i < next; ++i) {
        walk.seek(order[i].second);
        source.at = walk.next(1).at;
        Reader<T> added(source);
        added.seek(at);
        const T* const more = added.next(part, buffer);
        for (std::int64_t k = 0; k < part; ++k) sums[k] += more[k];
      }
      Writer<T> writer(target);
      writer.seek(at);
      writer.write(part, sums);
    }
  }
}

void run_accumulated(Execution& run, const IndexedCopy& copy, std::int64_t begin,
                     std::int64_t end) {
  with_compute_type(copy.indexed.lane(), [&](auto zero) {
    if constexpr (std::is_arithmetic_v<decltype(zero)>) {
      sum_into_places<decltype(zero)>(run, copy, begin, end);
    }
  });
}

std::int64_t block_count(const IndexedCopy& copy) {
  std::int64_t count = 1;
  for (const auto* loops : {&copy.outer, &copy.block}) {
    for (const CopyLoop& loop : *loops) count *= loop.size;
  }
  return count;
}

/// How many places masks choose is known when they have been read.
void put_masked(Execution& run, const View& self, const Indices& indices, const View& values,
                bool accumulates) {
  std::int64_t found = 0;
  for (const Indices::One& mask : indices.masks)
    found = std::max(found, count_true(run, mask.view));
  Shape places = indices.shape;
  if (places.rank == 0) places.append(1);
  if (places[places.rank - 1] == 1) places[places.rank - 1] = found;
  const Shape shape = result_shape(self, indices, places);
  Shape both;
  if (!broadcast(values.shape, shape, both) || !(both == shape)) {
    return run.fail(fmt::format("values has the shape {}, which does not broadcast to {}",
                                values.shape.text(), shape.text()));
  }
  const IndexedCopy copy = copy_of(self, indices, places, values.expanded(shape));
  if (!accumulates) return run_indexed(run, copy, Direction::scatter);
  run_accumulated(run, copy, 0, block_count(copy));
}

void plan_put(Planner& p, const View& self, const std::vector<View>& list, const View& values,
              bool accumulates) {
  const Indices indices = taken_apart(p, self, list);
  require_result_rank(self, indices);
  p.require_type(values, self.type);
  if (!indices.masks.empty()) {
    p.job(1, [=](Execution& run, std::int64_t) {
      put_masked(run, self, indices, values, accumulates);
    });
    return;
  }
  const Shape shape = result_shape(self, indices, indices.shape);
  IndexedCopy copy = copy_of(self, indices, indices.shape, p.expand(values, shape));
  if (!accumulates) return plan_indexed(p, std::move(copy), Direction::scatter);
  if (copy.places.count() == 0) return;
  const std::int64_t count = block_count(copy);
  p.job_over(count, kChunk,
             [copy = std::move(copy)](Execution& run, std::int64_t begin, std::int64_t end) {
               run_accumulated(run, copy, begin, end);
             });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnIndexGetWorkspaceSize(const aclTensor* self, const aclTensorList* indices,
                                       aclTensor* out, uint64_t* workspaceSize,
                                       aclOpExecutor** executor) {
  return first_phase("aclnnIndex", workspaceSize, executor, [&](Planner& p) {
    const auto [x, list, y] =
        p.take(In{self, "self", kIndexed}, ListIn{indices, "indices", kIndexes | kMasks},
               Out{out, "out", kIndexed});
    plan_index(p, x, list, y);
  });
}
ACLNN_SECOND_PHASE(aclnnIndex)

aclnnStatus aclnnIndexPutImplGetWorkspaceSize(aclTensor* selfRef, const aclTensorList* indices,
                                              const aclTensor* values, const bool accumulate,
                                              const bool unsafe, uint64_t* workspaceSize,
                                              aclOpExecutor** executor) {
  static_cast<void>(unsafe);  // indices are always checked
  return first_phase("aclnnIndexPutImpl", workspaceSize, executor, [&](Planner& p) {
    const auto [x, list, from] =
        p.take(Ref{selfRef, "selfRef", kPut}, ListIn{indices, "indices", kIndexes | kBool},
               In{values, "values", kPut});
    plan_put(p, x, list, from, accumulate);
  });
}
ACLNN_SECOND_PHASE(aclnnIndexPutImpl)
