// SPDX-License-Identifier: Apache-2.0
// An index for each element: gather and scatter along one dim.
#include "aclnnop/aclnn_gather.h"
#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_scatter.h"
#include "aclnnop/aclnn_scatter_add.h"
#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/loops/copy_rows.h"
#include "runtime/aclnn/loops/elementwise.h"
#include "runtime/aclnn/operators/index/places.h"

namespace aclnn {
namespace {

constexpr TypeSet kScattered = kNumbers;
constexpr TypeSet kIndexAdded = kReals;
constexpr TypeSet kGathered = kReals | kWideUnsigned;

enum class Reduce { replace, add, multiply };

View with_dims(const View& view) { return view.rank() == 0 ? view.with_unit(0) : view; }

/// The elements of a tensor that an index tensor of the same rank leads to, in the order of the
/// index.
class Aim {
 public:
  /// `index` names elements of a dim of `target`; in error texts they begin `first` later in the
  /// dim `cut`.
  Aim(Execution& run, const Data& target, int dim, const View& index, const char* name,
      bool from_end, int cut = 0, std::int64_t first = 0)
      : run_(run),
        base_(target.at),
        index_(index),
        size_(target.view.size(dim)),
        step_(target.view.stride(dim) * static_cast<std::int64_t>(size_of(target.view.type))),
        name_(name),
        from_end_(from_end),
        cut_(cut),
        first_(first),
        reader_(run.at(index)),
        walk_(around(target, dim, index.shape)) {}

  void seek(std::int64_t element) {
    at_ = element;
    reader_.seek(element);
    walk_.seek(element);
  }
  /// Offsets of the next elements from the target's address; kChunk at most.
  bool next(std::int64_t count, std::int64_t* offsets);

 private:
  static Data around(Data target, int dim, const Shape& shape) {
    target.view.shape = shape;
    target.view.strides[static_cast<std::size_t>(dim)] = 0;
    return target;
  }

  Execution& run_;
  std::byte* const base_;
  const View index_;
  const std::int64_t size_, step_;
  const char* const name_;
  const bool from_end_;
  const int cut_;
  const std::int64_t first_;
  Reader<std::int64_t> reader_;
  Walk walk_;
  std::int64_t at_ = 0;
};

bool Aim::next(std::int64_t count, std::int64_t* offsets) {
  std::int64_t buffer[kChunk];
  const std::int64_t* const index = reader_.next(count, buffer);
  const std::int64_t least = from_end_ ? -size_ : 0;
  for (std::int64_t done = 0; done < count;) {
    const Walk::Segment piece = walk_.next(count - done);
    for (std::int64_t i = 0; i < piece.count; ++i, ++done) {
      std::int64_t chosen = index[done];
      if (chosen < least || chosen >= size_) [[unlikely]] {
        run_.fail(fmt::format("{} is {}; expected {} to {}",
                              element_text(name_, index_.shape, at_ + done, cut_, first_), chosen,
                              least, size_ - 1));
        return false;
      }
      if (chosen < 0) chosen += size_;
      offsets[done] = piece.at - base_ + i * piece.step + chosen * step_;
    }
  }
  at_ += count;
  return true;
}

/// The scattered values: a tensor of at least the index's shape, or one value.
struct Scattered {
  View tensor;
  Element value;
  Data data(const Execution& run, const Shape& shape) const {
    if (!tensor) {
      Data data{tensor, const_cast<std::byte*>(value.bytes.data())};
      data.view = data.view.expanded(shape);
      return data;
    }
    Data data = run.at(tensor);
    data.view.shape = shape;
    return data;
  }
};

template <class T>
void combine(std::byte* at, aclDataType type, T value, Reduce reduce) {
  const T old = load_one<T>(at, type);
  store_one<T>(reduce == Reduce::add ? old + value : old * value, at, type);
}

struct Scatter {
  View self, index, out;
  Scattered source;
  const char* index_name;
  int dim;
  Reduce reduce;
  aclScalar alpha;

  void run(Execution& run, int cut, std::int64_t begin, std::int64_t end) const;

