// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "tools/trace/op.h"

namespace trace {

/// The collective that a kernel belongs to, by its name: of a collective library (nccl*, rccl*,
/// hccl*, hcom*), or of any other one if its name contains all_reduce, all_gather, reduce_scatter,
/// all_to_all, or broadcast and Aiv, in any spelling. `none`: the name does not show the
/// collective.
struct NamedCollective {
  Collective kind = Collective::none;
  bool point_to_point = false;
};
std::optional<NamedCollective> collective_by_name(std::string_view name);

/// The group in "hcom_allReduce__586_0_1"; empty: none.
std::string_view group_in_name(std::string_view name);

}  // namespace trace
