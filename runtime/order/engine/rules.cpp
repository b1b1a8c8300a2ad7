// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/rules.h"

#include <algorithm>
#include <array>

namespace order {
namespace {

constexpr std::array<RuleInfo, static_cast<std::size_t>(Rule::count)> kRules{{
#define RULE(name, id, level, title, meaning, repair) \
  {Rule::name, id, Level::level, title, meaning, repair},
#include "runtime/order/engine/rules.def"
#undef RULE
}};

/// The identifiers are ACL001, ACL002 and so on.
constexpr bool numbered() {
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    const char digits[] = {static_cast<char>('0' + (i + 1) / 100),
                           static_cast<char>('0' + (i + 1) / 10 % 10),
                           static_cast<char>('0' + (i + 1) % 10)};
    if (kRules[i].id.substr(0, 3) != "ACL") return false;
    if (kRules[i].id.substr(3) != std::string_view(digits, sizeof digits)) return false;
  }
  return true;
}
static_assert(numbered());

constexpr std::string_view kLevels[] = {"note", "warning", "error"};

}  // namespace

std::string_view name(Level level) noexcept { return kLevels[static_cast<std::size_t>(level)]; }

std::optional<Level> level_of(std::string_view word) noexcept {
  const auto* const found = std::find(std::begin(kLevels), std::end(kLevels), word);
  if (found == std::end(kLevels)) return std::nullopt;
  return static_cast<Level>(found - kLevels);
}

std::span<const RuleInfo> rules() noexcept { return kRules; }

const RuleInfo& info(Rule rule) noexcept { return kRules[static_cast<std::size_t>(rule)]; }

const RuleInfo* find_rule(std::string_view id) noexcept {
  const auto found = std::find_if(kRules.begin(), kRules.end(),
                                  [id](const RuleInfo& row) { return row.id == id; });
  return found == kRules.end() ? nullptr : &*found;
}

}  // namespace order
