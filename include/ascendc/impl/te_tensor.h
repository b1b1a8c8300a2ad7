/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pointers and tensors of the tensor API (AscendC::Te): a pointer knows its memory, and a tensor is
 * a pointer with a layout. Instructions get them as LocalTensor<T> and GlobalTensor<T>.
 */
#ifndef ASCENDC_IMPL_TE_TENSOR_H_
#define ASCENDC_IMPL_TE_TENSOR_H_

#include "ascendc/impl/cube.h"
#include "ascendc/impl/te_layout.h"
#include "ascendc/impl/tensor.h"

namespace AscendC {
namespace Te {

struct Location {
  struct GM {};
  struct UB {};
  struct L1 {};
  struct L0A {};
  struct L0B {};
  struct L0C {};
  struct L0ScaleA {};
  struct L0ScaleB {};
  struct BIAS {};
  struct FIXBUF {};
};

enum class CacheMode : uint8_t { CACHE_MODE_NORMAL = 0, CACHE_MODE_DISABLE = 1 };

namespace aclsim_te {
/* The TPosition of a location. */
template <typename Hardware>
inline constexpr uint32_t position_of = static_cast<uint32_t>(TPosition::GM);
#define ACLSIM_TE_POSITION(LOCATION, POSITION) \
  template <>                                  \
  inline constexpr uint32_t position_of<Location::LOCATION> = static_cast<uint32_t>(POSITION);
ACLSIM_TE_POSITION(UB, TPosition::VECCALC)
ACLSIM_TE_POSITION(L1, TPosition::A1)
ACLSIM_TE_POSITION(L0A, TPosition::A2)
ACLSIM_TE_POSITION(L0B, TPosition::B2)
ACLSIM_TE_POSITION(L0C, TPosition::CO1)
ACLSIM_TE_POSITION(L0ScaleA, ACLSIM_POSITION_SCALES_A)
ACLSIM_TE_POSITION(L0ScaleB, ACLSIM_POSITION_SCALES_B)
ACLSIM_TE_POSITION(BIAS, TPosition::C2)
ACLSIM_TE_POSITION(FIXBUF, TPosition::C2PIPE2GM)
#undef ACLSIM_TE_POSITION

template <typename Hardware>
inline constexpr bool is_scale =
    std::is_same_v<Hardware, Location::L0ScaleA> || std::is_same_v<Hardware, Location::L0ScaleB>;

/* The address of a number, which is an offset in a local memory or an address of the program. A
   scale has a 16th of the address of its matrix. */
template <typename Hardware>
ACLSIM_THROUGH void* address_of(uint64_t number, const void* site) {
  constexpr uint64_t kLargestMemory = uint64_t{1} << 20;
  if constexpr (std::is_same_v<Hardware, Location::GM>) {
    return reinterpret_cast<void*>(number);
  } else if constexpr (is_scale<Hardware>) {
    const uint64_t offset =
        number < kLargestMemory
            ? number
            : aclsimLocalOffset(reinterpret_cast<const void*>(number * 16)) / 16;
    return aclsimLocalAddress(position_of<Hardware>, offset, 0, site);
  } else {
    if (number >= kLargestMemory) return reinterpret_cast<void*>(number);
    return aclsimLocalAddress(position_of<Hardware>, number, 0, site);
  }
}
}  // namespace aclsim_te

template <typename PtrPattern, typename Pointer>
struct HardwareMemPtr;
template <typename PtrPattern, typename T>
struct HardwareMemPtr<PtrPattern, T*> {
  using Hardware = PtrPattern;
  using elementType = T;
  using valueType = std::remove_cv_t<T>;
  using reference = T&;

  T* ptr = nullptr;

