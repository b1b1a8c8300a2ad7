// SPDX-License-Identifier: Apache-2.0
// Bounds and choices, and functions of three tensors.
#include "aclnnop/aclnn_addcdiv.h"
#include "aclnnop/aclnn_addcmul.h"
#include "aclnnop/aclnn_clamp.h"
#include "aclnnop/aclnn_hardtanh.h"
#include "aclnnop/aclnn_lerp_tensor.h"
#include "aclnnop/aclnn_s_where.h"
#include "aclnnop/aclnn_threshold.h"
#include "runtime/aclnn/operators/elementwise/binary.h"
#include "runtime/aclnn/operators/elementwise/binary_functions.h"

namespace aclnn {
namespace {

constexpr TypeSet kBounded = kAllFloats | kIntegers;

// NaN is neither below nor above, and stays.
template <class T>
struct AtLeast {
  T low;
  T operator()(T x) const { return x < low ? low : x; }
};
template <class T>
struct AtMost {
  T high;
  T operator()(T x) const { return x > high ? high : x; }
};
template <class T>
struct Between {
  T low, high;
  T operator()(T x) const { return AtLeast<T>{low}(AtMost<T>{high}(x)); }
};
template <class T>
struct Above {
  T threshold, value;
  T operator()(T x) const { return x > threshold ? x : value; }
};

void plan_bounds(Planner& p, const View& x, const std::optional<aclScalar>& low,
                 const std::optional<aclScalar>& high, const View& out) {
  aclDataType type = x.type;
  if (low) type = promote_scalar(type, low->type);
  if (high) type = promote_scalar(type, high->type);
  p.require_castable(type, out);
  require(low || high, "clipValueMin and clipValueMax are null; expected one of them at least");
  if (!high) {
    return plan_singles<RealLanes>(p, x, out, type, [&](auto zero) {
      return AtLeast<decltype(zero)>{low->as<decltype(zero)>()};
    });
  }
  if (!low) {
    return plan_singles<RealLanes>(p, x, out, type, [&](auto zero) {
      return AtMost<decltype(zero)>{high->as<decltype(zero)>()};
    });
  }
  plan_singles<RealLanes>(p, x, out, type, [&](auto zero) {
    return Between<decltype(zero)>{low->as<decltype(zero)>(), high->as<decltype(zero)>()};
  });
}

void plan_threshold(Planner& p, const View& x, const aclScalar& threshold, const aclScalar& value,
                    const View& out) {
  p.require_castable(x.type, out);
  plan_singles<RealLanes>(p, x, out, x.type, [&](auto zero) {
    using T = decltype(zero);
    return Above<T>{threshold.as<T>(), value.as<T>()};
  });
}

template <class T>
struct PlusProduct {
  T value;
  T operator()(T self, T a, T b) const { return Plus{}(self, Times{}(value, Times{}(a, b))); }
};
template <class T>
struct PlusQuotient {
  T value;
  T operator()(T self, T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      return Plus{}(self, OverTruncated{}(Times{}(value, a), b));
    } else {
      return self + value * (a / b);
    }
  }
};
/// The end is met exactly with a weight of 1.
struct Lerp {
  template <class T>
  T operator()(T self, T end, T weight) const {
    return weight < T(0.5) ? self + weight * (end - self) : end - (end - self) * (T(1) - weight);
  }
};

/// out = f(a, b, c), all broadcast to the output's shape, which is their common shape.
template <class Set, class Make>
void plan_triples(Planner& p, const View& a, const View& b, const View& c, const View& out,
                  aclDataType type, Make make) {
  Shape both, shape;
  require(broadcast(a.shape, b.shape, both) && broadcast(both, c.shape, shape),
          "{} has the shape {}, {} has {} and {} has {}; they do not broadcast to one shape",
          p.name(a), a.shape.text(), p.name(b), b.shape.text(), p.name(c), c.shape.text());
  p.require_shape(out, shape);
  p.require_castable(type, out);
  in_lane<Set>(compute_type_of(type), [&](auto zero) {
    plan_elements<decltype(zero), 3>(p, {a.expanded(shape), b.expanded(shape), c.expanded(shape)},
                                     out, make(zero));
  });
}

aclDataType promote_three(Planner& p, const View& a, const View& b, const View& c) {
  View both = a;
  both.type = p.promote(a, b);
  return p.promote(both, c);
}

constexpr TypeSet kAddcmulTypes = kBounded.without({ACL_INT16});
constexpr TypeSet kAddcdivTypes = kAllFloats | TypeSet{ACL_INT64};

/// y = Function(x, a, b), with `value` as its factor.
template <template <class> class Function>
void plan_plus(Planner& p, const View& x, const View& a, const View& b, const aclScalar& value,
               const View& y) {
  plan_triples<RealLanes>(p, x, a, b, y, promote_three(p, x, a, b), [&value](auto zero) {
    return Function<decltype(zero)>{value.template as<decltype(zero)>()};
  });
}

}  // namespace
}  // namespace aclnn

