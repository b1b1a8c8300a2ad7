// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/processes/word_choice.h"

#include <optional>

namespace order {
namespace {

using Ends = WordChange::Ends;

std::optional<std::size_t> last_before(std::size_t count, const KnownChanges& known) {
  while (count-- > 0) {
    if (known.before(count)) return count;
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::size_t> chosen_changes(std::span<const WordChange> changes,
                                        const KnownChanges& known) {
  std::vector<std::size_t> chosen;
  const auto choose = [&](std::size_t i) {
    if (!known.before(i)) chosen.push_back(i);
  };
  const std::optional<std::size_t> start = last_before(changes.size(), known);
  if (start && changes[*start].ends == Ends::yes && !known.rewritten(*start)) return chosen;
  std::size_t end = start ? *start + 1 : 0;
  while (end < changes.size() && changes[end].ends == Ends::no) ++end;
  if (end == changes.size() || changes[end].ends == Ends::unknown) {
    for (std::size_t i = 0; i < changes.size(); ++i) choose(i);
    return chosen;
  }
  choose(end);
  while (changes[end].merges && end > 0) choose(--end);
  return chosen;
}

}  // namespace order
