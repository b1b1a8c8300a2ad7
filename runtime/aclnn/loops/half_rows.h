// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace aclnn {

/// Halves (IEEE, 2 bytes each, at any address) as floats, and back: to nearest, ties to even.
void widen_halves(const std::byte* from, float* to, std::int64_t count);
void narrow_to_halves(const float* from, std::byte* to, std::int64_t count);

}  // namespace aclnn
