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

/* The elements of a shape. */
template <typename S>
constexpr int64_t extent_of(const S& shape) {
  if constexpr (IsTuple<S>::value) {
    return std::apply([](const auto&... each) { return (int64_t{1} * ... * extent_of(each)); },
                      shape);
  } else {
    return static_cast<int64_t>(shape);
  }
}

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

/* The offset of a coordinate. A number for a shape of several counts through them, the first one
 * fastest. */
template <typename C, typename S, typename D>
constexpr int64_t offset(const C& coord, const S& shape, const D& stride);

template <typename C, typename S, typename D, std::size_t... i>
constexpr int64_t sum(const C& coord, const S& shape, const D& stride, std::index_sequence<i...>) {
  return (int64_t{0} + ... + offset(std::get<i>(coord), std::get<i>(shape), std::get<i>(stride)));
}
template <typename S, typename D, std::size_t... i>
constexpr int64_t count(int64_t number, const S& shape, const D& stride,
                        std::index_sequence<i...>) {
  int64_t result = 0;
  constexpr std::size_t kLast = sizeof...(i) - 1;
  const auto take = [&](const auto& extent, const auto& step, bool last) {
    const int64_t all = extent_of(extent);
    result += offset(last || all == 0 ? number : number % all, extent, step);
    if (all != 0) number /= all;
  };
  (take(std::get<i>(shape), std::get<i>(stride), i == kLast), ...);
  return result;
}
template <typename C, typename S, typename D>
constexpr int64_t offset(const C& coord, const S& shape, const D& stride) {
  if constexpr (IsTuple<C>::value) {
    static_assert(IsTuple<S>::value && std::tuple_size_v<C> == std::tuple_size_v<S>,
                  "AscendC::Layout: the coordinate and the shape have as many numbers");
    return sum(coord, shape, stride, std::make_index_sequence<std::tuple_size_v<C>>());
  } else if constexpr (IsTuple<S>::value) {
    return count(static_cast<int64_t>(coord), shape, stride,
                 std::make_index_sequence<std::tuple_size_v<S>>());
  } else {
    return static_cast<int64_t>(coord) * static_cast<int64_t>(stride);
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
  /* The offset of the coordinate in elements. */
  template <typename CoordType>
  constexpr int64_t operator()(const CoordType& coord) const {
    return aclsim_layout::offset(coord, shape_, stride_);
  }
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

template <typename CoordType, typename ShapeType, typename StrideType>
constexpr int64_t Crd2Idx(const CoordType& coord, const Layout<ShapeType, StrideType>& layout) {
  return layout(coord);
}

template <typename T>
struct is_layout : std::false_type {};
template <typename ShapeType, typename StrideType>
struct is_layout<Layout<ShapeType, StrideType>> : std::true_type {};
template <typename T>
inline constexpr bool is_layout_v = is_layout<T>::value;

}  // namespace AscendC

#endif /* ASCENDC_IMPL_LAYOUT_H_ */
