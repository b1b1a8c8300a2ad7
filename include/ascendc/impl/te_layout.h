/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layouts of the tensor API (AscendC::Te): shapes and strides as nested tuples, whose numbers are
 * run-time numbers or constants (Std::Int), and the patterns of fractals.
 */
#ifndef ASCENDC_IMPL_TE_LAYOUT_H_
#define ASCENDC_IMPL_TE_LAYOUT_H_

#include "ascendc/impl/element.h"
#include "ascendc/impl/layout.h"
#include "ascendc/impl/narrow.h"
#include "ascendc/impl/std.h"

namespace AscendC {

/* The elements of T in 32 bytes. */
template <typename T>
constexpr int32_t AuxGetC0Size() {
  return static_cast<int32_t>(32 / sizeof(T) * aclsim_element::per_byte<T>);
}

/* Any integer converts to it: a function of the program that takes integers is a better match than
   one that takes this. */
struct aclsimInteger {
  template <typename T, typename = Std::enable_if_t<Std::is_integral_v<T>>>
  constexpr aclsimInteger(T number) : value(static_cast<uint64_t>(number)) {}
  uint64_t value;
};
/* Rounded up; `value` for a unit of 0. */
constexpr uint64_t CeilDiv(aclsimInteger value, aclsimInteger unit) {
  return unit.value == 0 ? value.value : (value.value + unit.value - 1) / unit.value;
}
/* The smallest multiple of `unit` that is not below `value`; 0 for a unit of 0. */
constexpr uint64_t CeilAlign(aclsimInteger value, aclsimInteger unit) {
  return unit.value == 0 ? 0 : (value.value + unit.value - 1) / unit.value * unit.value;
}

namespace Te {

using AscendC::Coord;
using AscendC::MakeCoord;
using AscendC::MakeShape;
using AscendC::MakeStride;
using AscendC::Shape;
using AscendC::Stride;

#define ACLSIM_INT(N) using _##N = Std::Int<N>;
ACLSIM_INT(0)
ACLSIM_INT(1)
ACLSIM_INT(2)
ACLSIM_INT(4)
ACLSIM_INT(8)
ACLSIM_INT(16)
ACLSIM_INT(32)
ACLSIM_INT(64)
ACLSIM_INT(128)
ACLSIM_INT(256)
ACLSIM_INT(512)
#undef ACLSIM_INT

/* In a pattern of Squeeze: the dimension stays. */
struct Underscore {};
inline constexpr Underscore _{};

namespace aclsim_te {
using aclsim_layout::IsTuple;

template <typename T>
struct IsConstant : std::false_type {};
template <typename T, T value>
struct IsConstant<std::integral_constant<T, value>> : std::true_type {};

/* Arithmetic in which constants stay constants. */
#define ACLSIM_TE_OPERATION(NAME, EXPRESSION)                                                  \
  template <typename A, typename B>                                                            \
  constexpr auto NAME(const A&, const B&, std::true_type) {                                    \
    constexpr std::size_t a = A::value;                                                        \
    constexpr std::size_t b = B::value;                                                        \
    return Std::Int<(EXPRESSION)>{};                                                           \
  }                                                                                            \
  template <typename A, typename B>                                                            \
  constexpr std::size_t NAME(const A& of, const B& with, std::false_type) {                    \
    const std::size_t a = static_cast<std::size_t>(of);                                        \
    const std::size_t b = static_cast<std::size_t>(with);                                      \
    return EXPRESSION;                                                                         \
  }                                                                                            \
  template <typename A, typename B>                                                            \
  constexpr auto NAME(const A& a, const B& b) {                                                \
    return NAME(a, b, Std::bool_constant < IsConstant<A>::value && IsConstant<B>::value > {}); \
  }
ACLSIM_TE_OPERATION(times, a* b)
ACLSIM_TE_OPERATION(plus, a + b)
ACLSIM_TE_OPERATION(minus, a - b)
ACLSIM_TE_OPERATION(larger, a > b ? a : b)
ACLSIM_TE_OPERATION(div_up, (a + b - 1) / b)
ACLSIM_TE_OPERATION(round_up, (a + b - 1) / b * b)
#undef ACLSIM_TE_OPERATION

/* The result of `leaf` for each extent with its stride, joined by `join` from `first` on. */
template <typename S, typename D, typename R, typename Leaf, typename Join>
constexpr auto over_leaves(const S& shape, const D& stride, const R& first, const Leaf& leaf,
                           const Join& join);
template <std::size_t i, typename S, typename D, typename R, typename Leaf, typename Join>
constexpr auto over_elements(const S& shape, const D& stride, const R& first, const Leaf& leaf,
                             const Join& join) {
  if constexpr (i == std::tuple_size_v<S>) {
    return first;
  } else {
    return over_elements<i + 1>(
        shape, stride, over_leaves(std::get<i>(shape), std::get<i>(stride), first, leaf, join),
        leaf, join);
  }
}
template <typename S, typename D, typename R, typename Leaf, typename Join>
constexpr auto over_leaves(const S& shape, const D& stride, const R& first, const Leaf& leaf,
                           const Join& join) {
  if constexpr (IsTuple<S>::value) {
    static_assert(std::tuple_size_v<S> == std::tuple_size_v<D>,
                  "AscendC::Te::Layout: the shape and the stride have as many numbers");
    return over_elements<0>(shape, stride, first, leaf, join);
  } else {
    return join(first, leaf(shape, stride));
  }
}

template <typename S>
constexpr auto size_of(const S& shape) {
  return over_leaves(
      shape, shape, _1{}, [](const auto& extent, const auto&) { return extent; },
      [](const auto& a, const auto& b) { return times(a, b); });
}
template <typename S, typename D>
constexpr auto capacity_of(const S& shape, const D& stride) {
  return over_leaves(
      shape, stride, _0{}, [](const auto& extent, const auto& step) { return times(extent, step); },
      [](const auto& a, const auto& b) { return larger(a, b); });
}
template <typename S, typename D>
constexpr auto reach_of(const S& shape, const D& stride) {
  return over_leaves(
      shape, stride, _1{},
      [](const auto& extent, const auto& step) { return times(minus(extent, _1{}), step); },
      [](const auto& a, const auto& b) { return plus(a, b); });
}

/* The levels of nested tuples. */
template <typename T>
struct Depth : Std::integral_constant<std::size_t, 0> {};
template <typename... T>
struct Depth<Std::tuple<T...>>
    : Std::integral_constant<std::size_t, 1 + Std::max({std::size_t{0}, Depth<T>::value...})> {};

/* The element at the indices, from the outermost tuple inwards. */
template <typename T>
constexpr T inner(const T& value) {
  return value;
}
template <std::size_t first, std::size_t... rest, typename T>
constexpr auto inner(const T& value) {
  return inner<rest...>(std::get<first>(value));
}

/* The elements of a tuple at these indices: one alone, several as a tuple, all without indices. */
template <std::size_t... i, typename T>
constexpr auto selected(const T& value) {
  if constexpr (sizeof...(i) == 0) {
    return value;
  } else if constexpr (sizeof...(i) == 1) {
    return (std::get<i>(value), ...);
  } else {
    return Std::make_tuple(std::get<i>(value)...);
  }
}

/* Row by row: the stride of an extent is the product of the later extents. */
template <std::size_t from, typename S, std::size_t... i>
constexpr auto tail(const S& shape, std::index_sequence<i...>) {
  return Std::make_tuple(std::get<from + i>(shape)...);
}
template <typename S, typename R>
constexpr auto packed(const S& shape, const R& behind);
template <typename S, typename R, std::size_t... i>
constexpr auto packed(const S& shape, const R& behind, std::index_sequence<i...>) {
  return Std::make_tuple(packed(
      std::get<i>(shape),
      times(behind,
            size_of(tail<i + 1>(shape, std::make_index_sequence<sizeof...(i) - i - 1>()))))...);
}
template <typename S, typename R>
constexpr auto packed(const S& shape, const R& behind) {
  if constexpr (IsTuple<S>::value) {
    return packed(shape, behind, std::make_index_sequence<std::tuple_size_v<S>>());
  } else {
    return behind;
  }
}

template <typename T>
constexpr auto as_tuple(const T& value) {
  if constexpr (IsTuple<T>::value) {
    return value;
  } else {
    return Std::make_tuple(value);
  }
}
}  // namespace aclsim_te

/* A shape with a stride for each of its extents, in elements. `Info` has the pattern and the trait
   with which a layout was made. Constants remain in the types. */
template <typename T, typename U, typename Info = Std::ignore_t>
struct Layout {
  static constexpr auto depth = aclsim_te::Depth<T>::value;
  static constexpr auto rank = std::tuple_size_v<T>;

