// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sim {

/// The word that a mistyped one was meant to be: the one with the fewest edits (a letter too many,
/// missing, wrong, or swapped with the next; upper and lower case are the same). The beginning of a
/// word, from two letters, counts as one edit from it. Empty when more than about a third of the
/// letters would have to change.
std::string nearest_word(std::string_view typed, const std::vector<std::string>& words);

/// The end of an error text: "; did you mean 'seeded'?". With up to three words that are as near as
/// each other, `prefix` before each; empty when none is near.
std::string did_you_mean(std::string_view typed, const std::vector<std::string>& words,
                         std::string_view prefix = {});

}  // namespace sim
