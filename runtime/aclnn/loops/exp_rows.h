// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace aclnn {

/// e to the power of each number, about 1 ulp off at most; what is not a number stays so. `to` may
/// be `from`.
void exp_row(const float* from, float* to, std::int64_t count);

/// The same of (x - shift). Returns the sum of the results.
double exp_row(const float* from, float shift, float* to, std::int64_t count);

/// The sum of e to the power of (x - shift).
double exp_sum(const float* from, float shift, std::int64_t count);

/// The greatest of the values that are not NaN: NaNs appear in the sums.
float greatest_of(const float* x, std::int64_t count);

/// y = exp(x) / sum exp(x). `y` may be `x`.
void softmax_row(const float* x, float* y, std::int64_t count);

}  // namespace aclnn