  constexpr Layout(const T& shape = {}, const U& stride = {}) : shape_(shape), stride_(stride) {}

  constexpr Layout& layout() { return *this; }
  constexpr const Layout& layout() const { return *this; }
  /* All, or the elements at these indices. */
  template <std::size_t... I>
  constexpr auto Shape() const {
    return aclsim_te::selected<I...>(shape_);
  }
  template <std::size_t... I>
  constexpr auto Stride() const {
    return aclsim_te::selected<I...>(stride_);
  }
  /* The offset of a coordinate. A number for several extents counts through them, the first one
     fastest. */
  template <typename S>
  constexpr auto operator()(const S& coord) const {
    return aclsim_layout::offset(coord, shape_, stride_);
  }
  template <std::size_t... I>
  constexpr auto Rank() const {
    return std::tuple_size_v<decltype(aclsim_te::as_tuple(Shape<I...>()))>;
  }
  template <std::size_t... I>
  constexpr auto Size() const {
    return aclsim_te::size_of(Shape<I...>());
  }
  template <std::size_t... I>
  constexpr auto Capacity() const {
    return aclsim_te::capacity_of(Shape<I...>(), Stride<I...>());
  }
  /* 0: the shape, 1: the stride; further indices lead into it. */
  template <std::size_t... I>
  constexpr auto Get() const {
    return aclsim_te::inner<I...>(Std::make_tuple(shape_, stride_));
  }

