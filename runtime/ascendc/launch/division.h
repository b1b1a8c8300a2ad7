// SPDX-License-Identifier: Apache-2.0
// Integer divisions without a result. An x86-64 processor traps; AArch64 and the scalar unit of a
// core continue.
#pragma once

namespace ascendc {

/// Lets the interrupted division give what AArch64 gives: a quotient of 0 and the dividend as the
/// remainder for a divisor of 0, otherwise the dividend and 0. False: the interrupted instruction
/// is no division, or the processor is another one.
bool pass_division(void* context) noexcept;

}  // namespace ascendc