  constexpr T* Get() const { return ptr; }
  constexpr T& operator*() const { return *ptr; }
  template <typename I>
  constexpr T& operator[](const I& index) const {
    return ptr[static_cast<int64_t>(index)];
  }
  template <typename I>
  constexpr HardwareMemPtr operator+(const I& elements) const {
    constexpr int64_t kPerByte = aclsim_element::per_byte<valueType>;
    return {ptr + static_cast<int64_t>(elements) / kPerByte};
  }
};

/* A pointer of this type into a memory, from an offset or an address. */
template <typename Hardware, typename DataType, typename Addr,
          Std::enable_if_t<std::is_integral_v<Addr>, int> = 0>
ACLSIM_API HardwareMemPtr<Hardware, DataType*> MakeMemPtr(Addr addr) {
  return {static_cast<DataType*>(
      aclsim_te::address_of<Hardware>(static_cast<uint64_t>(addr), ACLSIM_SITE))};
}
template <typename Hardware, typename T>
constexpr HardwareMemPtr<Hardware, T*> MakeMemPtr(T* pointer) {
  return {pointer};
}
template <typename Hardware, typename Other, typename T>
constexpr HardwareMemPtr<Hardware, T*> MakeMemPtr(const HardwareMemPtr<Other, T*>& pointer) {
  return {pointer.Get()};
}
/* bisheng names the memory of an array, variable or parameter that is declared in a local one. */
template <typename T>
constexpr HardwareMemPtr<Location::GM, T*> MakeMemPtr(T* pointer) {
  return {pointer};
}
template <typename Hardware, typename T>
constexpr HardwareMemPtr<Hardware, T*> MakeMemPtr(const HardwareMemPtr<Hardware, T*>& pointer) {
  return pointer;
}

template <typename Iterator>
struct ViewEngine {
  using iterator = Iterator;
  using reference = typename Iterator::reference;
  using elementType = typename Iterator::elementType;
  using valueType = typename Iterator::valueType;

  constexpr ViewEngine(iterator storage = {}) : storage_(storage) {}
  constexpr const iterator& Begin() const { return storage_; }
  constexpr iterator& Begin() { return storage_; }
  /* Copies from global memory have it; it changes nothing here. */
  constexpr uint8_t GetCacheMode() const {
    return static_cast<uint8_t>(CacheMode::CACHE_MODE_NORMAL);
  }

 private:
  iterator storage_;
};

template <typename EngineType, typename LayoutType>
struct TensorAttribute {};

namespace aclsim_te {
/* The shape of a part: the numbers of rows and columns that `info` gives become numbers of
   fractals where the tensor has fractals. */
template <typename S, typename I>
constexpr auto part_shape(const S& shape, const I& info);
template <typename S, typename I, std::size_t... i>
constexpr auto part_shape(const S& shape, const I& info, std::index_sequence<i...>) {
  return Std::make_tuple(part_shape(std::get<i>(shape), std::get<i>(info))...);
}
template <typename S, typename I>
constexpr auto part_shape(const S& shape, const I& info) {
  if constexpr (IsTuple<I>::value) {
    static_assert(IsTuple<S>::value && std::tuple_size_v<S> == std::tuple_size_v<I>,
                  "AscendC::Te::Slice: the part and the tensor have as many dimensions");
    return part_shape(shape, info, std::make_index_sequence<std::tuple_size_v<I>>());
  } else if constexpr (IsTuple<S>::value) {
    return Std::make_tuple(std::get<0>(shape), div_up(info, std::get<0>(shape)));
  } else {
    return info;
  }
}
template <typename S, typename C>
constexpr auto rest_of(const S& shape, const C& coord);
template <typename S, typename C, std::size_t... i>
constexpr auto rest_of(const S& shape, const C& coord, std::index_sequence<i...>) {
  return Std::make_tuple(rest_of(std::get<i>(shape), std::get<i>(coord))...);
}
template <typename S, typename C>
constexpr auto rest_of(const S& shape, const C& coord) {
  if constexpr (IsTuple<C>::value) {
    return rest_of(shape, coord, std::make_index_sequence<std::tuple_size_v<C>>());
  } else if constexpr (IsTuple<S>::value) {
    return Std::make_tuple(std::get<0>(shape),
                           div_up(minus(size_of(shape), coord), std::get<0>(shape)));
  } else {
    return minus(shape, coord);
  }
}

template <typename T>
struct IsLayout : std::false_type {};
template <typename T, typename U, typename Info>
struct IsLayout<Layout<T, U, Info>> : std::true_type {};

/* The same strides and pattern with another shape. */
template <typename T, typename U, typename Info, typename S>
constexpr Layout<S, U, Info> reshaped(const Layout<T, U, Info>& layout, const S& shape) {
  return {shape, layout.Stride()};
}
}  // namespace aclsim_te

template <typename T>
class BaseTensor;
template <typename EngineType, typename LayoutType>
class BaseTensor<TensorAttribute<EngineType, LayoutType>> {
 public:
  using iterator = typename EngineType::iterator;
  using valueType = typename EngineType::valueType;
  using elementType = typename EngineType::elementType;
  using reference = typename EngineType::reference;
  using engineType = EngineType;
  using layoutType = LayoutType;
  using Hardware = typename iterator::Hardware;
  static constexpr int rank = LayoutType::rank;

