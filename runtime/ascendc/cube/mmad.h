// SPDX-License-Identifier: Apache-2.0
// A product of tiles in L0A and L0B, with its sums in L0C.
#pragma once

#include <optional>
#include <string>

#include "runtime/ascendc/cube/unit.h"

namespace ascendc::cube {

std::optional<std::string> check_mmad(const aclsimInstruction& instruction, const aclsimMmad& mmad);
void touched_by_mmad(const aclsimInstruction& instruction, const aclsimMmad& mmad,
                     Touches& touches);
void execute_mmad(const aclsimInstruction& instruction, const aclsimMmad& mmad, bool saturates,
                  Output& output);

/// The value with `bits` bits of mantissa, rounded to nearest.
float to_hf32(float value, std::uint32_t bits, std::uint32_t rounding) noexcept;

}  // namespace ascendc::cube
