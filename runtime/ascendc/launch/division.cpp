// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/division.h"

#include <ucontext.h>

#include <cstdint>

namespace ascendc {

#if defined(__x86_64__)
namespace {

/// DIV or IDIV, as the manual of the processor encodes them: prefixes, F6 or F7, and an operand.
struct Division {
  unsigned bytes = 0;  // of the instruction; 0: it is no division
  unsigned bits = 0;
  bool is_signed = false;
};

Division decode(const std::uint8_t* at) noexcept {
  const std::uint8_t* const begin = at;
  bool wide = false, narrow = false;
  for (; *at == 0x66; ++at) narrow = true;
  if ((*at & 0xf0) == 0x40) wide = (*at++ & 8) != 0;
  if (*at != 0xf6 && *at != 0xf7) return {};
  const bool byte = *at++ == 0xf6;
  const unsigned mode = *at >> 6, operation = *at >> 3 & 7, base = *at & 7;
  ++at;
  if (operation != 6 && operation != 7) return {};
  unsigned displacement = mode == 1 ? 1 : mode == 2 ? 4 : 0;
  if (mode != 3 && base == 4) {
    if (mode == 0 && (*at & 7) == 5) displacement = 4;
    ++at;
  } else if (mode == 0 && base == 5) {
    displacement = 4;
  }
  return {static_cast<unsigned>(at - begin) + displacement,
          byte     ? 8U
          : wide   ? 64U
          : narrow ? 16U
                   : 32U,
          operation == 7};
}

}  // namespace

bool pass_division(void* context) noexcept {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const Division division = decode(reinterpret_cast<const std::uint8_t*>(registers[REG_RIP]));
  if (division.bytes == 0) return false;
  const auto a = static_cast<std::uint64_t>(registers[REG_RAX]);
  const auto d = static_cast<std::uint64_t>(registers[REG_RDX]);
  const std::uint64_t mask = division.bits == 64 ? ~0ULL : (1ULL << division.bits) - 1;
  const std::uint64_t dividend = a & mask, lowest = (mask >> 1) + 1;
  // The lowest number by -1 overflows.
  const bool overflows = division.is_signed && dividend == lowest;
  const std::uint64_t quotient = overflows ? dividend : 0, remainder = overflows ? 0 : dividend;
  if (division.bits == 8) {
    registers[REG_RAX] = static_cast<greg_t>((a & ~0xffffULL) | remainder << 8 | quotient);
  } else {
    // A register of 32 bits clears the rest.
    const std::uint64_t kept = division.bits == 16 ? ~mask : 0;
    registers[REG_RAX] = static_cast<greg_t>((a & kept) | quotient);
    registers[REG_RDX] = static_cast<greg_t>((d & kept) | remainder);
  }
  registers[REG_RIP] += division.bytes;
  return true;
}
#else
bool pass_division(void*) noexcept { return false; }
#endif

}  // namespace ascendc
