// SPDX-License-Identifier: Apache-2.0
// Exponentials of rows of float, and sums in eight partial results that a compiler keeps in
// registers.
#pragma once

#include <cstddef>

#include "ascendc/impl/element.h"
#include "ascendc/impl/opcodes.h"
#include "runtime/ascendc/vector/loops.h"

namespace ascendc::library {

/// Replaces each value by e to the power of it, within one unit in the last place.
inline void raise_e(float* values, std::size_t number) {
  auto* const bytes = reinterpret_cast<std::uint8_t*>(values);
  std::uint8_t* const at[] = {bytes, bytes};
  vector::find_loop(ACLSIM_OP_Exp, ACLSIM_FLOAT, ACLSIM_FLOAT)(at, number, {});
}
inline float raised_e(float value) {
  raise_e(&value, 1);
  return value;
}

constexpr std::size_t kPartials = 8;

/// The sum of f(i) for i below `number`.
template <typename F>
float sum_of(std::size_t number, F&& f) {
  float partial[kPartials] = {};
  std::size_t i = 0;
  for (; i + kPartials <= number; i += kPartials) {
    for (std::size_t k = 0; k < kPartials; ++k) partial[k] += f(i + k);
  }
  for (std::size_t k = 0; i < number; ++i, ++k) partial[k] += f(i);
  const float left = (partial[0] + partial[4]) + (partial[2] + partial[6]);
  const float right = (partial[1] + partial[5]) + (partial[3] + partial[7]);
  return left + right;
}

}  // namespace ascendc::library
