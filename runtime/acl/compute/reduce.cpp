// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/compute/reduce.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <type_traits>

#include "runtime/acl/base/error.h"
#include "runtime/acl/compute/number.h"

namespace acl {
namespace {

struct Sum {
  template <class T>
  T operator()(T a, T b) const noexcept {
    if constexpr (std::is_integral_v<T>) {
      using Unsigned = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
    } else {
      return a + b;
    }
  }
};

template <class T>
bool unordered(T a) noexcept {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(a);
  return false;
}

struct Max {
  template <class T>
  T operator()(T a, T b) const noexcept {
    return unordered(a) || (a > b && !unordered(b)) ? a : b;
  }
};

struct Min {
  template <class T>
  T operator()(T a, T b) const noexcept {
    return unordered(a) || (a < b && !unordered(b)) ? a : b;
  }
};

// Streams on other threads may reduce onto the same memory: page by page, one at a time.
constexpr std::size_t kReducePage = 4096;
std::mutex& lock_of(std::uintptr_t page) {
  static std::array<std::mutex, 64> locks;
  return locks[page % locks.size()];
}

template <class T, class Combine>
void reduce_elements(std::byte* dst, const std::byte* src, std::size_t bytes) {
  for (std::size_t i = 0; i + sizeof(T) <= bytes; i += sizeof(T)) {
    T a;
    T b;
    std::memcpy(&a, dst + i, sizeof(T));
    std::memcpy(&b, src + i, sizeof(T));
    const T result = Number<T>::write(Combine{}(Number<T>::read(a), Number<T>::read(b)));
    std::memcpy(dst + i, &result, sizeof(T));
  }
}

template <class T, class Combine>
void reduce(void* dst, const void* src, std::size_t bytes) {
  auto* to = static_cast<std::byte*>(dst);
  const auto* from = static_cast<const std::byte*>(src);
  while (bytes != 0) {
    const auto address = reinterpret_cast<std::uintptr_t>(to);
    // An element that lies across two pages goes with the first.
    const std::size_t to_end = kReducePage - address % kReducePage;
    const std::size_t whole = (to_end + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const std::size_t step = std::min(bytes, whole);
    {
      const std::lock_guard guard(lock_of(address / kReducePage));
      reduce_elements<T, Combine>(to, from, step);
    }
    to += step;
    from += step;
    bytes -= step;
  }
}

struct ReduceRow {
  aclDataType type;
  std::size_t size;
  ReduceFunction sum, max, min;
};

template <class T>
constexpr ReduceRow row(aclDataType type) {
  return {type, sizeof(T), reduce<T, Sum>, reduce<T, Max>, reduce<T, Min>};
}

constexpr ReduceRow kReduceRows[] = {
    row<std::int8_t>(ACL_INT8), row<std::int16_t>(ACL_INT16), row<std::int32_t>(ACL_INT32),
    row<Half>(ACL_FLOAT16),     row<float>(ACL_FLOAT),        row<BFloat16>(ACL_BF16),
};

}  // namespace

Reduction find_reduction(aclrtReduceKind kind, aclDataType type) {
  if (kind < ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM || kind > ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN) {
    fail(ACL_ERROR_INVALID_PARAM, "kind is {}; expected {} (sum), {} (max) or {} (min)",
         static_cast<int>(kind), static_cast<int>(ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM),
         static_cast<int>(ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX),
         static_cast<int>(ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN));
  }
  const ReduceRow* const found = std::find_if(std::begin(kReduceRows), std::end(kReduceRows),
                                              [&](const ReduceRow& r) { return r.type == type; });
  if (found == std::end(kReduceRows)) {
    fail(ACL_ERROR_INVALID_PARAM, "type is {}; expected int8, int16, int32, float16, float or bf16",
         static_cast<int>(type));
  }
  if (kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM) return {found->sum, found->size};
  return {kind == ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX ? found->max : found->min, found->size};
}

}  // namespace acl
