// SPDX-License-Identifier: Apache-2.0
// Results of L0C on their way out: scaled, rounded, and put into the order of the destination.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ascendc/impl/quant_rows.h"
#include "runtime/ascendc/cube/unit.h"

namespace ascendc::cube {

/// The quantisation modes, numbered as QuantMode_t.
enum class Quant : std::uint32_t {
#define ACLSIM_QUANT(name, source, target, per_column) name,
  ACLSIM_QUANT_ROWS(ACLSIM_QUANT)
#undef ACLSIM_QUANT
      count
};

std::optional<std::string> check_fixpipe(const aclsimInstruction& instruction,
                                         const aclsimFixpipe& fixpipe);
void touched_by_fixpipe(const aclsimInstruction& instruction, const aclsimFixpipe& fixpipe,
                        Touches& touches);
void execute_fixpipe(const aclsimInstruction& instruction, const aclsimFixpipe& fixpipe,
                     bool saturates, Output& output);

/// The factor in a parameter: hardware keeps 10 bits of its mantissa.
float factor_of(std::uint64_t parameter) noexcept;

}  // namespace ascendc::cube
