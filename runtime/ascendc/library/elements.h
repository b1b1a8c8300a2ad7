// SPDX-License-Identifier: Apache-2.0
// Computations element by element, in pieces that stay in the first cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "runtime/ascendc/library/call.h"

namespace ascendc::library {

constexpr std::size_t kPiece = 512;

/// to[i] = f(from[i]) for the first `number` elements of two operands. Number: float or double.
template <typename Number, typename F>
void each_of_one(const Call& call, unsigned to, unsigned from, std::uint64_t number, F&& f) {
  Number values[kPiece];
  for (std::uint64_t first = 0; first < number; first += kPiece) {
    const auto here = static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, number - first));
    call.load(from, first, here, values);
    for (std::size_t i = 0; i < here; ++i) values[i] = f(values[i]);
    call.store(to, first, here, values);
  }
}

/// Elements of a tensor, or a value instead of each.
template <typename Number>
class Source {
 public:
  /// `number`: which number of the call has the bits of the value if the operand is absent.
  Source(const Call& call, unsigned operand, unsigned number, std::uint8_t element)
      : call_(call), operand_(operand) {
    if (call.has(operand)) return;
    std::fill_n(values_, kPiece, static_cast<Number>(call.value(number, element)));
  }
  const Number* load(std::uint64_t first, std::size_t number) {
    if (call_.has(operand_)) call_.load(operand_, first, number, values_);
    return values_;
  }

 private:
  const Call& call_;
  unsigned operand_;
  Number values_[kPiece];
};

/// to[i] = f(a[i], b[i]).
template <typename Number, typename F>
void each_of_two(const Call& call, unsigned to, Source<Number> a, Source<Number> b,
                 std::uint64_t number, F&& f) {
  Number values[kPiece];
  for (std::uint64_t first = 0; first < number; first += kPiece) {
    const auto here = static_cast<std::size_t>(std::min<std::uint64_t>(kPiece, number - first));
    const Number* const left = a.load(first, here);
    const Number* const right = b.load(first, here);
    for (std::size_t i = 0; i < here; ++i) values[i] = f(left[i], right[i]);
    call.store(to, first, here, values);
  }
}

}  // namespace ascendc::library
