// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/compute/reduce.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>

#include "device_sim/base/mutex.h"
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
sim::Mutex& lock_of(std::uintptr_t page) {
  static std::array<sim::Mutex, 64> locks;
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
      const sim::LockGuard guard(lock_of(address / kReducePage));
      reduce_elements<T, Combine>(to, from, step);
    }
    to += step;
    from += step;
    bytes -= step;
  }
}

constexpr const char* kKinds[] = {"sum", "max", "min"};

struct ReduceRow {
  aclDataType type;
  const char* name;
  std::size_t size;
  std::array<ReduceFunction, std::size(kKinds)> run;
};

template <class T>
constexpr ReduceRow row(aclDataType type, const char* name) {
  return {type, name, sizeof(T), {reduce<T, Sum>, reduce<T, Max>, reduce<T, Min>}};
}

constexpr ReduceRow kReduceRows[] = {
    row<std::int8_t>(ACL_INT8, "int8"),    row<std::int16_t>(ACL_INT16, "int16"),
    row<std::int32_t>(ACL_INT32, "int32"), row<Half>(ACL_FLOAT16, "float16"),
    row<float>(ACL_FLOAT, "float"),        row<BFloat16>(ACL_BF16, "bf16"),
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
  const auto which = static_cast<std::size_t>(kind - ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM);
  const auto row = static_cast<std::size_t>(found - kReduceRows);
  return {found->run[which], found->size,
          static_cast<std::uint16_t>(1 + row * std::size(kKinds) + which)};
}

std::string reduction_name(std::uint16_t number) {
  const std::size_t index = number - 1U;
  const std::size_t row = index / std::size(kKinds);
  if (row >= std::size(kReduceRows)) return {};
  return std::string(kKinds[index % std::size(kKinds)]) + ":" + kReduceRows[row].name;
}

}  // namespace acl
