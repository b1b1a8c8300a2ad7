// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/aclnn/loops/elementwise.h"
#include "runtime/aclnn/operators/lanes.h"

namespace aclnn {

/// The compute type of a function of one number: floats keep their type, integers and bool use f32.
inline aclDataType as_float(aclDataType type) {
  return is_float(type) || is_complex(type) ? type : ACL_FLOAT;
}
inline aclDataType as_it_is(aclDataType type) { return type; }

/// y = f(x), computed in `type`.
template <class Set, class F>
void plan_unary(Planner& p, const View& x, const View& y, aclDataType type, F f) {
  p.require_shape(y, x.shape);
  p.require_castable(type, y);
  in_lane<Set>(compute_type_of(type),
               [&](auto zero) { plan_elements<decltype(zero), 1>(p, {x}, y, f); });
}

}  // namespace aclnn