  constexpr BaseTensor() = default;
  constexpr BaseTensor(const EngineType& engine, const LayoutType& layout)
      : engine_(engine), layout_(layout) {}

  constexpr const EngineType& Engine() const { return engine_; }
  constexpr EngineType& Engine() { return engine_; }
  constexpr const LayoutType& Layout() const { return layout_; }
  constexpr decltype(auto) Data() const { return engine_.Begin(); }
  constexpr decltype(auto) Data() { return engine_.Begin(); }
  constexpr auto Shape() const { return layout_.Shape(); }
  constexpr auto Stride() const { return layout_.Stride(); }
  constexpr auto Size() const { return layout_.Size(); }
  constexpr auto Capacity() const { return layout_.Capacity(); }

 protected:
  EngineType engine_;
  LayoutType layout_;
};

}  // namespace Te

/* Tensors of the tensor API are LocalTensor and GlobalTensor of an attribute. */
#define ACLSIM_TE_TENSOR(NAME, MEMBERS)                                                           \
  template <typename EngineType, typename LayoutType>                                             \
  class NAME<Te::TensorAttribute<EngineType, LayoutType>>                                         \
      : public Te::BaseTensor<Te::TensorAttribute<EngineType, LayoutType>> {                      \
    using Base = Te::BaseTensor<Te::TensorAttribute<EngineType, LayoutType>>;                     \
                                                                                                  \
   public:                                                                                        \
    using Base::Base;                                                                             \
    constexpr const NAME& Tensor() const { return *this; }                                        \
    /* One element, by its coordinate. */                                                         \
    template <typename Coord>                                                                     \
    ACLSIM_THROUGH typename Base::reference operator[](const Coord& coord) const {                \
      return Te::aclsim_te::element(*this, this->Layout()(coord));                                \
    }                                                                                             \
    /* The tensor from a coordinate on. */                                                        \
    template <typename Coord>                                                                     \
    constexpr auto operator()(const Coord& coord) const {                                         \
      return Te::aclsim_te::part(*this, coord, Te::aclsim_te::rest_of(this->Shape(), coord));     \
    }                                                                                             \
    template <typename Coord0, typename Coord1, typename... Coords>                               \
    constexpr auto operator()(const Coord0& c0, const Coord1& c1, const Coords&... cs) const {    \
      return (*this)(MakeCoord(c0, c1, cs...));                                                   \
    }                                                                                             \
    /* The part from a coordinate on that `info`, a shape or a layout, describes. */              \
    template <typename Coord, typename Info>                                                      \
    constexpr auto Slice(const Coord& coord, const Info& info) const {                            \
      if constexpr (Te::aclsim_te::IsLayout<Info>::value) {                                       \
        return Te::aclsim_te::part(*this, coord, info.Shape());                                   \
      } else {                                                                                    \
        return Te::aclsim_te::part(*this, coord, Te::aclsim_te::part_shape(this->Shape(), info)); \
      }                                                                                           \
    }                                                                                             \
    MEMBERS                                                                                       \
  };

namespace Te {
namespace aclsim_te {
template <typename Tensor, typename C, typename S>
constexpr auto part(const Tensor& tensor, const C& coord, const S& shape);
template <typename Tensor>
ACLSIM_THROUGH typename Tensor::reference element(const Tensor& tensor, int64_t offset);
}  // namespace aclsim_te
}  // namespace Te

ACLSIM_TE_TENSOR(LocalTensor, )
ACLSIM_TE_TENSOR(GlobalTensor, constexpr void SetL2CacheHint(Te::CacheMode){})
#undef ACLSIM_TE_TENSOR

namespace Te {
using AscendC::GlobalTensor;
using AscendC::LocalTensor;

namespace aclsim_te {
template <typename T>
struct IsTensor : std::false_type {};
template <typename E, typename L>
struct IsTensor<LocalTensor<TensorAttribute<E, L>>> : std::true_type {};
template <typename E, typename L>
struct IsTensor<GlobalTensor<TensorAttribute<E, L>>> : std::true_type {};

template <typename Iterator, typename L>
constexpr auto tensor_of(const Iterator& iter, const L& layout) {
  using Attribute = TensorAttribute<ViewEngine<Iterator>, L>;
  if constexpr (std::is_same_v<typename Iterator::Hardware, Location::GM>) {
    return GlobalTensor<Attribute>(ViewEngine<Iterator>(iter), layout);
  } else {
    return LocalTensor<Attribute>(ViewEngine<Iterator>(iter), layout);
  }
}
template <typename Tensor, typename C, typename S>
constexpr auto part(const Tensor& tensor, const C& coord, const S& shape) {
  return tensor_of(tensor.Data() + tensor.Layout()(coord), reshaped(tensor.Layout(), shape));
}

/* The tensor as instructions see it: its bytes from the first element to the last, in local
   memory with the whole block of 32 bytes that the last one is in. */
template <typename Tensor>
auto plain(const Tensor& tensor) {
  using T = typename Tensor::valueType;
  const uint64_t elements =
      static_cast<uint64_t>(reach_of(tensor.Layout().Shape(), tensor.Layout().Stride()));
  auto* const at = const_cast<T*>(tensor.Data().Get());
  if constexpr (std::is_same_v<typename Tensor::Hardware, Location::GM>) {
    GlobalTensor<T> made;
    made.SetGlobalBuffer(at, elements);
    return made;
  } else {
    TBuffAddr address;
    const uint64_t bytes = elements * sizeof(T) / aclsim_element::per_byte<T>;
    address.dataLen = static_cast<uint32_t>((bytes + 31) / 32 * 32);
    address.bufferAddr = static_cast<uint32_t>(aclsimLocalOffset(at));
    address.logicPos = static_cast<uint8_t>(position_of<typename Tensor::Hardware>);
    address.absAddr = reinterpret_cast<uint8_t*>(at);
    LocalTensor<T> made;
    made.SetAddr(address);
    return made;
  }
}
template <typename Tensor>
ACLSIM_THROUGH typename Tensor::reference element(const Tensor& tensor, int64_t offset) {
  static_assert(std::is_same_v<typename Tensor::Hardware, Location::GM> ||
                    std::is_same_v<typename Tensor::Hardware, Location::UB>,
                "AscendC::Te: elements of tensors in the memories of the cube unit are not "
                "accessible");
  const auto all = plain(tensor);
  if constexpr (std::is_same_v<typename Tensor::Hardware, Location::GM>) {
    return all(static_cast<uint64_t>(offset));
  } else {
    return all(static_cast<uint32_t>(offset));
  }
}
}  // namespace aclsim_te

/* Whether the layout of a tensor has this pattern. */
template <typename Tensor, typename LayoutPattern>
inline constexpr bool IsSatisfiedPtnFormatV =
    std::is_same_v<GetLayoutPattern<typename std::decay_t<Tensor>::layoutType>, LayoutPattern>;

template <typename T>
inline constexpr bool IsAttrTensorV = aclsim_te::IsTensor<std::decay_t<T>>::value;

/* A tensor of a pointer with a layout, or with a shape and a stride. */
template <typename Iterator, typename T, typename U, typename Info>
constexpr auto MakeTensor(const Iterator& iter, const Layout<T, U, Info>& layout) {
  return aclsim_te::tensor_of(iter, layout);
}
template <typename Iterator, typename T, typename U,
          Std::enable_if_t<aclsim_te::IsTuple<T>::value, int> = 0>
constexpr auto MakeTensor(const Iterator& iter, const T& shape, const U& stride) {
  return aclsim_te::tensor_of(iter, MakeLayout(shape, stride));
}
template <typename Tensor, typename C, typename Info>
constexpr auto Slice(const Tensor& tensor, const C& coord, const Info& info) {
  return tensor.Slice(coord, info);
}

}  // namespace Te
}  // namespace AscendC

#endif /* ASCENDC_IMPL_TE_TENSOR_H_ */
