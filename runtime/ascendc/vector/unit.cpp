// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/vector/unit.h"

namespace ascendc::vector {

bool knows(std::uint16_t) noexcept { return false; }
const char* name(std::uint16_t) noexcept { return "?"; }
bool answers(std::uint16_t) noexcept { return false; }
std::optional<Violation> check(const aclsimInstruction&, const State&) { return std::nullopt; }
std::optional<Violation> check_addresses(const aclsimInstruction&, const State&) {
  return std::nullopt;
}
void touched(const aclsimInstruction&, const State&, std::vector<Touch>&, bool) {}
void execute(const aclsimInstruction&, State&) {}
void note(const aclsimInstruction&, State&) noexcept {}

}  // namespace ascendc::vector
