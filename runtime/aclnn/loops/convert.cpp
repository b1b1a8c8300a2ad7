// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/loops/convert.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "runtime/aclnn/base/formats.h"
#include "runtime/aclnn/loops/half_rows.h"

namespace aclnn {
namespace {

// The storage formats of elements. `Memory` is the stored type, `value` its number.
template <class M>
struct Plain {
  using Memory = M;
  using Number = M;
  static Number value(Memory memory) { return memory; }
  static Memory memory(Number number) { return number; }
};
struct Half {
  using Memory = std::uint16_t;
  using Number = float;
  static float value(Memory memory) { return float_of_f16(memory); }
  static Memory memory(float number) { return f16_of_float(number); }
};
struct Bf16 {
  using Memory = std::uint16_t;
  using Number = float;
  static float value(Memory memory) { return float_of_bf16(memory); }
  static Memory memory(float number) { return bf16_of_float(number); }
};
struct Bool {
  using Memory = std::uint8_t;
  using Number = bool;
  static bool value(Memory memory) { return memory != 0; }
  static Memory memory(bool number) { return number ? 1 : 0; }
};
struct HalfComplex {
  struct Memory {
    std::uint16_t real, imaginary;
  };
  using Number = std::complex<float>;
  static Number value(Memory memory) {
    return {float_of_f16(memory.real), float_of_f16(memory.imaginary)};
  }
  static Memory memory(Number number) {
    return {f16_of_float(number.real()), f16_of_float(number.imag())};
  }
};

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<std::complex<T>> = true;

template <class To, class From>
To truncated(From from) {
  if constexpr (std::is_same_v<To, bool>) {
    return from != From{};
  } else {
    using Wide = std::conditional_t<std::is_same_v<To, std::uint64_t>, std::uint64_t, std::int64_t>;
    constexpr From kEnd = std::is_same_v<Wide, std::uint64_t> ? From(0x1p64) : From(0x1p63);
    if (!(from == from)) return 0;
    if (from >= kEnd) return static_cast<To>(std::numeric_limits<Wide>::max());
    if (from <= -From(0x1p63)) return static_cast<To>(std::numeric_limits<std::int64_t>::min());
    if constexpr (std::is_same_v<Wide, std::uint64_t>) {
      if (from < 0) return static_cast<To>(static_cast<std::int64_t>(from));
    }
    return static_cast<To>(static_cast<Wide>(from));
  }
}

template <class To, class From>
To converted(From from) {
  if constexpr (std::is_same_v<To, From>) {
    return from;
  } else if constexpr (kIsComplex<From>) {
    if constexpr (kIsComplex<To>) {
      return To(from);
    } else if constexpr (std::is_same_v<To, bool>) {
      return from != From{};
    } else {
      return converted<To>(from.real());
    }
  } else if constexpr (kIsComplex<To>) {
    return To(static_cast<typename To::value_type>(from));
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return truncated<To>(from);
  } else if constexpr (std::is_same_v<To, bool>) {
    return from != From{};
  } else {
    return static_cast<To>(from);
  }
}

template <class M>
M read(const std::byte* from) {
  M memory;
  std::memcpy(&memory, from, sizeof memory);
  return memory;
}

// The compiler is given the usual step as a constant.
template <class Format, class T>
void load(const std::byte* from, std::int64_t step, T* to, std::int64_t count) {
  using M = typename Format::Memory;
  if (step == sizeof(M)) {
    for (std::int64_t i = 0; i < count; ++i) {
      to[i] = converted<T>(Format::value(read<M>(from + i * static_cast<std::int64_t>(sizeof(M)))));
    }
  } else if (step == 0) {
    const T value = converted<T>(Format::value(read<M>(from)));
    for (std::int64_t i = 0; i < count; ++i) to[i] = value;
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      to[i] = converted<T>(Format::value(read<M>(from + i * step)));
    }
  }
}

template <class Format, class T>
void store(const T* from, std::byte* to, std::int64_t step, std::int64_t count) {
  using M = typename Format::Memory;
  const auto put = [&](std::int64_t i, std::int64_t at) {
    const M memory = Format::memory(converted<typename Format::Number>(from[i]));
    std::memcpy(to + i * at, &memory, sizeof memory);
  };
  if (step == sizeof(M)) {
    for (std::int64_t i = 0; i < count; ++i) put(i, sizeof(M));
  } else {
    for (std::int64_t i = 0; i < count; ++i) put(i, step);
  }
}

// Contiguous halves, converted with the processor's instructions.
void load_halves(const std::byte* from, std::int64_t step, float* to, std::int64_t count) {
  if (step != sizeof(std::uint16_t)) return load<Half, float>(from, step, to, count);
  widen_halves(from, to, count);
}
void store_halves(const float* from, std::byte* to, std::int64_t step, std::int64_t count) {
  if (step != sizeof(std::uint16_t)) return store<Half, float>(from, to, step, count);
  narrow_to_halves(from, to, count);
}

}  // namespace

