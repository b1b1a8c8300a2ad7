// SPDX-License-Identifier: Apache-2.0
#include "aclnnop/aclnn_argsort.h"
#include "aclnnop/aclnn_sort.h"
#include "aclnnop/aclnn_topk.h"
#include "aclnnop/aclnn_unique2.h"
#include "runtime/aclnn/loops/rows.h"
#include "runtime/aclnn/operators/lanes.h"
#include "runtime/aclnn/operators/sort/order.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {
namespace {

constexpr TypeSet kSortable = kReals | kWideUnsigned;
constexpr TypeSet kFastSortable = kSortable.without({ACL_DOUBLE});
constexpr std::int64_t kLeastSorted = 1 << 12;  // elements worth a piece

struct SortPlan {
  Split x, values, indexes;
  bool has_values;
  bool descending;
  std::int64_t wanted;  // of each row
};

template <class T>
void sort_rows(Execution& run, const SortPlan& plan, std::int64_t begin, std::int64_t end) {
  const RowReader<T> reader(plan.x.along);
  const RowWriter<std::int64_t> index_writer(plan.indexes.along);
  const RowWriter<T> value_writer(plan.has_values ? plan.values.along : plan.x.along);
  std::vector<T> row(static_cast<std::size_t>(reader.count()));
  std::vector<T> values(static_cast<std::size_t>(plan.wanted));
  Walk to_indexes(run.at(plan.indexes.rows));
  Walk to_values(run.at(plan.has_values ? plan.values.rows : plan.x.rows));
  to_indexes.seek(begin);
  to_values.seek(begin);
  RowOrder order;
  each_row(run.at(plan.x.rows), begin, end, [&](std::byte* at, std::int64_t) {
    const T* const x = reader.all(at, row.data());
    const auto& places = order.of(x, reader.count(), plan.descending, plan.wanted);
    std::byte* const value_target = to_values.next(1).at;
    if (plan.has_values) {
      for (std::size_t i = 0; i < places.size(); ++i) values[i] = x[places[i]];
      value_writer.put(value_target, values.data());
    }
    index_writer.put(to_indexes.next(1).at, places.data());
  });
}

void plan_sort(Planner& p, const View& x, std::int64_t dim, bool descending, std::int64_t wanted,
               const View& values, const View& indexes) {
  const int along = p.dim(dim, x.rank(), "dim");
  Shape shape = x.shape;
  if (wanted >= 0) {
    const std::int64_t size = x.rank() == 0 ? 1 : x.size(along);
    require(wanted <= size, "k is {}; expected 0 to {}", wanted, size);
    if (x.rank() != 0) shape[along] = wanted;
  }
  p.require_shape(indexes, shape);
  if (values) {
    p.require_shape(values, shape);
    p.require_type(values, x.type);
  }
  if (shape.count() == 0) return;
  const Dims mask = one_dim(along);
  SortPlan plan{split(x, mask), {}, split(indexes, mask), static_cast<bool>(values), descending, 0};
  if (values) plan.values = split(values, mask);
  plan.wanted = plan.indexes.along.count();
  in_lane<RealLanes>(x.lane(), [&](auto zero) {
    p.job_over(plan.x.rows.count(), std::max<std::int64_t>(1, kLeastSorted / plan.x.along.count()),
               [plan](Execution& run, std::int64_t begin, std::int64_t end) {
                 sort_rows<decltype(zero)>(run, plan, begin, end);
               });
  });
}

struct UniquePlan {
  View x, values, inverse, counts;  // the last two may be missing
};

/// Different values in ascending order; what is not a number differs from everything.
template <class T>
void unique_values(Execution& run, const UniquePlan& plan) {
  const std::vector<T> all = elements_of<T>(run.at(plan.x));
  const auto count = static_cast<std::int64_t>(all.size());
  RowOrder order;
  const auto& places = order.of(all.data(), count, false, count);
  std::vector<T> values;
  std::vector<std::int64_t> inverse(all.size()), counts;
  for (const std::int64_t place : places) {
    const T value = all[static_cast<std::size_t>(place)];
    if (values.empty() || !(values.back() == value)) {
      values.push_back(value);
      counts.push_back(0);
    }
    ++counts.back();
    inverse[static_cast<std::size_t>(place)] = static_cast<std::int64_t>(values.size()) - 1;
  }
  const auto different = static_cast<std::int64_t>(values.size());
  if (different != 0) Writer<T>(run.at(plan.values)).write(different, values.data());
  run.set_shape(plan.values, Shape{different});
  if (plan.inverse && count != 0) {
    Writer<std::int64_t>(run.at(plan.inverse)).write(count, inverse.data());
  }
  if (!plan.counts) return;
  if (different != 0) Writer<std::int64_t>(run.at(plan.counts)).write(different, counts.data());
  run.set_shape(plan.counts, Shape{different});
}

/// An output whose size becomes known when the operator runs.
void require_room(Planner& p, const View& out, std::int64_t most) {
  require(out.count() >= most && out.contiguous(),
          "{} has the shape {}; expected at least {} elements that lie side by side", p.name(out),
          out.shape.text(), most);
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnArgsortGetWorkspaceSize(const aclTensor* self, int64_t dim, bool descending,
                                         aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return first_phase("aclnnArgsort", workspaceSize, executor, [&](Planner& p) {
    const auto [x, y] =
        p.take(In{self, "self", kFastSortable.without(kBool)}, Out{out, "out", {ACL_INT64}});
    plan_sort(p, x, dim, descending, -1, {}, y);
  });
}
ACLNN_SECOND_PHASE(aclnnArgsort)

// The order is always stable.
aclnnStatus aclnnSortGetWorkspaceSize(const aclTensor* self, bool /*stable*/, int64_t dim,
                                      bool descending, aclTensor* valuesOut, aclTensor* indicesOut,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnSort", workspaceSize, executor, [&](Planner& p) {
    const auto [x, values, indexes] =
        p.take(In{self, "self", kFastSortable}, Out{valuesOut, "valuesOut", kSortable},
               Out{indicesOut, "indicesOut", {ACL_INT64}});
    plan_sort(p, x, dim, descending, -1, values, indexes);
  });
}
ACLNN_SECOND_PHASE(aclnnSort)

