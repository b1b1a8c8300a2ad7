// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/aclnn/base/error.h"
#include "runtime/aclnn/base/types.h"

namespace aclnn {

/// Sets of lanes that an operator is compiled for.
template <Lane... kLanes>
struct Lanes {
  static constexpr bool has(Lane lane) { return ((lane == kLanes) || ...); }
};
using RealLanes = Lanes<Lane::f32, Lane::f64, Lane::i64, Lane::u64>;
using FloatLanes = Lanes<Lane::f32, Lane::f64>;
using IntegerLanes = Lanes<Lane::i64, Lane::u64>;
using FloatComplexLanes = Lanes<Lane::f32, Lane::f64, Lane::c64, Lane::c128>;
using AllLanes = Lanes<Lane::f32, Lane::f64, Lane::i64, Lane::u64, Lane::c64, Lane::c128>;

/// Calls f with a value of the lane's type. Refuses lanes that are not in the set, which the types
/// that an operator takes exclude already.
template <class Set, class F>
void in_lane(Lane lane, F&& f) {
  with_lane(lane, [&](auto zero) {
    using T = decltype(zero);
    constexpr Lane kOwn = std::is_same_v<T, float>                 ? Lane::f32
                          : std::is_same_v<T, double>              ? Lane::f64
                          : std::is_same_v<T, std::int64_t>        ? Lane::i64
                          : std::is_same_v<T, std::uint64_t>       ? Lane::u64
                          : std::is_same_v<T, std::complex<float>> ? Lane::c64
                                                                   : Lane::c128;
    if constexpr (Set::has(kOwn)) {
      f(zero);
    } else {
      refuse("the operator is not computed in this type");
    }
  });
}

}  // namespace aclnn
