/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LocalTensor and GlobalTensor: an address, its end, and the memory that it belongs to. They are
 * handles: copies share the bytes. `aclsim_operand` converts a tensor to an operand of
 * instructions.
 */
#ifndef ASCENDC_IMPL_TENSOR_H_
#define ASCENDC_IMPL_TENSOR_H_

#include <cstdio>
#include <string>

#include "ascendc/impl/element.h"
#include "ascendc/impl/instruction.h"
#include "ascendc/impl/layout.h"
#include "ascendc/impl/limit_rows.h"
#include "ascendc/impl/machine.h"
#include "ascendc/impl/types.h"

/* `bytes` of an operand at `begin`. */
inline uint64_t aclsim_left(uint64_t begin, uint64_t end) {
  return begin < end ? end - begin : ~(begin - end);
}
/* The same, further on. */
inline uint64_t aclsim_left_behind(uint64_t left, uint64_t bytes) {
  return left == 0 ? 0 : left - bytes - (left <= bytes ? 1 : 0);
}

namespace AscendC {

template <typename T>
using PrimT = T;

/* An element type with a layout. */
template <typename T, TPosition pos = TPosition::GM, typename LayoutType = void>
struct TensorTrait {
  static_assert(sizeof(T) == 0,
                "AscendC::TensorTrait is not emulated; expected the element type "
                "itself (docs/kernels.md)");
};

struct ShapeInfo {
  ShapeInfo() = default;
  ACLSIM_API ShapeInfo(const uint8_t inputShapeDim, const uint32_t inputShape[],
                       const uint8_t inputOriginalShapeDim, const uint32_t inputOriginalShape[],
                       const DataFormat inputFormat)
      : shapeDim(inputShapeDim), originalShapeDim(inputOriginalShapeDim), dataFormat(inputFormat) {
    constexpr uint8_t kMost = ACLSIM_MOST_SHAPE_AXES;
    if (shapeDim > kMost || originalShapeDim > kMost) {
      aclsimViolation("ShapeInfo: axes of a shape", shapeDim > kMost ? shapeDim : originalShapeDim,
                      kMost, ACLSIM_SITE);
    }
    for (uint32_t i = 0; i < shapeDim && i + 1 <= K_MAX_SHAPE_DIM; ++i) shape[i] = inputShape[i];
    for (uint32_t i = 0; i < originalShapeDim && i + 1 <= K_MAX_SHAPE_DIM; ++i) {
      originalShape[i] = inputOriginalShape[i];
    }
  }
  ACLSIM_THROUGH ShapeInfo(const uint8_t inputShapeDim, const uint32_t inputShape[],
                           const DataFormat inputFormat)
      : ShapeInfo(inputShapeDim, inputShape, inputShapeDim, inputShape, inputFormat) {}
  ACLSIM_THROUGH ShapeInfo(const uint8_t inputShapeDim, const uint32_t inputShape[])
      : ShapeInfo(inputShapeDim, inputShape, DataFormat::ND) {}

  uint8_t shapeDim = 0;
  uint8_t originalShapeDim = 0;
  uint32_t shape[K_MAX_SHAPE_DIM + 1] = {}; /* a program may define 0 dims */
  uint32_t originalShape[K_MAX_SHAPE_DIM + 1] = {};
  DataFormat dataFormat = DataFormat::ND;
};

inline uint64_t GetShapeSize(const ShapeInfo& shapeInfo) {
  uint64_t size = 1;
  for (uint32_t i = 0; i < shapeInfo.shapeDim && i + 1 <= K_MAX_SHAPE_DIM; ++i) {
    size *= shapeInfo.shape[i];
  }
  return size;
}

/* A piece of local memory without a type. */
struct TBuffAddr {
  uint32_t dataLen = 0;    /* bytes */
  uint32_t bufferAddr = 0; /* offset in its memory */
  TBufHandle bufferHandle = nullptr;
  uint8_t logicPos = 0; /* TPosition */
  uint8_t* absAddr = nullptr;
};

/* The result of GetPhyAddr of a local tensor: an integer, as in kernels for a device, which cast it
 * to a pointer. */
#ifdef ASCENDC_CPU_DEBUG
template <typename T>
using LocalAddress = T*;
#else
template <typename T>
using LocalAddress = uint64_t;
#endif

template <typename T>
class LocalTensor;

/* A binary operator between tensors, computed when it is assigned. */
#define ACLSIM_SYMBOL(NAME)     \
  template <typename T>         \
  struct NAME {                 \
    const LocalTensor<T>& src0; \
    const LocalTensor<T>& src1; \
  };
ACLSIM_SYMBOL(SymbolOverrideAdd)
ACLSIM_SYMBOL(SymbolOverrideSub)
ACLSIM_SYMBOL(SymbolOverrideMul)
ACLSIM_SYMBOL(SymbolOverrideDiv)
ACLSIM_SYMBOL(SymbolOverrideOr)
ACLSIM_SYMBOL(SymbolOverrideAnd)
#undef ACLSIM_SYMBOL
template <typename T>
struct SymbolOverrideCompare {
  const LocalTensor<T>& src0;
  const LocalTensor<T>& src1;
  CMPMODE mode;
};

template <typename T>
class LocalTensor {
 public:
  using PrimType = T;