// The result is always sorted.
aclnnStatus aclnnTopkGetWorkspaceSize(const aclTensor* self, int64_t k, int64_t dim, bool largest,
                                      bool /*sorted*/, aclTensor* valuesOut, aclTensor* indicesOut,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnTopk", workspaceSize, executor, [&](Planner& p) {
    const auto [x, values, indexes] = p.take(In{self, "self", kSortable.without(kBool)},
                                             Out{valuesOut, "valuesOut", kSortable.without(kBool)},
                                             Out{indicesOut, "indicesOut", {ACL_INT64}});
    require(k >= 0, "k is {}; expected 0 or more", k);
    plan_sort(p, x, dim, largest, k, values, indexes);
  });
}
ACLNN_SECOND_PHASE(aclnnTopk)

aclnnStatus aclnnUnique2GetWorkspaceSize(const aclTensor* self, bool /*sorted*/, bool returnInverse,
                                         bool returnCounts, aclTensor* valueOut,
                                         aclTensor* inverseOut, aclTensor* countsOut,
                                         uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnUnique2", workspaceSize, executor, [&](Planner& p) {
    const auto [x, values, inverse, counts] = p.take(
        In{self, "self", kSortable}, Out{valueOut, "valueOut", kSortable},
        OptOut{inverseOut, "inverseOut", {ACL_INT64}}, OptOut{countsOut, "countsOut", {ACL_INT64}});
    p.require_type(values, x.type);
    require_room(p, values, x.count());
    require(!returnInverse || inverse, "inverseOut is null; expected a tensor with returnInverse");
    require(!returnCounts || counts, "countsOut is null; expected a tensor with returnCounts");
    if (returnInverse) p.require_shape(inverse, x.shape);
    if (returnCounts) require_room(p, counts, x.count());
    const UniquePlan plan{x, values, returnInverse ? inverse : View{},
                          returnCounts ? counts : View{}};
    in_lane<RealLanes>(x.lane(), [&](auto zero) {
      p.job(1, [plan](Execution& run, std::int64_t) { unique_values<decltype(zero)>(run, plan); });
    });
  });
}
ACLNN_SECOND_PHASE(aclnnUnique2)
