// SPDX-License-Identifier: Apache-2.0
// The loops that most of the time of the library is spent in, for the processor that runs them.
#pragma once

#include <cstddef>

namespace ascendc::library {

/// Each processor computes the same values. Sums have partial results, whose order does not depend
/// on the processor. `values` may be the destination of a loop.
struct RowLoops {
  /// -infinity for no values. NaN is no maximum.
  float (*greatest)(const float* values, std::size_t number);
  float (*sum)(const float* values, std::size_t number);
  double (*sum_in_double)(const float* values, std::size_t number);
  /// The sum of the squares of values - centre.
  float (*squares)(const float* values, std::size_t number, float centre);
  void (*subtract)(float* values, std::size_t number, float value);
  void (*divide)(float* values, std::size_t number, float value);
  /// (values - centre) * factor * gamma + beta
  void (*normalise)(float* values, std::size_t number, float centre, float factor,
                    const float* gamma, const float* beta);
  /// to = factor * values
  void (*scale)(const float* values, std::size_t number, float factor, float* to);
  /// to = factor * (values + cubic * values^3)
  void (*scale_cubic)(const float* values, std::size_t number, float factor, float cubic,
                      float* to);
  /// values / (1 + powers)
  void (*swish)(float* values, std::size_t number, const float* powers);
};

/// The loops for this machine.
const RowLoops& row_loops() noexcept;

namespace plain {
extern const RowLoops kRowLoops;
}
namespace avx2 {
extern const RowLoops kRowLoops;
}

}  // namespace ascendc::library