 private:
  void replace(Execution& run, Aim& aim, const Data& target, const Data& from) const;
  template <class T>
  void combine_all(Aim& aim, const Data& target, const Data& from) const;
};

void Scatter::replace(Execution&, Aim& aim, const Data& target, const Data& from) const {
  const RowsOfSize& rows = rows_of_size(static_cast<std::int64_t>(size_of(target.view.type)));
  Walk walk(from);
  std::int64_t offsets[kChunk];
  for (std::int64_t at = 0, all = from.count(); at < all; at += kChunk) {
    const std::int64_t count = std::min(kChunk, all - at);
    if (!aim.next(count, offsets)) return;
    for (std::int64_t done = 0; done < count;) {
      const Walk::Segment piece = walk.next(count - done);
      rows.scatter(piece.at, piece.step, target.at, offsets + done, piece.count);
      done += piece.count;
    }
  }
}

template <class T>
void Scatter::combine_all(Aim& aim, const Data& target, const Data& from) const {
  Reader<T> reader(from);
  T buffer[kChunk];
  std::int64_t offsets[kChunk];
  const T factor = alpha.as<T>();
  for (std::int64_t at = 0, all = from.count(); at < all; at += kChunk) {
    const std::int64_t count = std::min(kChunk, all - at);
    if (!aim.next(count, offsets)) return;
    const T* const values = reader.next(count, buffer);
    for (std::int64_t i = 0; i < count; ++i) {
      combine<T>(target.at + offsets[i], target.view.type, factor * values[i], reduce);
    }
  }
}

/// The slices [begin, end) of a dim that no index is about, all that happens to them.
void Scatter::run(Execution& run, int cut, std::int64_t begin, std::int64_t end) const {
  const auto part = [&](const View& view) {
    const std::int64_t first = std::min(begin, view.size(cut));
    return view.sliced(cut, first, std::min(end, view.size(cut)) - first);
  };
  const bool whole = dim == cut;  // there is no other dim
  const View from = whole ? self : part(self), to = whole ? out : part(out);
  const View chosen = whole ? index : part(index);
  Scattered values = source;
  if (values.tensor && !whole) values.tensor = values.tensor.sliced(cut, begin, 0);
  const Data given = values.data(run, chosen.shape);
  // Sums of halves are rounded once.
  const bool wide = reduce != Reduce::replace && kHalves.has(out.type);
  std::vector<float> sums(static_cast<std::size_t>(wide ? to.count() : 0));
  const View scratch = contiguous_view(to.shape, ACL_FLOAT);
  const Data target = wide ? Data{scratch, reinterpret_cast<std::byte*>(sums.data())} : run.at(to);
  Transfer(from, target.view).run(run.at(from).at, target.at);
  if (chosen.count() != 0) {
    Aim aim(run, target, dim, chosen, index_name, false, cut, whole ? 0 : begin);
    if (reduce == Reduce::replace) {
      replace(run, aim, target, given);
    } else {
      with_compute_type(target.view.lane(),
                        [&](auto zero) { combine_all<decltype(zero)>(aim, target, given); });
    }
  }
  if (wide && !run.failed()) Transfer(scratch, to).run(target.at, run.at(to).at);
}

void plan_scatter(Planner& p, Scatter scatter) {
  const View &self = scatter.self, &index = scatter.index, &tensor = scatter.source.tensor;
  p.require_shape(scatter.out, self.shape);
  p.require_type(scatter.out, self.type);
  p.require_rank(index, self.rank(), self.rank());
  if (tensor) {
    p.require_rank(tensor, self.rank(), self.rank());
    p.require_type(tensor, self.type);
  }
  int cut = scatter.dim == 0 && self.rank() > 1 ? 1 : 0;
  for (int d = 0; d < self.rank(); ++d) {
    require((d == scatter.dim || index.size(d) <= self.size(d)) &&
                (!tensor || index.size(d) <= tensor.size(d)),
            "{} has the shape {}; expected at most that of self{} in dim {}", scatter.index_name,
            index.shape.text(), tensor ? " and of src" : "", d);
    if (d != scatter.dim && self.size(d) > self.size(cut)) cut = d;
  }
  if (self.count() == 0) return;
  const bool whole = cut == scatter.dim;
  const std::int64_t slices = whole ? 1 : self.size(cut);
  const std::int64_t cost = (self.count() + 4 * index.count()) / slices + 1;
  p.job_over(
      slices, std::max<std::int64_t>(kLeastElements / cost, 1),
      [scatter = std::move(scatter), cut](Execution& run, std::int64_t begin, std::int64_t end) {
        scatter.run(run, cut, begin, end);
      });
}

Reduce reduce_of(std::int64_t reduce) {
  require(reduce >= 0 && reduce <= 2, "reduce is {}; expected 0 to 2", reduce);
  return static_cast<Reduce>(reduce);
}

aclScalar one() {
  aclScalar scalar;
  scalar.type = ACL_INT64;
  scalar.integer = 1;
  scalar.number = 1.0;
  return scalar;
}

aclnnStatus scatter_tensor(const char* function, const aclTensor* self, std::int64_t dim,
                           const aclTensor* index, const aclTensor* src, std::int64_t reduce,
                           const aclTensor* out, std::uint64_t* workspace,
                           aclOpExecutor** executor) {
  return first_phase(function, workspace, executor, [&](Planner& p) {
    const auto [x, i, from, y] = p.take(In{self, "self", kScattered}, In{index, "index", kIndexes},
                                        In{src, "src", kScattered}, Out{out, "out", kScattered});
    p.require_rank(from, x.rank(), x.rank());
    plan_scatter(p, {with_dims(x),
                     with_dims(i),
                     with_dims(y),
                     {with_dims(from), {}},
                     "index",
                     p.dim(dim, x.rank(), "dim"),
                     reduce_of(reduce),
                     one()});
  });
}

void plan_gather_elements(Planner& p, const View& self, int dim, const View& index,
                          const View& out) {
  p.require_type(out, self.type);
  p.require_rank(index, self.rank(), self.rank());
  p.require_shape(out, index.shape);
  for (int d = 0; d < self.rank(); ++d) {
    require(d == dim || index.size(d) <= self.size(d),
            "index has the shape {}; expected at most that of self, {}, but for dim {}",
            index.shape.text(), self.shape.text(), dim);
  }
  p.job_over(index.count(), kLeastElements,
             [=](Execution& run, std::int64_t begin, std::int64_t end) {
               const Data source = run.at(self);
               Aim aim(run, source, dim, index, "index", true);
               Walk targets(run.at(out));
               aim.seek(begin);
               targets.seek(begin);
               const RowsOfSize& rows = rows_of_size(static_cast<std::int64_t>(size_of(self.type)));
               std::int64_t offsets[kChunk];
               while (begin < end) {
                 const std::int64_t count = std::min(kChunk, end - begin);
                 if (!aim.next(count, offsets)) return;
                 for (std::int64_t done = 0; done < count;) {
                   const Walk::Segment piece = targets.next(count - done);
                   rows.gather(source.at, offsets + done, piece.at, piece.step, piece.count);
                   done += piece.count;
                 }
                 begin += count;
               }
             });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnScatterGetWorkspaceSize(const aclTensor* self, int64_t dim, const aclTensor* index,
                                         const aclTensor* src, int64_t reduce, aclTensor* out,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return scatter_tensor("aclnnScatter", self, dim, index, src, reduce, out, workspaceSize,
                        executor);
}
ACLNN_SECOND_PHASE(aclnnScatter)

aclnnStatus aclnnScatterAddGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                            const aclTensor* index, const aclTensor* src,
                                            aclTensor* out, uint64_t* workspaceSize,
                                            aclOpExecutor** executor) {
  return scatter_tensor("aclnnScatterAdd", self, dim, index, src, 1, out, workspaceSize, executor);
}
ACLNN_SECOND_PHASE(aclnnScatterAdd)

aclnnStatus aclnnScatterValueGetWorkspaceSize(const aclTensor* self, int64_t dim,
                                              const aclTensor* index, const aclScalar* value,
                                              int64_t reduce, aclTensor* out,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnScatterValue", workspaceSize, executor, [&](Planner& p) {
    const auto [x, i, scalar, y] =
        p.take(In{self, "self", kScattered}, In{index, "index", kIndexes}, Value{value, "value"},
               Out{out, "out", kScattered});
    View none;
    none.type = x.type;
    plan_scatter(p, {with_dims(x),
                     with_dims(i),
                     with_dims(y),
                     {none, element_of(scalar, x.type)},
                     "index",
                     p.dim(dim, x.rank(), "dim"),
                     reduce_of(reduce),
                     one()});
  });
}
ACLNN_SECOND_PHASE(aclnnScatterValue)

