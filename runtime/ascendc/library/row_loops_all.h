// SPDX-License-Identifier: Apache-2.0
// The loops of row_loops.h. Included by row_loops_*.cpp, once each. Functions of the standard
// library are not used here: the linker could choose their instances for AVX2 for all machines.
#pragma once

#include "runtime/ascendc/library/row_loops.h"

namespace ascendc::library::ACLSIM_ROW_LOOPS {
namespace {

// Partial results, so that additions do not wait for each other: four registers of AVX2.
constexpr std::size_t kFloats = 32;
constexpr std::size_t kDoubles = 16;

template <std::size_t partials, typename Number, typename F>
inline Number sum_of(std::size_t number, F&& f) {
  Number rest = 0;
  const std::size_t whole = number / partials * partials;
  for (std::size_t k = whole; k < number; ++k) rest += f(k);
  if (whole == 0) return rest;
  Number partial[partials];
  for (std::size_t k = 0; k < partials; ++k) partial[k] = f(k);
  for (std::size_t first = partials; first < whole; first += partials) {
    for (std::size_t k = 0; k < partials; ++k) partial[k] += f(first + k);
  }
  for (std::size_t width = partials / 2; width != 0; width /= 2) {
    for (std::size_t k = 0; k < width; ++k) partial[k] += partial[k + width];
  }
  return partial[0] + rest;
}

float greatest(const float* values, std::size_t number) {
  float partial[kFloats];
  for (float& value : partial) value = -__builtin_inff();
  std::size_t i = 0;
  for (; i + kFloats <= number; i += kFloats) {
    for (std::size_t k = 0; k < kFloats; ++k) {
      partial[k] = values[i + k] > partial[k] ? values[i + k] : partial[k];
    }
  }
  for (; i < number; ++i) partial[0] = values[i] > partial[0] ? values[i] : partial[0];
  float found = partial[0];
  for (const float value : partial) found = value > found ? value : found;
  return found;
}
float sum(const float* values, std::size_t number) {
  return sum_of<kFloats, float>(number, [values](std::size_t i) { return values[i]; });
}
double sum_in_double(const float* values, std::size_t number) {
  return sum_of<kDoubles, double>(number, [values](std::size_t i) { return double{values[i]}; });
}
float squares(const float* values, std::size_t number, float centre) {
  return sum_of<kFloats, float>(number, [values, centre](std::size_t i) {
    return (values[i] - centre) * (values[i] - centre);
  });
}
void subtract(float* values, std::size_t number, float value) {
  for (std::size_t i = 0; i < number; ++i) values[i] -= value;
}
void divide(float* values, std::size_t number, float value) {
  for (std::size_t i = 0; i < number; ++i) values[i] /= value;
}
void normalise(float* values, std::size_t number, float centre, float factor,
               const float* __restrict gamma, const float* __restrict beta) {
  for (std::size_t i = 0; i < number; ++i) {
    values[i] = (values[i] - centre) * factor * gamma[i] + beta[i];
  }
}
void scale(const float* values, std::size_t number, float factor, float* to) {
  for (std::size_t i = 0; i < number; ++i) to[i] = factor * values[i];
}
void scale_cubic(const float* values, std::size_t number, float factor, float cubic, float* to) {
  for (std::size_t i = 0; i < number; ++i) {
    const float x = values[i];
    to[i] = factor * (x + cubic * x * x * x);
  }
}
void swish(float* values, std::size_t number, const float* __restrict powers) {
  for (std::size_t i = 0; i < number; ++i) values[i] /= 1.0F + powers[i];
}

}  // namespace

const RowLoops kRowLoops = {greatest, sum,       sum_in_double, squares,     subtract,
                            divide,   normalise, scale,         scale_cubic, swish};

}  // namespace ascendc::library::ACLSIM_ROW_LOOPS
