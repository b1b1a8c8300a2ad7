// SPDX-License-Identifier: Apache-2.0
// Products of several pairs of matrices in one call: GroupedMatmulV3 and V4.
#include <algorithm>

#include "aclnnop/aclnn_grouped_matmul_v3.h"
#include "aclnnop/aclnn_grouped_matmul_v4.h"
#include "runtime/aclnn/operators/matrix/common.h"
#include "runtime/aclnn/operators/matrix/grouped.h"

namespace aclnn {
namespace {

/// The products that accept a list of parameters that few products have.
enum class ListUse { nobody, bytes, weights };

struct FewHaveList {
  const aclTensorList* list;
  const char* name;
  ListUse use = ListUse::nobody;
};

/// The kinds of operands: floats, bytes, or floats with weights in few bits.
ListUse kind_of(const aclTensorList* x, const aclTensorList* weight) {
  const auto type = [](const aclTensorList* list) {
    return list->tensors.empty() || !list->tensors[0] ? ACL_DT_UNDEFINED : list->tensors[0]->type;
  };
  if (type(x) == ACL_INT8) return ListUse::bytes;
  const aclDataType weights = type(weight);
  return weights == ACL_INT8 || weights == ACL_INT4 ? ListUse::weights : ListUse::nobody;
}

/// Adds bias[column] to each row.
FinishTile<float> add_row(const View& bias) {
  if (!bias) return {};
  return [bias](Execution& run, const Tile& block, float* tile) {
    thread_local std::vector<float> scratch;
    const Matrix<float> row =
        load_block(run.at(bias), {0, 0, 1, block.column, block.columns}, scratch);
    for (std::int64_t i = 0; i < block.rows; ++i) {
      for (std::int64_t j = 0; j < block.columns; ++j) {
        tile[i * block.columns + j] += row.data[j * row.column];
      }
    }
  };
}

class GroupedProduct {
 public:
  GroupedProduct(Planner& p, const GroupedArguments& a) : p_(p), a_(a) {}

  void plan() {
    auto [x, weight, bias, groups, y] = p_.take(
        ListIn{a_.x, "x", kFloats}, ListIn{a_.weight, "weight", kFloats},
        OptListIn{a_.bias, "biasOptional", kFloats},
        OptIn{a_.groups, "groupListOptional", {ACL_INT64}}, ListOut{a_.y, a_.y_name, kFloats});
    for (const auto* const list : {&x, &weight, &y}) {
      for (const View& view : *list)
        require(static_cast<bool>(view), "a member of x, weight or {} is null", a_.y_name);
    }
    x_ = x, weight_ = weight, y_ = y, groups_ = groups;
    bias_ = bias;
    std::erase_if(bias_, [](const View& view) { return !view; });
    check();
    if (a_.group_type == 2) return plan_inner();
    count_ = weight_.size() == 1 && weight_[0].rank() == 3
                 ? weight_[0].size(0)
                 : static_cast<std::int64_t>(weight_.size());
    require(bias_.empty() || static_cast<std::int64_t>(bias_.size()) == count_ ||
                (bias_.size() == 1 && bias_[0].rank() == 2 && bias_[0].size(0) == count_),
            "biasOptional has {} members; expected one for each of {} groups", bias_.size(),
            count_);
    if (x_.size() == 1 && y_.size() == 1 && groups_) return plan_rows();
    plan_pairs();
  }

 private:
  void check() const {
    require(a_.split_item >= 0 && a_.split_item <= 3, "splitItem is {}; expected 0 to 3",
            a_.split_item);
    require(a_.group_type == -1 || a_.group_type == 0 || a_.group_type == 2,
            "groupType is {}; expected -1, 0 or 2", a_.group_type);
    require(a_.list_type == 0 || a_.list_type == 1, "groupListType is {}; expected 0 or 1",
            a_.list_type);
    require(!x_.empty() && !weight_.empty() && !y_.empty(),
            "x, weight or {} is empty; expected tensors", a_.y_name);
    if (groups_) p_.require_rank(groups_, 1, 1);
  }

  View weight_of(std::int64_t group) const {
    const View& view = weight_.size() == 1 ? weight_[0] : weight_[static_cast<std::size_t>(group)];
    if (view.rank() == 3 && weight_.size() == 1) return view.selected(0, group);
    p_.require_rank(view, 2, 2);
    return view;
  }
  /// As one row; false if it is absent.
  View bias_of(std::int64_t group, std::int64_t n) const {
    if (bias_.empty()) return {};
    View view = bias_.size() == 1 ? bias_[0] : bias_[static_cast<std::size_t>(group)];
    if (view.rank() == 2 && bias_.size() == 1) view = view.selected(0, group);
    p_.require_shape(view, Shape{n});
    return view.with_unit(0);
  }

