// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/aclnn/base/error.h"
#include "runtime/aclnn/base/types.h"

namespace aclnn {

/// Sets of lanes that an operator is compiled for.
template <ComputeType... kLanes>
struct Lanes {
  static constexpr bool has(ComputeType lane) { return ((lane == kLanes) || ...); }
};
using RealLanes = Lanes<ComputeType::f32, ComputeType::f64, ComputeType::i64, ComputeType::u64>;
using FloatLanes = Lanes<ComputeType::f32, ComputeType::f64>;
using IntegerLanes = Lanes<ComputeType::i64, ComputeType::u64>;
using FloatComplexLanes =
    Lanes<ComputeType::f32, ComputeType::f64, ComputeType::c64, ComputeType::c128>;
using AllLanes = Lanes<ComputeType::f32, ComputeType::f64, ComputeType::i64, ComputeType::u64,
                       ComputeType::c64, ComputeType::c128>;

/// Calls f with a value of the lane's type. Refuses lanes that are not in the set, which the types
/// that an operator takes exclude already.
template <class Set, class F>
void in_lane(ComputeType lane, F&& f) {
  with_compute_type(lane, [&](auto zero) {
    using T = decltype(zero);
    constexpr ComputeType kOwn = std::is_same_v<T, float>                 ? ComputeType::f32
                                 : std::is_same_v<T, double>              ? ComputeType::f64
                                 : std::is_same_v<T, std::int64_t>        ? ComputeType::i64
                                 : std::is_same_v<T, std::uint64_t>       ? ComputeType::u64
                                 : std::is_same_v<T, std::complex<float>> ? ComputeType::c64
                                                                          : ComputeType::c128;
    if constexpr (Set::has(kOwn)) {
      f(zero);
    } else {
      refuse("the operator is not computed in this type");
    }
  });
}

}  // namespace aclnn
