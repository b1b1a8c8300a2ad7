/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes with strides, as tuples of numbers: how many elements a tensor has that is laid out so.
 */
#ifndef ASCENDC_IMPL_LAYOUT_H_
#define ASCENDC_IMPL_LAYOUT_H_

#include <cstdint>

#include "ascendc/impl/std.h"

namespace AscendC {

namespace Std {
template <std::size_t value>
using Int = std::integral_constant<std::size_t, value>;
}

template <typename... T>
using Shape = Std::tuple<T...>;
template <typename... T>
using Stride = Std::tuple<T...>;
template <typename... T>
using Coord = Std::tuple<T...>;

template <typename... T>
constexpr Shape<T...> MakeShape(const T&... extents) {
  return {extents...};
}
template <typename... T>
constexpr Stride<T...> MakeStride(const T&... strides) {
  return {strides...};
}
template <typename... T>
constexpr Coord<T...> MakeCoord(const T&... indices) {
  return {indices...};
}

namespace aclsim_layout {
template <typename T>
struct IsTuple : std::false_type {};
template <typename... T>
struct IsTuple<Std::tuple<T...>> : std::true_type {};

/* From the first element of a shape to its last, in elements. Shapes may hold shapes. */
template <typename S, typename D>
constexpr uint64_t reach(const S& shape, const D& stride) {
  if constexpr (IsTuple<S>::value) {
    static_assert(IsTuple<D>::value && std::tuple_size_v<S> == std::tuple_size_v<D>,
                  "AscendC::Layout: the shape and the stride have as many numbers");
    return std::apply(
        [&](const auto&... extents) {
          return std::apply(
              [&](const auto&... strides) { return (uint64_t{0} + ... + reach(extents, strides)); },
              stride);
        },
        shape);
  } else {
    const uint64_t extent = static_cast<uint64_t>(shape);
    return extent == 0 ? 0 : (extent - 1) * static_cast<uint64_t>(stride);
  }
}
}  // namespace aclsim_layout

template <typename ShapeType, typename StrideType>
class Layout {
 public:
  constexpr Layout(const ShapeType& shape = {}, const StrideType& stride = {})
      : shape_(shape), stride_(stride) {}
  constexpr const ShapeType& GetShape() const { return shape_; }
  constexpr const StrideType& GetStride() const { return stride_; }
  constexpr uint32_t aclsim_elements() const {
    return static_cast<uint32_t>(aclsim_layout::reach(shape_, stride_) + 1);
  }

 private:
  ShapeType shape_;
  StrideType stride_;
};

template <typename ShapeType, typename StrideType>
constexpr Layout<ShapeType, StrideType> MakeLayout(const ShapeType& shape,
                                                   const StrideType& stride) {
  return {shape, stride};
}

template <typename T>
struct is_layout : std::false_type {};
template <typename ShapeType, typename StrideType>
struct is_layout<Layout<ShapeType, StrideType>> : std::true_type {};
template <typename T>
inline constexpr bool is_layout_v = is_layout<T>::value;

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LAYOUT_H_ */
