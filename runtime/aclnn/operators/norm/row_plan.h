// SPDX-License-Identifier: Apache-2.0
// Operators that compute each row of their tensors on its own: softmax, norms.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "runtime/aclnn/loops/rows.h"
#include "runtime/aclnn/plan/plan.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {

/// One row of each tensor, its elements side by side: null for a tensor that was not given. A row
/// of an output may be one of an input, where the operator works in place.
template <class T>
struct RowSet {
  std::array<const T*, 5> in{};
  std::array<T*, 3> out{};
  std::int64_t count = 0;
};

template <class T>
using RowFunction = std::function<void(const RowSet<T>& row, std::int64_t number)>;

/// For all rows: the dims of the mask. All views have one shape. `make` makes the function for a
/// piece, which is called with the rows from `begin` on, one after the other.
template <class T>
void plan_rows(Planner& p, const std::vector<View>& in, const std::vector<View>& out,
               const Dims& mask,
               std::function<RowFunction<T>(Execution& run, std::int64_t begin)> make);

}  // namespace aclnn