  /// Each pair has tensors, or rows, of its own.
  void plan_pairs() {
    const auto x_rows = std::int64_t{x_.size() == 1} & std::int64_t{count_ > 1};
    const auto y_rows = std::int64_t{y_.size() == 1} & std::int64_t{count_ > 1};
    require(!(x_rows && y_rows),
            "groupListOptional is null; expected the ends of the groups of rows");
    for (const auto* const list : {&x_, &y_}) {
      require(list->size() == 1 || static_cast<std::int64_t>(list->size()) == count_,
              "{} has {} members; expected 1 or {}", list == &x_ ? "x" : a_.y_name, list->size(),
              count_);
    }
    std::vector<Work> works;
    std::int64_t row = 0;
    for (std::int64_t i = 0; i < count_; ++i) {
      const auto member = static_cast<std::size_t>(i);
      View x = x_rows ? x_[0] : x_[x_.size() == 1 ? 0 : member];
      View y = y_rows ? y_[0] : y_[y_.size() == 1 ? 0 : member];
      p_.require_rank(x, 2, 6);
      p_.require_rank(y, 2, 6);
      const std::int64_t rows = x_rows ? y.size(0) : x.size(0);
      if (x_rows) x = rows_of(x, row, rows);
      if (y_rows) y = rows_of(y, row, rows);
      row += rows;
      works.push_back(pair(x, weight_of(i), y, i));
    }
    plan_works(p_, std::move(works));
  }

  View rows_of(const View& view, std::int64_t row, std::int64_t rows) const {
    require(row + rows <= view.size(0), "{} has the shape {}; expected {} rows or more",
            p_.name(view), view.shape.text(), row + rows);
    return view.sliced(0, row, rows);
  }

  Work pair(View x, View weight, const View& y, std::int64_t group) const {
    p_.require_shape(y, expand_matrices(p_, x, weight));
    return product_of_views<float>(x, weight, y, add_row(bias_of(group, y.size(y.rank() - 1))));
  }

  /// The groups are rows of x, which the program counts in memory of the device.
  void plan_rows() {
    p_.require_rank(x_[0], 2, 2);
    View weight = weight_of(0), x = x_[0];
    p_.require_shape(y_[0], expand_matrices(p_, x, weight));
    p_.require_shape(groups_, Shape{count_});
    const std::int64_t n = y_[0].size(1), parts = (n + kGroupColumns - 1) / kGroupColumns;
    std::vector<View> weights, biases;
    for (std::int64_t i = 0; i < count_; ++i) {
      weights.push_back(weight_of(i));
      p_.require_shape(weights.back(), Shape{x.size(1), n});
      biases.push_back(bias_of(i, n));
    }
    p_.job(count_ * parts, [x, y = y_[0], groups = groups_, weights, biases, parts, n,
                            counts = a_.list_type == 1](Execution& run, std::int64_t piece) {
      const auto group = static_cast<std::size_t>(piece / parts);
      std::int64_t begin = 0, end = 0;
      if (!find_group(run, groups, group, counts, x.size(0), begin, end) || begin == end) return;
      const std::int64_t column = n * (piece % parts) / parts;
      const std::int64_t columns = n * (piece % parts + 1) / parts - column;
      const View bias = biases[group] ? biases[group].sliced(1, column, columns) : View{};
      const Work work = product_of_views<float>(
          x.sliced(0, begin, end - begin), weights[group].sliced(1, column, columns),
          y.sliced(0, begin, end - begin).sliced(1, column, columns), add_row(bias));
      for (std::int64_t i = 0; i < work.pieces; ++i) work.job(run, i);
    });
  }

  /// The groups are columns of x and rows of the weight.
  void plan_inner() {
    require(static_cast<bool>(groups_),
            "groupListOptional is null; expected the ends of the groups");
    require(
        x_.size() == 1 && weight_.size() == 1 && y_.size() == 1 && bias_.empty(),
        "x, weight and {} have {}, {} and {} members and biasOptional {}; expected 1, 1, 1 and 0",
        a_.y_name, x_.size(), weight_.size(), y_.size(), bias_.size());
    p_.require_rank(x_[0], 2, 2);
    p_.require_rank(weight_[0], 2, 2);
    require_inner(p_, x_[0], weight_[0]);
    const std::int64_t count = groups_.size(0);
    p_.require_shape(y_[0], Shape{count, x_[0].size(0), weight_[0].size(1)});
    p_.job(count, [x = x_[0], weight = weight_[0], y = y_[0], groups = groups_,
                   counts = a_.list_type == 1](Execution& run, std::int64_t group) {
      std::int64_t begin = 0, end = 0;
      if (!find_group(run, groups, static_cast<std::size_t>(group), counts, x.size(1), begin, end))
        return;
      const Work work =
          product_of_views<float>(x.sliced(1, begin, end - begin),
                                  weight.sliced(0, begin, end - begin), y.selected(0, group));
      for (std::int64_t i = 0; i < work.pieces; ++i) work.job(run, i);
    });
  }