  /* Its place and its length in bytes, which a program may write itself. */
  mutable TBuffAddr address_ = {0, 0, nullptr, static_cast<uint8_t>(TPosition::VECCALC), nullptr};

  LocalTensor() = default;
  LocalTensor(const LocalTensor& other) = default;
  LocalTensor& operator=(const LocalTensor& other) = default;
  LocalTensor(TBuffAddr& address) { SetAddr(address); }
  ACLSIM_API LocalTensor(TPosition pos, uint32_t addr, uint32_t tileSize) {
    place(pos, addr, tileSize, ACLSIM_SITE);
  }
  template <typename U, Std::enable_if_t<is_layout_v<U>, int> = 0>
  ACLSIM_API LocalTensor(uint32_t addr, const U& layout) {
    place(TPosition::VECCALC, addr, layout.aclsim_elements(), ACLSIM_SITE);
  }
  ACLSIM_API explicit LocalTensor(uint32_t addr) {
    place(
        TPosition::VECCALC, addr,
        static_cast<uint32_t>((aclsimLocalSize(static_cast<uint32_t>(TPosition::VECCALC)) - addr) /
                              sizeof(T) * kPerByte),
        ACLSIM_SITE);
  }

  void SetAddr(const TBuffAddr& address) {
    address_ = address;
    end_ = address.absAddr + address.dataLen;
    note_address();
  }

  ACLSIM_API T GetValue(const uint32_t index) const {
    return read(static_cast<const T*>(scalar(index, ACLSIM_READS, ACLSIM_SITE)), index);
  }
  template <typename S>
  ACLSIM_API void SetValue(const uint32_t index, const S value) const {
    write(static_cast<T*>(scalar(index, ACLSIM_WRITES, ACLSIM_SITE)), index, static_cast<T>(value));
  }
  ACLSIM_API T& operator()(const uint32_t offset) const {
    return *static_cast<T*>(scalar(offset, ACLSIM_READS | ACLSIM_WRITES, ACLSIM_SITE));
  }
  LocalTensor operator[](const uint32_t offset) const {
    LocalTensor part = *this;
    const uint64_t skipped = bytes_of(offset);
    part.move(skipped);
    part.address_.dataLen =
        skipped < address_.dataLen ? static_cast<uint32_t>(address_.dataLen - skipped) : 0;
    return part;
  }
  template <typename U>
  LocalTensor<U> ReinterpretCast() const {
    LocalTensor<U> other;
    other.aclsim_take(*this);
    return other;
  }
  template <typename S>
  void SetAddrWithOffset(LocalTensor<S>& src, uint32_t offset) {
    aclsim_take(src);
    move(bytes_of(offset));
  }

