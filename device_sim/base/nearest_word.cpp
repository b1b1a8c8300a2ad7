// SPDX-License-Identifier: Apache-2.0
#include "device_sim/base/nearest_word.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace sim {
namespace {

char lower_case(char letter) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

/// Edits from one word to the other: optimal string alignment.
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before_last(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::swap(before_last, last);
    std::swap(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const auto same = [&](std::size_t a, std::size_t b) {
        return lower_case(from[a]) == lower_case(to[b]);
      };
      const std::size_t changed = last[j - 1] + (same(i - 1, j - 1) ? 0 : 1);
      row[j] = std::min({changed, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[to.size()];
}

bool begins(std::string_view word, std::string_view typed) {
  return typed.size() > 1 && typed.size() < word.size() &&
         std::equal(typed.begin(), typed.end(), word.begin(),
                    [](char a, char b) { return lower_case(a) == lower_case(b); });
}

/// Those with the fewest edits, in their order, each once.
std::vector<std::string> nearest_words(std::string_view typed,
                                       const std::vector<std::string>& words) {
  constexpr std::size_t kLongest = 64;  // longer words are not compared
  std::vector<std::string> nearest;
  std::size_t fewest = kLongest;
  if (typed.size() > kLongest) return nearest;
  for (const std::string& word : words) {
    const bool beginning = begins(word, typed);
    const std::size_t count = beginning ? 1 : edits(typed, word);
    const bool near = beginning || count * 3 <= std::max(typed.size(), word.size()) + 1;
    if (!near || count > fewest) continue;
    if (count < fewest) nearest.clear();
    fewest = count;
    if (std::find(nearest.begin(), nearest.end(), word) == nearest.end()) nearest.push_back(word);
  }
  return nearest;
}

}  // namespace

std::string nearest_word(std::string_view typed, const std::vector<std::string>& words) {
  const std::vector<std::string> nearest = nearest_words(typed, words);
  return nearest.empty() ? std::string() : nearest[0];
}

std::string did_you_mean(std::string_view typed, const std::vector<std::string>& words,
                         std::string_view prefix) {
  constexpr std::size_t kMost = 3;
  const std::vector<std::string> nearest = nearest_words(typed, words);
  const std::size_t count = std::min(nearest.size(), kMost);
  std::string list;
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) list += i + 1 == count ? " or " : ", ";
    list.append("'").append(prefix).append(nearest[i]).append("'");
  }
  return list.empty() ? list : "; did you mean " + list + "?";
}

}  // namespace sim
