// SPDX-License-Identifier: Apache-2.0
// Products of short floats with weights in few bits, by groups of rows.
#include "runtime/aclnn/operators/matrix/grouped.h"
#include "runtime/aclnn/operators/matrix/quant_weights.h"

namespace aclnn {
namespace {

/// A group's tensor in a list: its member, or its part of the only member. `rank`: the greatest
/// rank of a member.
View member_of(const Planner& p, const std::vector<View>& list, std::size_t group,
               std::size_t groups, int rank, const char* name) {
  if (list.empty()) return {};
  const bool whole = list.size() == 1 && list[0] && list[0].rank() > 1 &&
                     list[0].size(0) == static_cast<std::int64_t>(groups) &&
                     (groups > 1 || list[0].rank() > rank);
  require(whole || list.size() == groups,
          "{} has {} members; expected one, or one for each of {} groups", name, list.size(),
          groups);
  const View& member = list[whole ? 0 : group];
  require(static_cast<bool>(member), "member {} of {} is null", group, name);
  p.require_rank(member, 1, rank + (whole ? 1 : 0));
  return whole ? member.selected(0, static_cast<std::int64_t>(group)) : member;
}

struct WeightOnlyGroup {
  QuantWeights weight;
  View bias;  // [n]; may be false
};

struct WeightOnlyGroups {
  View x, y, groups;
  bool counts;
  std::vector<WeightOnlyGroup> all;

  void compute(Execution& run, std::size_t group, std::int64_t column, std::int64_t columns) const {
    std::int64_t begin = 0, end = 0;
    if (!find_group(run, groups, group, counts, x.size(0), begin, end) || begin == end) return;
    const WeightOnlyGroup& one = all[group];
    Product<float> product;
    product.m = end - begin;
    product.n = columns;
    product.k = x.size(1);
    product.a = source_of<float>(x.sliced(0, begin, end - begin));
    product.b.along_rows = one.weight.along_rows;
    product.b.load = [&one, column](Execution& at, const Tile& block, std::vector<float>& scratch) {
      Tile moved = block;
      moved.column += column;
      return one.weight.load(at, moved, scratch);
    };
    product.out = y.sliced(0, begin, end - begin).sliced(1, column, columns);
    if (one.bias) product.finish = add_columns(one.bias.sliced(0, column, columns));
    const Work work = work_of(std::move(product));
    for (std::int64_t i = 0; i < work.pieces; ++i) work.job(run, i);
  }

 private:
  static FinishTile<float> add_columns(const View& bias) {
    return [bias](Execution& run, const Tile& block, float* tile) {
      thread_local std::vector<float> scratch;
      const Matrix<float> more =
          load_block(run.at(bias.with_unit(0)), {0, 0, 1, block.column, block.columns}, scratch);
      for (std::int64_t i = 0; i < block.rows; ++i) {
        for (std::int64_t j = 0; j < block.columns; ++j) {
          tile[i * block.columns + j] += more.data[j * more.column];
        }
      }
    };
  }
};

}  // namespace

void plan_weight_only_groups(Planner& p, const GroupedArguments& a) {
  if (!a.groups)
    fail(kNullPointer, "groupListOptional is null; expected it, as weight has few bits");
  if (!a.weight_scale)
    fail(kNullPointer, "antiquantScaleOptional is null; expected it, as weight has few bits");
  const auto [x, weight, bias, scale, offset, groups, y] =
      p.take(ListIn{a.x, "x", kHalves}, ListIn{a.weight, "weight", {ACL_INT8, ACL_INT4}},
             OptListIn{a.bias, "biasOptional", kFloats},
             ListIn{a.weight_scale, "antiquantScaleOptional", kHalves},
             OptListIn{a.weight_offset, "antiquantOffsetOptional", kHalves},
             In{a.groups, "groupListOptional", {ACL_INT64}}, ListOut{a.y, a.y_name, kHalves});
  require(a.group_type == 0, "groupType is {}; expected 0, as weight has few bits", a.group_type);
  require(a.list_type == 0 || a.list_type == 1, "groupListType is {}; expected 0 or 1",
          a.list_type);
  require(x.size() == 1 && x[0] && y.size() == 1 && y[0],
          "x and {} have {} and {} members; expected one", a.y_name, x.size(), y.size());
  p.require_rank(x[0], 2, 2);
  p.require_rank(y[0], 2, 2);
  p.require_rank(groups, 1, 1);
  p.require_type(y[0], x[0].type);
  WeightOnlyGroups all{x[0], y[0], groups, a.list_type == 1, {}};
  const std::int64_t k = x[0].size(1), n = y[0].size(1);
  p.require_shape(y[0], Shape{x[0].size(0), n});
  const auto count = static_cast<std::size_t>(groups.size(0));
  for (std::size_t i = 0; i < count; ++i) {
    const auto part = [&](const std::vector<View>& list, int rank, const char* name) {
      return member_of(p, list, i, count, rank, name);
    };
    const View scales = part(scale, 2, "antiquantScaleOptional");
    const std::int64_t rows = scales.rank() == 2 ? std::max<std::int64_t>(scales.size(0), 1) : 1;
    require(k % rows == 0, "antiquantScaleOptional has {} rows; expected what divides {}", rows, k);
    all.all.push_back(
        {quant_weights(p, part(weight, 2, "weight"), scales,
                       part(offset, 2, "antiquantOffsetOptional"), k, n, rows == 1 ? 0 : k / rows),
         part(bias, 1, "biasOptional")});
    if (all.all.back().bias) p.require_shape(all.all.back().bias, Shape{n});
  }
  if (n == 0 || k == 0) return;
  const std::int64_t parts = (n + kGroupColumns - 1) / kGroupColumns;
  p.job(groups.size(0) * parts, [all, parts, n](Execution& run, std::int64_t piece) {
    const std::int64_t column = n * (piece % parts) / parts;
    all.compute(run, static_cast<std::size_t>(piece / parts), column,
                n * (piece % parts + 1) / parts - column);
  });
}

}  // namespace aclnn
