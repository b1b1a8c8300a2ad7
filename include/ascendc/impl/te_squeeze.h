/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Squeeze of the tensor API: a layout or a tensor without dimensions of size 1.
 */
#ifndef ASCENDC_IMPL_TE_SQUEEZE_H_
#define ASCENDC_IMPL_TE_SQUEEZE_H_

#include "ascendc/impl/te_tensor.h"

namespace AscendC {
namespace Te {
namespace aclsim_te {

/* A dimension whose size is a constant other than 1 stays. The program promises that the others
   have the size 1. */
template <typename S>
constexpr bool can_go() {
  using Extent = std::decay_t<decltype(size_of(std::declval<S>()))>;
  if constexpr (IsConstant<Extent>::value) {
    return Extent::value == 1;
  } else {
    return true;
  }
}

/* A level with nothing but one tuple becomes that tuple. */
template <typename T>
constexpr auto unwrapped(const T& value) {
  return value;
}
template <typename... T>
constexpr auto unwrapped(const std::tuple<std::tuple<T...>>& value) {
  return std::get<0>(value);
}

/* `Value`: the shape S itself or the strides for it. */
template <typename P, typename S, typename V>
constexpr auto squeezed(const V& value);
template <typename P, typename S, typename V>
constexpr auto kept(const V& value) {
  if constexpr (std::is_same_v<P, Underscore>) {
    return Std::make_tuple(value);
  } else if constexpr (IsTuple<P>::value) {
    return Std::make_tuple(squeezed<P, S>(value));
  } else {
    static_assert(std::is_same_v<P, _1>,
                  "AscendC::Te::Squeeze: a pattern consists of _, which keeps a dimension, and of "
                  "_1{}, which removes one");
    if constexpr (can_go<S>()) {
      return std::tuple<>();
    } else {
      return Std::make_tuple(value);
    }
  }
}
template <typename P, typename S, typename V, std::size_t... i>
constexpr auto squeezed(const V& value, std::index_sequence<i...>) {
  return unwrapped(std::tuple_cat(
      kept<std::tuple_element_t<i, P>, std::tuple_element_t<i, S>>(std::get<i>(value))...));
}
template <typename P, typename S, typename V>
constexpr auto squeezed(const V& value) {
  static_assert(IsTuple<P>::value && IsTuple<S>::value,
                "AscendC::Te::Squeeze: the pattern and the shape have one structure");
  if constexpr (IsTuple<P>::value && IsTuple<S>::value) {
    static_assert(std::tuple_size_v<P> == std::tuple_size_v<S>,
                  "AscendC::Te::Squeeze: the pattern and the shape have one structure");
    return squeezed<P, S>(value, std::make_index_sequence<std::tuple_size_v<S>>());
  } else {
    return value;
  }
}

template <typename P, typename T, typename U, typename Info>
constexpr auto squeezed_layout(const Layout<T, U, Info>& layout) {
  const auto shape = squeezed<P, T>(layout.Shape());
  const auto stride = squeezed<P, T>(layout.Stride());
  return Layout<std::decay_t<decltype(shape)>, std::decay_t<decltype(stride)>, Info>{shape, stride};
}

/* The pattern that removes the dimensions of these indices. */
template <std::size_t i, std::size_t... dims>
using MarkOf = std::conditional_t<((i == dims) || ...), _1, Underscore>;
template <std::size_t... dims, std::size_t... i>
constexpr auto marks(std::index_sequence<i...>) {
  return std::tuple<MarkOf<i, dims...>...>();
}
template <typename P, typename X>
constexpr auto squeezed_object(const X& x) {
  if constexpr (IsLayout<X>::value) {
    return squeezed_layout<P>(x);
  } else {
    static_assert(IsAttrTensorV<X>, "AscendC::Te::Squeeze: x is neither a layout nor a tensor");
    return tensor_of(x.Data(), squeezed_layout<P>(x.Layout()));
  }
}
}  // namespace aclsim_te

/* Without the dimensions at these indices of the shape. */
template <std::size_t... SqueezeDims, typename T,
          Std::enable_if_t<sizeof...(SqueezeDims) != 0, int> = 0>
constexpr auto Squeeze(const T& x) {
  static_assert(((SqueezeDims < T::rank) && ...),
                "AscendC::Te::Squeeze: an index is not one of a dimension");
  return aclsim_te::squeezed_object<decltype(aclsim_te::marks<SqueezeDims...>(
      std::make_index_sequence<T::rank>()))>(x);
}
/* Without the dimensions that have _1{} in the pattern, which is a tuple like the shape. */
template <typename Pattern, typename T>
constexpr auto Squeeze(const T& x, const Pattern&) {
  return aclsim_te::squeezed_object<Pattern>(x);
}

}  // namespace Te
}  // namespace AscendC

#endif /* ASCENDC_IMPL_TE_SQUEEZE_H_ */