template <class T>
LoadRow<T> load_row(aclDataType type) {
  switch (type) {
    case ACL_FLOAT:
      return load<Plain<float>, T>;
    case ACL_FLOAT16:
      if constexpr (std::is_same_v<T, float>) return load_halves;
      return load<Half, T>;
    case ACL_BF16:
      return load<Bf16, T>;
    case ACL_DOUBLE:
      return load<Plain<double>, T>;
    case ACL_INT8:
      return load<Plain<std::int8_t>, T>;
    case ACL_UINT8:
      return load<Plain<std::uint8_t>, T>;
    case ACL_INT16:
      return load<Plain<std::int16_t>, T>;
    case ACL_UINT16:
      return load<Plain<std::uint16_t>, T>;
    case ACL_INT32:
      return load<Plain<std::int32_t>, T>;
    case ACL_UINT32:
      return load<Plain<std::uint32_t>, T>;
    case ACL_INT64:
      return load<Plain<std::int64_t>, T>;
    case ACL_UINT64:
      return load<Plain<std::uint64_t>, T>;
    case ACL_BOOL:
      return load<Bool, T>;
    case ACL_COMPLEX32:
      return load<HalfComplex, T>;
    case ACL_COMPLEX64:
      return load<Plain<std::complex<float>>, T>;
    default:
      return load<Plain<std::complex<double>>, T>;
  }
}

template <class T>
StoreRow<T> store_row(aclDataType type) {
  switch (type) {
    case ACL_FLOAT:
      return store<Plain<float>, T>;
    case ACL_FLOAT16:
      if constexpr (std::is_same_v<T, float>) return store_halves;
      return store<Half, T>;
    case ACL_BF16:
      return store<Bf16, T>;
    case ACL_DOUBLE:
      return store<Plain<double>, T>;
    case ACL_INT8:
      return store<Plain<std::int8_t>, T>;
    case ACL_UINT8:
      return store<Plain<std::uint8_t>, T>;
    case ACL_INT16:
      return store<Plain<std::int16_t>, T>;
    case ACL_UINT16:
      return store<Plain<std::uint16_t>, T>;
    case ACL_INT32:
      return store<Plain<std::int32_t>, T>;
    case ACL_UINT32:
      return store<Plain<std::uint32_t>, T>;
    case ACL_INT64:
      return store<Plain<std::int64_t>, T>;
    case ACL_UINT64:
      return store<Plain<std::uint64_t>, T>;
    case ACL_BOOL:
      return store<Bool, T>;
    case ACL_COMPLEX32:
      return store<HalfComplex, T>;
    case ACL_COMPLEX64:
      return store<Plain<std::complex<float>>, T>;
    default:
      return store<Plain<std::complex<double>>, T>;
  }
}

#define ACLNN_ROWS(T)                           \
  template LoadRow<T> load_row<T>(aclDataType); \
  template StoreRow<T> store_row<T>(aclDataType);
ACLNN_ROWS(float)
ACLNN_ROWS(double)
ACLNN_ROWS(std::int64_t)
ACLNN_ROWS(std::uint64_t)
ACLNN_ROWS(std::complex<float>)
ACLNN_ROWS(std::complex<double>)
#undef ACLNN_ROWS

}  // namespace aclnn