using namespace aclnn;

aclnnStatus aclnnClampGetWorkspaceSize(const aclTensor* self, const aclScalar* clipValueMin,
                                       const aclScalar* clipValueMax, aclTensor* out,
                                       uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnClamp", workspaceSize, executor, [&](Planner& p) {
    const auto [x, low, high, y] =
        p.take(In{self, "self", kReals}, OptValue{clipValueMin, "clipValueMin", kReals},
               OptValue{clipValueMax, "clipValueMax", kReals}, Out{out, "out", kReals});
    plan_bounds(p, x, low, high, y);
  });
}
ACLNN_SECOND_PHASE(aclnnClamp)

aclnnStatus aclnnClampMinGetWorkspaceSize(const aclTensor* self, const aclScalar* clipValueMin,
                                          aclTensor* out, uint64_t* workspaceSize,
                                          aclOpExecutor** executor) {
  return first_phase("aclnnClampMin", workspaceSize, executor, [&](Planner& p) {
    const auto [x, low, y] =
        p.take(In{self, "self", kBounded}, Value{clipValueMin, "clipValueMin", kReals},
               Out{out, "out", kBounded});
    plan_bounds(p, x, low, std::nullopt, y);
  });
}
ACLNN_SECOND_PHASE(aclnnClampMin)

aclnnStatus aclnnInplaceClampMaxGetWorkspaceSize(const aclTensor* selfRef,
                                                 const aclScalar* clipValueMax,
                                                 uint64_t* workspaceSize,
                                                 aclOpExecutor** executor) {
  return first_phase("aclnnInplaceClampMax", workspaceSize, executor, [&](Planner& p) {
    const auto [x, high] =
        p.take(Ref{selfRef, "selfRef", kBounded}, Value{clipValueMax, "clipValueMax", kReals});
    plan_bounds(p, x, std::nullopt, high, x);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceClampMax)

aclnnStatus aclnnHardtanhGetWorkspaceSize(const aclTensor* self, const aclScalar* clipValueMin,
                                          const aclScalar* clipValueMax, aclTensor* out,
                                          uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnHardtanh", workspaceSize, executor, [&](Planner& p) {
    const auto [x, low, high, y] =
        p.take(In{self, "self", kBounded}, Value{clipValueMin, "clipValueMin", kReals},
               Value{clipValueMax, "clipValueMax", kReals}, Out{out, "out", kBounded});
    plan_bounds(p, x, low, high, y);
  });
}
ACLNN_SECOND_PHASE(aclnnHardtanh)

aclnnStatus aclnnThresholdGetWorkspaceSize(const aclTensor* self, const aclScalar* threshold,
                                           const aclScalar* value, aclTensor* out,
                                           uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnThreshold", workspaceSize, executor, [&](Planner& p) {
    constexpr TypeSet kTypes = kFloats | kIntegers;
    const auto [x, limit, other, y] =
        p.take(In{self, "self", kTypes}, Value{threshold, "threshold"}, Value{value, "value"},
               Out{out, "out", kTypes});
    plan_threshold(p, x, limit, other, y);
  });
}
ACLNN_SECOND_PHASE(aclnnThreshold)

