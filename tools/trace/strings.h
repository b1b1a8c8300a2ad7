// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace trace {

/// Texts, each kept once. Index 0 is the empty text.
class Strings {
 public:
  Strings() { add({}); }
  Strings(Strings&&) = default;
  Strings& operator=(Strings&&) = default;

  std::uint32_t add(std::string_view text) {
    const auto found = index_.find(text);
    if (found != index_.end()) return found->second;
    const auto index = static_cast<std::uint32_t>(texts_.size());
    index_.emplace(texts_.emplace_back(text), index);
    return index;
  }

  const std::string& operator[](std::uint32_t index) const { return texts_[index]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // a deque does not move its elements
  std::unordered_map<std::string_view, std::uint32_t> index_;
};

}  // namespace trace
