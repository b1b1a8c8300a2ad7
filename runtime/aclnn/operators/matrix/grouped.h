// SPDX-License-Identifier: Apache-2.0
// Common code of products of several pairs of matrices in one call.
#pragma once

#include <cstdint>

#include "runtime/aclnn/plan/planner.h"

namespace aclnn {

inline constexpr std::int64_t kGroupColumns = 512;  // of a result that one piece computes

struct GroupedArguments {
  const aclTensorList *x, *weight, *bias, *y;
  const char* y_name;
  const aclTensor* groups;
  std::int64_t split_item, group_type, list_type;
  const aclTensorList *scale, *token_scale;  // of bytes
  const aclTensorList *weight_scale, *weight_offset;
};

/// [begin, end) of a group, from a list of ends or of counts. Fails if they are not in order, or
/// pass the end.
bool find_group(Execution& run, const View& groups, std::size_t group, bool counts,
                std::int64_t most, std::int64_t& begin, std::int64_t& end);

/// Rows of bytes by groups: y = (x @ weight + bias) * scale of the column * scale of the row.
void plan_quantised_groups(Planner& p, const GroupedArguments& arguments);

/// The same with short floats and weights of eight or four bits: y = x @ ((weight + offset) *
/// scale)
/// + bias.
void plan_weight_only_groups(Planner& p, const GroupedArguments& arguments);

}  // namespace aclnn