  Planner& p_;
  const GroupedArguments& a_;
  std::vector<View> x_, weight_, bias_, y_;
  View groups_;
  std::int64_t count_ = 0;
};

void plan_grouped(Planner& p, const GroupedArguments& arguments,
                  std::initializer_list<FewHaveList> lists) {
  if (!arguments.x) fail(kNullPointer, "x is null");
  if (!arguments.weight) fail(kNullPointer, "weight is null");
  if (!arguments.y) fail(kNullPointer, "{} is null", arguments.y_name);
  const ListUse kind = kind_of(arguments.x, arguments.weight);
  for (const FewHaveList& one : lists) {
    const bool given =
        one.list && std::any_of(one.list->tensors.begin(), one.list->tensors.end(),
                                [](const aclTensor* tensor) { return tensor != nullptr; });
    const char* const why = kind == ListUse::bytes     ? "x is INT8"
                            : kind == ListUse::weights ? "weight has few bits and x is not INT8"
                                                       : "x and weight are not INT8";
    require(!given || (kind != ListUse::nobody && one.use == kind),
            "{} is given; expected null, as {}", one.name, why);
  }
  switch (kind) {
    case ListUse::bytes:
      return plan_quantised_groups(p, arguments);
    case ListUse::weights:
      return plan_weight_only_groups(p, arguments);
    case ListUse::nobody:
      return GroupedProduct(p, arguments).plan();
  }
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

#define ACLNN_LIST(parameter) \
  { parameter, #parameter }
#define ACLNN_LIST_OF_BYTES(parameter) \
  { parameter, #parameter, ListUse::bytes }
#define ACLNN_LIST_OF_WEIGHTS(parameter) \
  { parameter, #parameter, ListUse::weights }
aclnnStatus aclnnGroupedMatmulV3GetWorkspaceSize(
    const aclTensorList* x, const aclTensorList* weight, const aclTensorList* biasOptional,
    const aclTensorList* scaleOptional, const aclTensorList* offsetOptional,
    const aclTensorList* antiquantScaleOptional, const aclTensorList* antiquantOffsetOptional,
    const aclTensor* groupListOptional, int64_t splitItem, int64_t groupType,
    const aclTensorList* y, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnGroupedMatmulV3", workspaceSize, executor, [&](Planner& p) {
    plan_grouped(p,
                 {x, weight, biasOptional, y, "y", groupListOptional, splitItem, groupType, 0,
                  scaleOptional, nullptr, antiquantScaleOptional, antiquantOffsetOptional},
                 {ACLNN_LIST_OF_BYTES(scaleOptional), ACLNN_LIST(offsetOptional),
                  ACLNN_LIST_OF_WEIGHTS(antiquantScaleOptional),
                  ACLNN_LIST_OF_WEIGHTS(antiquantOffsetOptional)});
  });
}
ACLNN_SECOND_PHASE(aclnnGroupedMatmulV3)

aclnnStatus aclnnGroupedMatmulV4GetWorkspaceSize(
    const aclTensorList* x, const aclTensorList* weight, const aclTensorList* biasOptional,
    const aclTensorList* scaleOptional, const aclTensorList* offsetOptional,
    const aclTensorList* antiquantScaleOptional, const aclTensorList* antiquantOffsetOptional,
    const aclTensorList* perTokenScaleOptional, const aclTensor* groupListOptional,
    const aclTensorList* activationInputOptional, const aclTensorList* activationQuantScaleOptional,
    const aclTensorList* activationQuantOffsetOptional, int64_t splitItem, int64_t groupType,
    int64_t groupListType, int64_t actType, aclTensorList* out,
    aclTensorList* activationFeatureOutOptional, aclTensorList* dynQuantScaleOutOptional,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnGroupedMatmulV4", workspaceSize, executor, [&](Planner& p) {
    require(actType == 0, "actType is {}; activations are not supported: expected 0", actType);
    plan_grouped(
        p,
        {x, weight, biasOptional, out, "out", groupListOptional, splitItem, groupType,
         groupListType, scaleOptional, perTokenScaleOptional, antiquantScaleOptional,
         antiquantOffsetOptional},
        {ACLNN_LIST_OF_BYTES(scaleOptional), ACLNN_LIST(offsetOptional),
         ACLNN_LIST_OF_WEIGHTS(antiquantScaleOptional),
         ACLNN_LIST_OF_WEIGHTS(antiquantOffsetOptional), ACLNN_LIST_OF_BYTES(perTokenScaleOptional),
         ACLNN_LIST(activationInputOptional), ACLNN_LIST(activationQuantScaleOptional),
         ACLNN_LIST(activationQuantOffsetOptional), ACLNN_LIST(activationFeatureOutOptional),
         ACLNN_LIST(dynQuantScaleOutOptional)});
  });
}
ACLNN_SECOND_PHASE(aclnnGroupedMatmulV4)
#undef ACLNN_LIST
#undef ACLNN_LIST_OF_BYTES
#undef ACLNN_LIST_OF_WEIGHTS
