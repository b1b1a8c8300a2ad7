// SPDX-License-Identifier: Apache-2.0
// The text of printf and DumpTensor in kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ascendc/impl/instruction.h"
#include "ascendc/impl/machine.h"

namespace ascendc {

/// Conversions that are not known stay as they are; those without an argument too.
std::string formatted(const char* format, const aclsimPrintArgument* args, std::size_t count);

/// A row of values with a head that says what they are; nested brackets with a shape.
std::string dumped(const aclsimOperand& tensor, std::uint32_t desc, std::uint32_t elements,
                   std::uint32_t dims, const std::uint32_t* shape);

}  // namespace ascendc