aclnnStatus aclnnIndexAddGetWorkspaceSize(const aclTensor* self, const int64_t dim,
                                          const aclTensor* index, const aclTensor* source,
                                          const aclScalar* alpha, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnIndexAdd", workspaceSize, executor, [&](Planner& p) {
    const auto [x, i, from, factor, y] =
        p.take(In{self, "self", kIndexAdded}, In{index, "index", kIndexes},
               In{source, "source", kIndexAdded}, Value{alpha, "alpha", kReals},
               Out{out, "out", kIndexAdded});
    p.require_rank(i, 0, 1);
    const int along = p.dim(dim, x.rank(), "dim");
    const View self_view = with_dims(x), source_view = with_dims(from), chosen = with_dims(i);
    Shape shape = self_view.shape;
    shape[along] = chosen.size(0);
    p.require_shape(source_view, shape);
    // The same index for all elements of a slice.
    View all = chosen;
    all.shape = shape;
    all.strides = {};
    all.strides[static_cast<std::size_t>(along)] = chosen.stride(0);
    plan_scatter(
        p, {self_view, all, with_dims(y), {source_view, {}}, "index", along, Reduce::add, factor});
  });
}
ACLNN_SECOND_PHASE(aclnnIndexAdd)

aclnnStatus aclnnGatherGetWorkspaceSize(const aclTensor* self, const int64_t dim,
                                        const aclTensor* index, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnGather", workspaceSize, executor, [&](Planner& p) {
    const auto [x, i, y] = p.take(In{self, "self", kGathered}, In{index, "index", kIndexes},
                                  Out{out, "out", kGathered});
    const int along = p.dim(dim, x.rank(), "dim");
    plan_gather_elements(p, with_dims(x), along, with_dims(i), with_dims(y));
  });
}
ACLNN_SECOND_PHASE(aclnnGather)
