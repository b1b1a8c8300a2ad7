// SPDX-License-Identifier: Apache-2.0
// Tensors of numbers of 8 and 4 bits as doubles.
#pragma once

#include <cstdint>

#include "runtime/ascendc/library/call.h"

namespace ascendc::library {

/// int4b_t, and the types of narrow.h.
bool is_narrow(std::uint8_t element) noexcept;

/// Elements in a byte: 1 or 2.
unsigned elements_per_byte(std::uint8_t element) noexcept;

/// The first `number` elements of a narrow operand.
void load_narrow(const Call& call, unsigned operand, std::uint64_t number, double* to);

/// `mode`: a RoundMode. A mode that the type does not have counts as its default mode.
void store_narrow(const Call& call, unsigned operand, std::uint64_t number, const double* from,
                  std::int64_t mode);

}  // namespace ascendc::library