 private:
  T shape_;
  U stride_;
};

template <typename T, typename U>
constexpr Layout<T, U> MakeLayout(const T& shape, const U& stride) {
  static_assert(aclsim_te::IsTuple<T>::value && aclsim_te::IsTuple<U>::value,
                "AscendC::Te::MakeLayout: the shape and the stride are tuples");
  return {shape, stride};
}
/* Row by row without gaps. */
template <typename T>
constexpr auto MakeLayout(const T& shape) {
  return MakeLayout(shape, aclsim_te::packed(shape, _1{}));
}
template <typename LayoutPattern, typename TraitType, typename T, typename U>
constexpr Layout<T, U, Std::tuple<LayoutPattern, TraitType>> MakePatternLayout(const T& shape,
                                                                               const U& stride) {
  return {shape, stride};
}

template <std::size_t... Is, typename T, typename U, typename Info>
constexpr auto GetShape(const Layout<T, U, Info>& layout) {
  return layout.template Shape<Is...>();
}
template <std::size_t... Is, typename T, typename U, typename Info>
constexpr auto GetStride(const Layout<T, U, Info>& layout) {
  return layout.template Stride<Is...>();
}
/* The element of a tuple, or the part of a layout, to which the indices lead. */
template <std::size_t... Is, typename T,
          typename = Std::enable_if_t<aclsim_te::IsTuple<std::decay_t<T>>::value>>
constexpr auto Get(T&& tuple) {
  return aclsim_te::inner<Is...>(tuple);
}
template <std::size_t... Is, typename T, typename U, typename Info>
constexpr auto Get(const Layout<T, U, Info>& layout) {
  return MakeLayout(aclsim_te::as_tuple(aclsim_te::inner<Is...>(layout.Shape())),
                    aclsim_te::as_tuple(aclsim_te::inner<Is...>(layout.Stride())));
}
/* The layout of these dimensions. */
template <std::size_t... Is, typename T, typename U, typename Info>
constexpr auto Select(const Layout<T, U, Info>& layout) {
  return MakeLayout(Std::make_tuple(std::get<Is>(layout.Shape())...),
                    Std::make_tuple(std::get<Is>(layout.Stride())...));
}
/* One number of a layout: of the shape or the stride, of the rows or the columns. */
enum class AttrInfo : uint8_t { Shape, Stride, Row, Column };
template <AttrInfo attribute, AttrInfo axis, std::size_t... Is, typename T, typename U,
          typename Info>
constexpr auto GetElement(const Layout<T, U, Info>& layout) {
  static_assert(attribute == AttrInfo::Shape || attribute == AttrInfo::Stride,
                "AscendC::Te::GetElement: the attribute is Shape or Stride");
  static_assert(axis == AttrInfo::Row || axis == AttrInfo::Column,
                "AscendC::Te::GetElement: the axis is Row or Column");
  return layout.template Get < attribute == AttrInfo::Shape ? 0 : 1, axis == AttrInfo::Row ? 0 : 1,
         Is... > ();
}
/* All rows and all columns of a matrix, with and without fractals. */
template <typename T, typename U, typename Info>
constexpr auto GetTotalRowShape(const Layout<T, U, Info>& layout) {
  return layout.template Size<0>();
}
template <typename T, typename U, typename Info>
constexpr auto GetTotalColumnShape(const Layout<T, U, Info>& layout) {
  return layout.template Size<1>();
}
template <std::size_t... Is, typename T, typename U, typename Info>
constexpr auto Rank(const Layout<T, U, Info>& layout) {
  return layout.template Rank<Is...>();
}
template <std::size_t... Is, typename T, typename U, typename Info>
constexpr auto Size(const Layout<T, U, Info>& layout) {
  return layout.template Size<Is...>();
}
template <std::size_t... Is, typename T, typename U, typename Info>
constexpr auto Capacity(const Layout<T, U, Info>& layout) {
  return layout.template Capacity<Is...>();
}
/* From the first offset to the last. */
template <std::size_t... Is, typename T, typename U, typename Info>
constexpr auto Coshape(const Layout<T, U, Info>& layout) {
  return aclsim_te::reach_of(layout.template Shape<Is...>(), layout.template Stride<Is...>());
}
template <std::size_t... Is, typename T, typename U, typename Info>
constexpr auto Cosize(const Layout<T, U, Info>& layout) {
  return Coshape<Is...>(layout);
}

/* ---- patterns of fractals -------------------------------------------------------------------- */

struct NDLayoutPtn {};
struct DNLayoutPtn {};
struct NDExtLayoutPtn {};
struct DNExtLayoutPtn {};
struct NZLayoutPtn {};
struct ZNLayoutPtn {};
struct ZZLayoutPtn {};
struct NNLayoutPtn {};
struct ScaleANDLayoutPtn {};
struct ScaleADNLayoutPtn {};
struct ScaleBNDLayoutPtn {};
struct ScaleBDNLayoutPtn {};
struct NCHWLayoutPtn {};
struct NHWCLayoutPtn {};
struct NC1HWC0LayoutPtn {};

namespace aclsim_te {
/* The elements of 32 bytes; two scales of fp8_e8m0 are a group. */
template <typename T>
constexpr std::size_t c0_of() {
  if constexpr (std::is_same_v<T, Std::ignore_t>) {
    return 16;
  } else if constexpr (std::is_same_v<T, fp8_e8m0_t>) {
    return 2;
  } else {
    return 32 / sizeof(T) * aclsim_element::per_byte<T>;
  }
}
}  // namespace aclsim_te

template <typename T, typename C0>
struct LayoutTrait {
  static constexpr auto C0_ELEMENT = C0{};
};
template <typename T = Std::ignore_t>
using LayoutTraitDefault = LayoutTrait<T, Std::Int<aclsim_te::c0_of<T>()>>;

/* The elements of T in a row of a fractal, which has 32 bytes. */
template <typename T>
inline constexpr std::size_t C0_ELEMENT = static_cast<std::size_t>(AuxGetC0Size<T>());
template <typename T>
inline constexpr std::size_t C0_SIZE = C0_ELEMENT<T>;
/* The scales of one row of a fractal of scales. */
inline constexpr std::size_t MX_SCALE_K0 = 2;

namespace aclsim_te {
template <typename T, typename = void>
struct TraitC0 {
  using type = Std::Int<c0_of<T>()>;
};
template <typename T, T value>
struct TraitC0<std::integral_constant<T, value>, void> {
  using type = Std::Int<value>;
};
template <typename T>
struct TraitC0<T, std::void_t<decltype(T::C0_ELEMENT)>> {
  using type = Std::Int<static_cast<std::size_t>(T::C0_ELEMENT)>;
};

/* The shape and the stride of `rows` x `columns` elements, by the table of patterns in the guide's
   chapter about layouts. */
template <typename C0, typename R, typename C>
constexpr auto frame(NDLayoutPtn, const R& rows, const C& columns) {
  return std::pair(MakeShape(rows, columns), MakeStride(columns, _1{}));
}
template <typename C0, typename R, typename C>
constexpr auto frame(DNLayoutPtn, const R& rows, const C& columns) {
  return std::pair(MakeShape(rows, columns), MakeStride(_1{}, rows));
}
template <typename A, typename B, typename C, typename D>
constexpr auto quad(const A& row0, const B& row1, const C& column0, const D& column1) {
  return Std::make_tuple(Std::make_tuple(row0, row1), Std::make_tuple(column0, column1));
}
template <typename C0, typename R, typename C>
constexpr auto frame(NDExtLayoutPtn, const R& rows, const C& columns) {
  return std::pair(quad(_1{}, rows, _1{}, columns), quad(_0{}, columns, _0{}, _1{}));
}
template <typename C0, typename R, typename C>
constexpr auto frame(DNExtLayoutPtn, const R& rows, const C& columns) {
  return std::pair(quad(_1{}, rows, _1{}, columns), quad(_0{}, _1{}, _0{}, rows));
}
template <typename C0, typename R, typename C>
constexpr auto frame(NZLayoutPtn, const R& rows, const C& columns) {
  return std::pair(quad(_16{}, div_up(rows, _16{}), C0{}, div_up(columns, C0{})),
                   quad(C0{}, times(C0{}, _16{}), _1{}, times(C0{}, round_up(rows, _16{}))));
}
template <typename C0, typename R, typename C>
constexpr auto frame(ZNLayoutPtn, const R& rows, const C& columns) {
  return std::pair(quad(C0{}, div_up(rows, C0{}), _16{}, div_up(columns, _16{})),
                   quad(_1{}, times(C0{}, round_up(columns, _16{})), C0{}, times(C0{}, _16{})));
}
template <typename C0, typename R, typename C>
constexpr auto frame(ZZLayoutPtn, const R& rows, const C& columns) {
  return std::pair(quad(_16{}, div_up(rows, _16{}), C0{}, div_up(columns, C0{})),
                   quad(C0{}, times(_16{}, round_up(columns, C0{})), _1{}, times(C0{}, _16{})));
}
template <typename C0, typename R, typename C>
constexpr auto frame(NNLayoutPtn, const R& rows, const C& columns) {
  return std::pair(quad(_2{}, div_up(rows, _2{}), _16{}, div_up(columns, _16{})),
                   quad(_1{}, _32{}, _2{}, times(round_up(rows, _2{}), _16{})));
}
template <typename C0, typename R, typename C>
constexpr auto frame(ScaleANDLayoutPtn, const R& rows, const C& columns) {
  return frame<C0>(NDExtLayoutPtn{}, rows, columns);
}
template <typename C0, typename R, typename C>
constexpr auto frame(ScaleADNLayoutPtn, const R& rows, const C& columns) {
  return std::pair(quad(_1{}, rows, _2{}, div_up(columns, _2{})),
                   quad(_0{}, _2{}, _1{}, times(_2{}, rows)));
}
template <typename C0, typename R, typename C>
constexpr auto frame(ScaleBNDLayoutPtn, const R& rows, const C& columns) {
  return std::pair(quad(_2{}, div_up(rows, _2{}), _1{}, columns),
                   quad(_1{}, times(_2{}, columns), _0{}, _2{}));
}
template <typename C0, typename R, typename C>
constexpr auto frame(ScaleBDNLayoutPtn, const R& rows, const C& columns) {
  return frame<C0>(DNExtLayoutPtn{}, rows, columns);
}

template <typename LayoutPattern>
inline constexpr bool is_feature_map =
    std::is_same_v<LayoutPattern, NCHWLayoutPtn> || std::is_same_v<LayoutPattern, NHWCLayoutPtn> ||
    std::is_same_v<LayoutPattern, NC1HWC0LayoutPtn>;
}  // namespace aclsim_te

/* (rows, columns), (batch, rows, columns), or the extents of a feature map. */
template <typename LayoutPattern, typename TraitType = Std::ignore_t, typename... Args>
constexpr auto MakeFrameLayout(const Args&... args) {
  using C0 = typename aclsim_te::TraitC0<TraitType>::type;
  if constexpr (aclsim_te::is_feature_map<LayoutPattern>) {
    constexpr std::size_t kExtents = std::is_same_v<LayoutPattern, NC1HWC0LayoutPtn> ? 5 : 4;
    static_assert(sizeof...(Args) == kExtents,
                  "AscendC::Te::MakeFrameLayout: expected one number for each extent");
    const auto shape = MakeShape(args...);
    return MakePatternLayout<LayoutPattern, TraitType>(shape, aclsim_te::packed(shape, _1{}));
  } else if constexpr (sizeof...(Args) == 2) {
    const auto made = aclsim_te::frame<C0>(LayoutPattern{}, args...);
    return MakePatternLayout<LayoutPattern, TraitType>(made.first, made.second);
  } else {
    static_assert(
        sizeof...(Args) == 3,
        "AscendC::Te::MakeFrameLayout: expected rows and columns, or a batch before them");
    const auto all = Std::make_tuple(args...);
    const auto one = aclsim_te::frame<C0>(LayoutPattern{}, std::get<1>(all), std::get<2>(all));
    return MakePatternLayout<LayoutPattern, TraitType>(
        Std::make_tuple(std::get<0>(all), one.first),
        Std::make_tuple(aclsim_te::capacity_of(one.first, one.second), one.second));
  }
}
template <typename LayoutPattern, std::size_t c0, typename... Args>
constexpr auto MakeFrameLayout(const Args&... args) {
  return MakeFrameLayout<LayoutPattern, Std::Int<c0>>(args...);
}

/* MakeFrameLayout as a type. */
template <typename LayoutPattern, typename TraitType = Std::ignore_t>
struct FrameLayoutFormat {
  template <typename... Args>
  constexpr auto operator()(const Args&... args) const {
    return MakeFrameLayout<LayoutPattern, TraitType>(args...);
  }
};

/* ---- the pattern of a layout ----------------------------------------------------------------- */

namespace aclsim_te {
template <typename T>
struct Pattern;
template <typename T, typename U, typename P, typename Trait>
struct Pattern<Layout<T, U, Std::tuple<P, Trait>>> {
  using type = P;
};

/* The constants of a quad distinguish most patterns. */
template <typename S, typename D>
struct Told {
  using type = Std::ignore_t;
};
template <typename R, typename C, typename A>
struct Told<Std::tuple<R, C>, Std::tuple<A, _1>> {
  using type =
      Std::conditional_t<IsTuple<R>::value || IsTuple<C>::value, Std::ignore_t, NDLayoutPtn>;
};
template <typename R, typename C, typename A>
struct Told<Std::tuple<R, C>, Std::tuple<_1, A>> {
  using type =
      Std::conditional_t<IsTuple<R>::value || IsTuple<C>::value, Std::ignore_t, DNLayoutPtn>;
};
template <typename R1, typename C0, typename C1, typename A0, typename A1, typename B1>
struct Told<Std::tuple<Std::tuple<_16, R1>, Std::tuple<C0, C1>>,
            Std::tuple<Std::tuple<A0, A1>, Std::tuple<_1, B1>>> {
  /* Fractals lie column by column if the next row of fractals follows directly. */
  using type = Std::conditional_t<std::is_same_v<A1, decltype(times(C0{}, _16{}))>, NZLayoutPtn,
                                  ZZLayoutPtn>;
};
template <typename R0, typename R1, typename C1, typename A1, typename B0, typename B1>
struct Told<Std::tuple<Std::tuple<R0, R1>, Std::tuple<_16, C1>>,
            Std::tuple<Std::tuple<_1, A1>, Std::tuple<B0, B1>>> {
  using type = Std::conditional_t<std::is_same_v<A1, _32> && std::is_same_v<R0, _2>, NNLayoutPtn,
                                  ZNLayoutPtn>;
};
template <typename R1, typename C1, typename A1>
struct Told<Std::tuple<Std::tuple<_1, R1>, Std::tuple<_1, C1>>,
            Std::tuple<Std::tuple<_0, A1>, Std::tuple<_0, _1>>> {
  using type = NDExtLayoutPtn;
};
template <typename R1, typename C1, typename B1>
struct Told<Std::tuple<Std::tuple<_1, R1>, Std::tuple<_1, C1>>,
            Std::tuple<Std::tuple<_0, _1>, Std::tuple<_0, B1>>> {
  using type = DNExtLayoutPtn;
};
template <typename B, typename S, typename A, typename D>
struct Told<Std::tuple<B, Std::tuple<S, S>>, Std::tuple<A, Std::tuple<D, D>>> {
  using type = typename Told<Std::tuple<S, S>, Std::tuple<D, D>>::type;
};
template <typename T, typename U>
struct Pattern<Layout<T, U, Std::ignore_t>> : Told<T, U> {};
}  // namespace aclsim_te

/* The pattern of a layout. MakeLayout gives none: then the constants may determine it, else it is
   Std::ignore_t. */
template <typename T>
using GetLayoutPattern = typename aclsim_te::Pattern<std::decay_t<T>>::type;

}  // namespace Te
}  // namespace AscendC

#endif /* ASCENDC_IMPL_TE_LAYOUT_H_ */
