// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/order/deed.h"
#include "runtime/order/rules.h"

namespace order {

/// What the engine found. Not yet words: sites are still numbers.
struct Finding {
  Rule rule;
  Level level;
  Deed deed;                   // what was done when it was found
  std::optional<Deed> other;   // what it collides with, earlier
  std::vector<Deed> behind;    // of a deadlock: what the other waits for, each for the next
  std::string text;            // what is wrong, in a sentence without full stop
  std::string_view repair;     // a literal; empty: the usual one of the rule
  Access where;                // the bytes; size 0: none
  std::uint64_t times = 1;     // how often the same two places were found

  explicit Finding(Rule r) : rule(r), level(info(r).level) {}
};

/// The level of a finding about two deeds: less where what they touch is a guess.
inline Level level_between(const Deed& a, const Deed& b, Level level) {
  if (a.declared && b.declared) return level;
  return a.declared || b.declared ? std::min(level, Level::warning) : Level::note;
}

}  // namespace order