  LocalAddress<T> GetPhyAddr() const { return GetPhyAddr(0); }
  LocalAddress<T> GetPhyAddr(const uint32_t offset) const {
    uint8_t* const from = at() + bytes_of(offset);
    if (from < end_) aclsimPointerTaken(from, static_cast<uint64_t>(end_ - from));
    return reinterpret_cast<LocalAddress<T>>(from);
  }
  int32_t GetPosition() const { return address_.logicPos; }
  uint32_t GetSize() const {
    return static_cast<uint32_t>(address_.dataLen / sizeof(T) * kPerByte);
  }
  void SetSize(const uint32_t size) { address_.dataLen = length_of(size); }
  uint32_t GetLength() const { return address_.dataLen; }
  void SetBufferLen(uint32_t dataLen) { address_.dataLen = dataLen; }
  void SetUserTag(const TTagType tag) { tag_ = tag; }
  TTagType GetUserTag() const { return tag_; }
  void SetShapeInfo(const ShapeInfo& shapeInfo) { shape_ = shapeInfo; }
  ShapeInfo GetShapeInfo() const { return shape_; }
  TBufHandle GetBufferHandle() const { return address_.bufferHandle; }

  /* Its values, as DumpTensor shows them. */
  void Print() { Print(GetSize()); }
  /* Writes its values as raw bytes. Returns 0, or -1 if the file cannot be written. */
  int32_t ToFile(const std::string& fileName) const {
    FILE* const file = std::fopen(fileName.c_str(), "wb");
    if (file == nullptr) return -1;
    const bool written = std::fwrite(at(), 1, address_.dataLen, file) == address_.dataLen;
    return std::fclose(file) == 0 && written ? 0 : -1;
  }
  void Print(uint32_t len) {
    const aclsimOperand operand = aclsim_operand(ACLSIM_READS);
    aclsimDumpTensor(&operand, 0, len, 0, nullptr);
  }

  SymbolOverrideAdd<T> operator+(const LocalTensor& src1) const { return {*this, src1}; }
  SymbolOverrideSub<T> operator-(const LocalTensor& src1) const { return {*this, src1}; }
  SymbolOverrideMul<T> operator*(const LocalTensor& src1) const { return {*this, src1}; }
  SymbolOverrideDiv<T> operator/(const LocalTensor& src1) const { return {*this, src1}; }
  SymbolOverrideOr<T> operator|(const LocalTensor& src1) const { return {*this, src1}; }
  SymbolOverrideAnd<T> operator&(const LocalTensor& src1) const { return {*this, src1}; }
  SymbolOverrideCompare<T> operator<(const LocalTensor& src1) const {
    return {*this, src1, CMPMODE::LT};
  }
  SymbolOverrideCompare<T> operator>(const LocalTensor& src1) const {
    return {*this, src1, CMPMODE::GT};
  }
  SymbolOverrideCompare<T> operator!=(const LocalTensor& src1) const {
    return {*this, src1, CMPMODE::NE};
  }
  SymbolOverrideCompare<T> operator==(const LocalTensor& src1) const {
    return {*this, src1, CMPMODE::EQ};
  }
  SymbolOverrideCompare<T> operator<=(const LocalTensor& src1) const {
    return {*this, src1, CMPMODE::LE};
  }
  SymbolOverrideCompare<T> operator>=(const LocalTensor& src1) const {
    return {*this, src1, CMPMODE::GE};
  }
  /* All elements of the destination. */
  ACLSIM_THROUGH void operator=(const SymbolOverrideAdd<T>& e) {
    Add(*this, e.src0, e.src1, size());
  }
  ACLSIM_THROUGH void operator=(const SymbolOverrideSub<T>& e) {
    Sub(*this, e.src0, e.src1, size());
  }
  ACLSIM_THROUGH void operator=(const SymbolOverrideMul<T>& e) {
    Mul(*this, e.src0, e.src1, size());
  }
  ACLSIM_THROUGH void operator=(const SymbolOverrideDiv<T>& e) {
    Div(*this, e.src0, e.src1, size());
  }
  ACLSIM_THROUGH void operator=(const SymbolOverrideOr<T>& e) { Or(*this, e.src0, e.src1, size()); }
  ACLSIM_THROUGH void operator=(const SymbolOverrideAnd<T>& e) {
    And(*this, e.src0, e.src1, size());
  }
  template <typename U>
  ACLSIM_THROUGH void operator=(const SymbolOverrideCompare<U>& e) {
    Compare(*this, e.src0, e.src1, e.mode, e.src0.GetSize());
  }

