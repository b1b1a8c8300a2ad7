// SPDX-License-Identifier: Apache-2.0
// Integer divisions without a result. Those of the processor trap on x86-64; those of a core and of
// AArch64 go on.
#pragma once

namespace ascendc {

/// Lets the interrupted division give what AArch64 gives: a quotient of 0 and the dividend as the
/// remainder for a divisor of 0, otherwise the dividend and 0. False: the interrupted instruction
/// is no division, or the processor is another one.
bool pass_division(void* context) noexcept;

}  // namespace ascendc
