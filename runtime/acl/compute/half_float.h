// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace acl {

/// The bits of a half precision number as a float. All exponents are ordinary ones: the bits that
/// IEEE defines as infinity mean 65536, and the bits of a NaN mean a number between 65536 and
/// 131008.
float widen_half(std::uint16_t bits) noexcept;

/// The bits of the nearest half precision number, ties to even. A value that is too large, infinite
/// or not a number becomes the largest finite number, 65504, with its sign.
std::uint16_t narrow_to_half(float value) noexcept;

}  // namespace acl