  /* ---- what the templates use ---- */
  /* The elements at an address; how many there are is unknown. */
  static LocalTensor aclsim_at(TPosition position, T* address) {
    LocalTensor tensor;
    tensor.address_.logicPos = static_cast<uint8_t>(position);
    tensor.address_.absAddr = reinterpret_cast<uint8_t*>(address);
    tensor.note_address();
    return tensor;
  }
  aclsimOperand aclsim_operand(uint8_t access) const {
    aclsimOperand operand{};
    operand.address = at();
    const auto end = reinterpret_cast<uint64_t>(end_);
    operand.bytes = end == 0 ? 0 : aclsim_left(reinterpret_cast<uint64_t>(operand.address), end);
    operand.tensor = aclsim_tensor();
    operand.block_stride = 1;
    operand.repeat_stride = 8;
    operand.element = aclsim_element::of<T>;
    operand.position = address_.logicPos;
    operand.access = access;
    return operand;
  }
  uint64_t aclsim_tensor() const { return reinterpret_cast<uint64_t>(address_.bufferHandle); }
  /* The same bytes, of another type. */
  template <typename U>
  void aclsim_take(const LocalTensor<U>& other) {
    address_ = other.address_;
    end_ = other.end_;
    seen_offset_ = other.seen_offset_;
    seen_position_ = other.seen_position_;
    tag_ = other.tag_;
  }

 private:
  template <typename U>
  friend class LocalTensor;

  static constexpr uint32_t kPerByte = aclsim_element::per_byte<T>;
  static constexpr uint64_t bytes_of(uint64_t elements) { return elements * sizeof(T) / kPerByte; }
  int32_t size() const { return static_cast<int32_t>(GetSize()); }
  void place(TPosition pos, uint64_t offset, uint32_t elements, const void* site) {
    address_.logicPos = static_cast<uint8_t>(pos);
    address_.bufferAddr = static_cast<uint32_t>(offset);
    address_.dataLen = length_of(elements);
    address_.absAddr = static_cast<uint8_t*>(
        aclsimLocalAddress(address_.logicPos, offset, bytes_of(elements), site));
    end_ = address_.absAddr + bytes_of(elements);
    note_address();
  }
  void note_address() const {
    seen_offset_ = address_.bufferAddr;
    seen_position_ = address_.logicPos;
  }
  /* Programs that lay out the memory themselves write the members of address_. */
  uint8_t* at() const {
    if (address_.bufferAddr != seen_offset_ || address_.logicPos != seen_position_ ||
        (address_.absAddr == nullptr && address_.dataLen != 0)) {
      address_.absAddr = static_cast<uint8_t*>(
          aclsimLocalAddress(address_.logicPos, address_.bufferAddr, address_.dataLen, nullptr));
      end_ = address_.absAddr + address_.dataLen;
      note_address();
    }
    return address_.absAddr;
  }
  void move(uint64_t bytes) {
    address_.absAddr = at() + bytes;
    address_.bufferAddr += static_cast<uint32_t>(bytes);
    note_address();
  }
  static uint32_t length_of(uint64_t elements) {
    const uint64_t bytes = bytes_of(elements);
    return bytes > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(bytes);
  }
  void* scalar(uint32_t index, uint32_t access, const void* site) const {
    uint8_t* const from = at() + bytes_of(index); /* before end_, which it may change */
    return aclsimScalarAccess(from, sizeof(T), reinterpret_cast<uint64_t>(end_), aclsim_tensor(),
                              access | ACLSIM_LOCAL, site);
  }
  static T read(const T* from, uint32_t index) {
    if constexpr (kPerByte == 2) {
      return T::aclsim_nibble(reinterpret_cast<const uint8_t*>(from), index & 1U);
    } else {
      return *from;
    }
  }
  static void write(T* to, uint32_t index, T value) {
    if constexpr (kPerByte == 2) {
      T::aclsim_put(reinterpret_cast<uint8_t*>(to), index & 1U, value);
    } else {
      *to = value;
    }
  }

