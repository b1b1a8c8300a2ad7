// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/acl/watch/misuse.h"
#include "runtime/order/engine/rules.h"
#include "runtime/order/report/call_loss.h"

namespace acl {

/// The loss of the program when the call fails with the code. A wait that reached its time limit
/// loses nothing: programs poll with such waits.
order::Loss loss_of(std::string_view call, std::int32_t code) noexcept;

/// The rule that a call breaks if it fails with the code; nullopt if the code breaks no rule.
std::optional<order::Rule> rule_of_code(std::int32_t code) noexcept;

/// The rule that a call breaks by the misuse.
order::Rule rule_of(watch::Misuse misuse) noexcept;

}  // namespace acl
