// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace order {

enum class Level : std::uint8_t { note, warning, error };

std::string_view name(Level level) noexcept;
/// Null for a word that is none of note, warning, error.
std::optional<Level> level_of(std::string_view word) noexcept;

/// The rules of the checker, from the rows of rules.def.
enum class Rule : std::uint8_t {
#define RULE(name, id, level, title, meaning, repair) name,
#include "runtime/order/engine/rules.def"
#undef RULE
  count,
};

/// A row of rules.def.
struct RuleInfo {
  Rule rule;
  std::string_view id;       // "ACL007"
  Level level;               // unless a finding says less
  std::string_view title;    // "data race"
  std::string_view meaning;  // "two accesses to the same bytes, ..."
  std::string_view repair;   // the usual one, without names
};

/// Whether the rule is about accesses inside of a kernel.
inline bool is_in_kernel(Rule rule) noexcept {
  return rule == Rule::kernel_race || rule == Rule::kernel_rule;
}

std::span<const RuleInfo> rules() noexcept;
const RuleInfo& info(Rule rule) noexcept;
/// By identifier; null for an unknown one.
const RuleInfo* find_rule(std::string_view id) noexcept;

}  // namespace order