  mutable uint8_t* end_ = nullptr; /* the end of the allocated bytes */
  mutable uint32_t seen_offset_ = 0;
  mutable uint8_t seen_position_ = static_cast<uint8_t>(TPosition::VECCALC);
  TTagType tag_ = -1;
  ShapeInfo shape_;
};

template <typename T>
class GlobalTensor {
 public:
  using PrimType = T;

  GlobalTensor() = default;
  void SetGlobalBuffer(__gm__ T* buffer, uint64_t bufferSize) {
    address_ = buffer;
    size_ = bufferSize;
    end_ = reinterpret_cast<uint64_t>(buffer) + bytes_of(bufferSize);
  }
  void SetGlobalBuffer(__gm__ T* buffer) {
    address_ = buffer;
    size_ = 0;
    end_ = 0;
  }
  const __gm__ T* GetPhyAddr() const { return address_; }
  __gm__ T* GetPhyAddr(const uint64_t offset) const { return at(offset); }
  ACLSIM_API T GetValue(const uint64_t offset) const {
    const T* const from = static_cast<T*>(scalar(offset, ACLSIM_READS, ACLSIM_SITE));
    if constexpr (std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> &&
                  (sizeof(T) & (sizeof(T) - 1)) == 0 && sizeof(T) <= 8) {
      T value; /* other cores may read it as a flag */
      __atomic_load(from, &value, __ATOMIC_ACQUIRE);
      return value;
    } else {
      return *from;
    }
  }
  ACLSIM_API T& operator()(const uint64_t offset) const {
    return *static_cast<T*>(scalar(offset, ACLSIM_READS | ACLSIM_WRITES, ACLSIM_SITE));
  }
  ACLSIM_API void SetValue(const uint64_t offset, T value) {
    aclsimScalarWrite(at(offset), sizeof(T), end_, &value, ACLSIM_SITE);
  }
  uint64_t GetSize() const { return size_; }
  GlobalTensor operator[](const uint64_t offset) const {
    GlobalTensor part = *this;
    part.address_ = at(offset);
    part.size_ = offset < size_ ? size_ - offset : 0;
    return part;
  }
  template <typename U>
  GlobalTensor<U> ReinterpretCast() const {
    GlobalTensor<U> other;
    if (end_ != 0) {
      other.SetGlobalBuffer(reinterpret_cast<U*>(address_),
                            bytes_of(size_) / sizeof(U) * aclsim_element::per_byte<U>);
    } else {
      other.SetGlobalBuffer(reinterpret_cast<U*>(address_));
    }
    return other;
  }
  void SetShapeInfo(const ShapeInfo& shapeInfo) { shape_ = shapeInfo; }
  ShapeInfo GetShapeInfo() const { return shape_; }
  /* Caches change no results here. */
  template <CacheRwMode rwMode = CacheRwMode::RW>
  void SetL2CacheHint(CacheMode /*mode*/) {}

  aclsimOperand aclsim_operand(uint8_t access) const {
    aclsimOperand operand{};
    operand.address = const_cast<void*>(static_cast<const void*>(address_));
    operand.bytes = end_ == 0 ? 0 : aclsim_left(reinterpret_cast<uint64_t>(address_), end_);
    operand.element = aclsim_element::of<T>;
    operand.position = static_cast<uint8_t>(TPosition::GM);
    operand.access = access;
    return operand;
  }

 private:
  static constexpr uint64_t bytes_of(uint64_t elements) {
    return elements * sizeof(T) / aclsim_element::per_byte<T>;
  }
  __gm__ T* at(uint64_t offset) const {
    return reinterpret_cast<T*>(reinterpret_cast<uint64_t>(address_) + bytes_of(offset));
  }
  void* scalar(uint64_t offset, uint32_t access, const void* site) const {
    return aclsimScalarAccess(at(offset), sizeof(T), end_, 0, access, site);
  }

  __gm__ T* address_ = nullptr;
  uint64_t size_ = 0;
  uint64_t end_ = 0; /* 0: not known */
  ShapeInfo shape_;
};

}  // namespace AscendC

#endif /* ASCENDC_IMPL_TENSOR_H_ */
