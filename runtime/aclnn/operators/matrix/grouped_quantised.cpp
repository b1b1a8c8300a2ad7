// SPDX-License-Identifier: Apache-2.0
// Products of bytes by groups of rows, as in layers of experts.
#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/operators/matrix/common.h"
#include "runtime/aclnn/operators/matrix/grouped.h"
#include "runtime/aclnn/operators/matrix/quant_result.h"

namespace aclnn {
namespace {

constexpr TypeSet kGroupScales{ACL_FLOAT, ACL_BF16, ACL_INT64, ACL_UINT64};

/// A group's tensor in a list: its member, or its part of the only member.
View part_of(const Planner& p, const std::vector<View>& list, std::size_t group, int rank,
             const char* name) {
  if (list.empty()) return {};
  const bool whole = list.size() == 1 && list[0] && list[0].rank() == rank + 1;
  const std::size_t count = whole ? static_cast<std::size_t>(list[0].size(0)) : list.size();
  require(group < count, "{} has {} members; expected one for each group", name, count);
  if (whole) return list[0].selected(0, static_cast<std::int64_t>(group));
  require(static_cast<bool>(list[group]), "member {} of {} is null", group, name);
  p.require_rank(list[group], rank, rank);
  return list[group];
}

/// One group.
struct ByteGroup {
  View weight;       // [k, n]
  View scale, bias;  // [n]; the bias may be false
};

struct ByteGroups {
  View x, y, groups, token_scale;
  bool counts;
  std::vector<ByteGroup> all;

  void compute(Execution& run, std::size_t group, std::int64_t column, std::int64_t columns) const {
    std::int64_t begin = 0, end = 0;
    if (!find_group(run, groups, group, counts, x.size(0), begin, end) || begin == end) return;
    const ByteGroup& one = all[group];
    const auto part = [&](const View& view) { return view.sliced(0, column, columns); };
    const QuantResult finish{part(one.scale),
                             {},
                             token_scale ? token_scale.sliced(0, begin, end - begin) : View{},
                             one.bias ? part(one.bias) : View{},
                             false,
                             true};
    const Work work = product_of_views<double>(
        x.sliced(0, begin, end - begin), one.weight.sliced(1, column, columns),
        y.sliced(0, begin, end - begin).sliced(1, column, columns), finish);
    for (std::int64_t i = 0; i < work.pieces; ++i) work.job(run, i);
  }
};

}  // namespace

bool find_group(Execution& run, const View& groups, std::size_t group, bool counts,
                std::int64_t most, std::int64_t& begin, std::int64_t& end) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i <= group; ++i) {
    const View one = groups.selected(0, static_cast<std::int64_t>(i));
    const std::int64_t value = load_one<std::int64_t>(run.at(one).at, one.type);
    const std::int64_t least = counts ? 0 : last, room = counts ? most - last : most;
    if (value < least || value > room) {
      run.fail(
          fmt::format("groupListOptional[{}] is {}; expected {} to {}", i, value, least, room));
      return false;
    }
    begin = last;
    last = end = counts ? last + value : value;
  }
  return true;
}

void plan_quantised_groups(Planner& p, const GroupedArguments& a) {
  if (!a.groups) fail(kNullPointer, "groupListOptional is null; expected it, as x is INT8");
  if (!a.scale) fail(kNullPointer, "scaleOptional is null; expected it, as x is INT8");
  const auto [x, weight, bias, scale, tokens, groups, y] =
      p.take(ListIn{a.x, "x", {ACL_INT8}}, ListIn{a.weight, "weight", {ACL_INT8}},
             OptListIn{a.bias, "biasOptional", {ACL_INT32}},
             ListIn{a.scale, "scaleOptional", kGroupScales},
             OptListIn{a.token_scale, "perTokenScaleOptional", {ACL_FLOAT}},
             In{a.groups, "groupListOptional", {ACL_INT64}}, ListOut{a.y, a.y_name, kHalves});
  require(a.group_type == 0, "groupType is {}; expected 0, as x is INT8", a.group_type);
  require(a.list_type == 0 || a.list_type == 1, "groupListType is {}; expected 0 or 1",
          a.list_type);
  require(x.size() == 1 && y.size() == 1 && y[0], "x and {} have {} and {} members; expected one",
          a.y_name, x.size(), y.size());
  p.require_rank(x[0], 2, 2);
  p.require_rank(groups, 1, 1);
  ByteGroups all{x[0], y[0], groups, tokens.empty() ? View{} : tokens[0], a.list_type == 1, {}};
  const std::int64_t n = part_of(p, weight, 0, 2, "weight").size(1);
  p.require_shape(all.y, Shape{all.x.size(0), n});
  if (all.token_scale) p.require_shape(all.token_scale, Shape{all.x.size(0)});
  for (std::size_t i = 0; i < static_cast<std::size_t>(groups.size(0)); ++i) {
    all.all.push_back({part_of(p, weight, i, 2, "weight"), part_of(p, scale, i, 1, "scaleOptional"),
                       part_of(p, bias, i, 1, "biasOptional")});
    p.require_shape(all.all.back().weight, Shape{all.x.size(1), n});
    p.require_shape(all.all.back().scale, Shape{n});
    if (all.all.back().bias) p.require_shape(all.all.back().bias, Shape{n});
  }
  if (n == 0) return;
  const std::int64_t parts = (n + kGroupColumns - 1) / kGroupColumns;
  p.job(groups.size(0) * parts, [all, parts, n](Execution& run, std::int64_t piece) {
    const std::int64_t column = n * (piece % parts) / parts;
    all.compute(run, static_cast<std::size_t>(piece / parts), column,
                n * (piece % parts + 1) / parts - column);
  });
}

}  // namespace aclnn
