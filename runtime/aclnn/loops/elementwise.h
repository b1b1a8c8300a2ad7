// SPDX-License-Identifier: Apache-2.0
// out = f(in...) for each element. Each function has one short loop of its own; the rest is
// compiled once for each type and number of inputs.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/plan/plan.h"
#include "runtime/aclnn/plan/planner.h"

namespace aclnn {

/// Fewer elements than this are not worth a second thread.
inline constexpr std::int64_t kLeastElements = std::int64_t{1} << 15;

/// A function of N numbers, and the loop that applies it to rows of them.
template <class T, std::size_t N>
struct Function {
  using Row = void (*)(const std::array<const T*, N>& in, T* out, std::int64_t count,
                       const void* f);
  Row row;
  alignas(16) std::array<std::byte, 64> f;

  template <class F>
  static Function of(const F& f) {
    static_assert(std::is_trivially_copyable_v<F> && sizeof(F) <= 64);
    Function function{apply<F>, {}};
    std::memcpy(function.f.data(), &f, sizeof f);
    return function;
  }

 private:
  template <class F, std::size_t... I>
  static void loop(const std::array<const T*, N>& in, T* out, std::int64_t count, const F& f,
                   std::index_sequence<I...>) {
    for (std::int64_t i = 0; i < count; ++i) out[i] = f(in[I][i]...);
  }
  template <class F>
  static void apply(const std::array<const T*, N>& in, T* out, std::int64_t count, const void* f) {
    loop(in, out, count, *static_cast<const F*>(f), std::make_index_sequence<N>{});
  }
};

/// For the elements [begin, end) in their order. The views have one shape. T is a lane's type, N is
/// 0 to 4.
template <class T, std::size_t N>
void compute(const std::array<Data, N>& in, const Data& out, std::int64_t begin, std::int64_t end,
             const Function<T, N>& f);

/// Plans it for all elements.
template <class T, std::size_t N>
void plan_function(Planner& p, const std::array<View, N>& in, const View& out,
                   const Function<T, N>& f);

/// The same from anything that can be called with N numbers of type T. It may be called with the
/// elements of a row in any order.
template <class T, std::size_t N, class F>
void plan_elements(Planner& p, const std::array<View, N>& in, const View& out, const F& f) {
  plan_function<T, N>(p, in, out, Function<T, N>::of(f));
}

}  // namespace aclnn
