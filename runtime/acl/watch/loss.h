// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/order/engine/rules.h"

namespace acl {

/// What a failed call leaves undone.
enum class Loss : std::uint8_t {
  nothing,  // it fails by design: a query, a wait with a limit
  little,   // the state is as before
  work,     // it was to enqueue, copy, allocate, record, wait or launch
};
Loss loss_of(std::string_view call, std::int32_t code) noexcept;

/// The rule that a call breaks which fails with the code; nothing where the code says only that it
/// failed.
std::optional<order::Rule> rule_of_code(std::int32_t code) noexcept;

}  // namespace acl