aclnnStatus aclnnInplaceThresholdGetWorkspaceSize(aclTensor* selfRef, const aclScalar* threshold,
                                                  const aclScalar* value, uint64_t* workspaceSize,
                                                  aclOpExecutor** executor) {
  return first_phase("aclnnInplaceThreshold", workspaceSize, executor, [&](Planner& p) {
    const auto [x, limit, other] = p.take(Ref{selfRef, "selfRef", kFloats | kIntegers},
                                          Value{threshold, "threshold"}, Value{value, "value"});
    plan_threshold(p, x, limit, other, x);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceThreshold)

aclnnStatus aclnnSWhereGetWorkspaceSize(const aclTensor* condition, const aclTensor* self,
                                        const aclTensor* other, aclTensor* out,
                                        uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnSWhere", workspaceSize, executor, [&](Planner& p) {
    const auto [c, a, b, y] =
        p.take(In{condition, "condition", {ACL_BOOL, ACL_UINT8}}, In{self, "self", kEvery},
               In{other, "other", kEvery}, Out{out, "out", kEvery});
    plan_triples<AllLanes>(p, c, a, b, y, p.promote(a, b), [](auto) { return Where{}; });
  });
}
ACLNN_SECOND_PHASE(aclnnSWhere)

aclnnStatus aclnnAddcmulGetWorkspaceSize(const aclTensor* self, const aclTensor* tensor1,
                                         const aclTensor* tensor2, const aclScalar* value,
                                         aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return first_phase("aclnnAddcmul", workspaceSize, executor, [&](Planner& p) {
    const auto [x, a, b, factor, y] =
        p.take(In{self, "self", kAddcmulTypes}, In{tensor1, "tensor1", kAddcmulTypes},
               In{tensor2, "tensor2", kAddcmulTypes}, Value{value, "value"},
               Out{out, "out", kAddcmulTypes});
    plan_plus<PlusProduct>(p, x, a, b, factor, y);
  });
}
ACLNN_SECOND_PHASE(aclnnAddcmul)

aclnnStatus aclnnInplaceAddcmulGetWorkspaceSize(const aclTensor* selfRef, const aclTensor* tensor1,
                                                const aclTensor* tensor2, const aclScalar* value,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnInplaceAddcmul", workspaceSize, executor, [&](Planner& p) {
    const auto [x, a, b, factor] =
        p.take(Ref{selfRef, "selfRef", kAddcmulTypes}, In{tensor1, "tensor1", kAddcmulTypes},
               In{tensor2, "tensor2", kAddcmulTypes}, Value{value, "value"});
    plan_plus<PlusProduct>(p, x, a, b, factor, x);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceAddcmul)

aclnnStatus aclnnAddcdivGetWorkspaceSize(const aclTensor* self, const aclTensor* tensor1,
                                         const aclTensor* tensor2, const aclScalar* value,
                                         const aclTensor* out, uint64_t* workspaceSize,
                                         aclOpExecutor** executor) {
  return first_phase("aclnnAddcdiv", workspaceSize, executor, [&](Planner& p) {
    const auto [x, a, b, factor, y] =
        p.take(In{self, "self", kAddcdivTypes}, In{tensor1, "tensor1", kAddcdivTypes},
               In{tensor2, "tensor2", kAddcdivTypes}, Value{value, "value"},
               Out{out, "out", kAddcdivTypes});
    plan_plus<PlusQuotient>(p, x, a, b, factor, y);
  });
}
ACLNN_SECOND_PHASE(aclnnAddcdiv)

aclnnStatus aclnnInplaceAddcdivGetWorkspaceSize(const aclTensor* selfRef, const aclTensor* tensor1,
                                                const aclTensor* tensor2, const aclScalar* value,
                                                uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnInplaceAddcdiv", workspaceSize, executor, [&](Planner& p) {
    const auto [x, a, b, factor] =
        p.take(Ref{selfRef, "selfRef", kAddcdivTypes}, In{tensor1, "tensor1", kAddcdivTypes},
               In{tensor2, "tensor2", kAddcdivTypes}, Value{value, "value"});
    plan_plus<PlusQuotient>(p, x, a, b, factor, x);
  });
}
ACLNN_SECOND_PHASE(aclnnInplaceAddcdiv)

aclnnStatus aclnnLerpGetWorkspaceSize(const aclTensor* self, const aclTensor* end,
                                      const aclTensor* weight, aclTensor* out,
                                      uint64_t* workspaceSize, aclOpExecutor** executor) {
  return first_phase("aclnnLerp", workspaceSize, executor, [&](Planner& p) {
    const auto [a, b, w, y] = p.take(In{self, "self", kFloats}, In{end, "end", kFloats},
                                     In{weight, "weight", kFloats}, Out{out, "out", kFloats});
    plan_triples<Lanes<ComputeType::f32>>(p, a, b, w, y, promote_three(p, a, b, w),
                                          [](auto) { return Lerp{}; });
  });
}
ACLNN_SECOND_PHASE(aclnnLerp)
