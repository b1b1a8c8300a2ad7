// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/aclnn/loops/elementwise.h"
#include "runtime/aclnn/operators/lanes.h"

namespace aclnn {

/// out = f(a, b), where `make` gives f for the lane that is computed in: make(T{}).
template <class Set, class Make>
void plan_pairs(Planner& p, const View& a, const View& b, const View& out, aclDataType type,
                Make make) {
  const View left = p.expand(a, out.shape), right = p.expand(b, out.shape);
  in_lane<Set>(compute_type_of(type), [&](auto zero) {
    plan_elements<decltype(zero), 2>(p, {left, right}, out, make(zero));
  });
}

/// The same with a function without attributes.
template <class Set, class F>
void plan_pairs(Planner& p, const View& a, const View& b, const View& out, aclDataType type) {
  plan_pairs<Set>(p, a, b, out, type, [](auto) { return F{}; });
}

/// out has the shape that a and b broadcast to, and takes a result of this type.
inline void require_result(Planner& p, const View& a, const View& b, const View& out,
                           aclDataType type) {
  p.require_shape(out, p.broadcast(a, b));
  p.require_castable(type, out);
}

/// out = f(x) where `make` gives f for the lane of `type`.
template <class Set, class Make>
void plan_singles(Planner& p, const View& x, const View& out, aclDataType type, Make make) {
  p.require_shape(out, x.shape);
  in_lane<Set>(compute_type_of(type),
               [&](auto zero) { plan_elements<decltype(zero), 1>(p, {x}, out, make(zero)); });
}

}  // namespace aclnn
