// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

namespace aclnn {

/// A number of the same order for each element: what is not a number is the greatest, and -0 is 0.
inline std::uint32_t order_key(float x) {
  if (x != x) return ~std::uint32_t{0};
  const auto bits = std::bit_cast<std::uint32_t>(x + 0.0F);
  return bits >> 31 ? ~bits : bits | 0x80000000U;
}
inline std::uint64_t order_key(double x) {
  if (x != x) return ~std::uint64_t{0};
  const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
  return bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
}
inline std::uint64_t order_key(std::int64_t x) {
  return static_cast<std::uint64_t>(x) ^ std::uint64_t{1} << 63;
}
inline std::uint64_t order_key(std::uint64_t x) { return x; }

/// Sorts the first `wanted` elements; the rest follows in any order.
template <class T>
void sort_first(std::vector<T>& all, std::int64_t wanted) {
  if (wanted < static_cast<std::int64_t>(all.size())) {
    const auto middle = all.begin() + wanted;
    std::nth_element(all.begin(), middle, all.end());
    std::sort(all.begin(), middle);
  } else {
    std::sort(all.begin(), all.end());
  }
}

/// Sorts words by their upper halves, 11 bits at a time; equal ones stay as they were.
inline void sort_by_upper_half(std::vector<std::uint64_t>& words,
                               std::vector<std::uint64_t>& other) {
  other.resize(words.size());
  for (const int shift : {32, 43, 54}) {
    std::array<std::size_t, 2049> starts{};
    for (const std::uint64_t word : words) ++starts[(word >> shift & 2047) + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    for (const std::uint64_t word : words) other[starts[word >> shift & 2047]++] = word;
    words.swap(other);
  }
}

/// The places of the `wanted` first elements in the order; equal ones stay as they were. Memory is
/// kept from one row to the next.
class RowOrder {
 public:
  template <class T>
  const std::vector<std::int64_t>& of(const T* x, std::int64_t count, bool descending,
                                      std::int64_t wanted) {
    places_.resize(static_cast<std::size_t>(wanted));
    if constexpr (std::is_same_v<T, float>) {
      if (count <= std::int64_t{UINT32_MAX}) return of_floats(x, count, descending, wanted);
    }
    wide_.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint64_t key = order_key(x[i]);
      wide_[static_cast<std::size_t>(i)] = {descending ? ~key : key, i};
    }
    sort_first(wide_, wanted);
    for (std::size_t i = 0; i < places_.size(); ++i) places_[i] = wide_[i].second;
    return places_;
  }

 private:
  /// Key and place in one word.
  const std::vector<std::int64_t>& of_floats(const float* x, std::int64_t count, bool descending,
                                             std::int64_t wanted) {
    words_.resize(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint32_t key = order_key(x[i]);
      words_[static_cast<std::size_t>(i)] =
          std::uint64_t{descending ? ~key : key} << 32 | static_cast<std::uint64_t>(i);
    }
    if (wanted == count && count >= 1024) {
      sort_by_upper_half(words_, other_words_);
    } else {
      sort_first(words_, wanted);
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
      places_[i] = static_cast<std::int64_t>(words_[i] & UINT32_MAX);
    }
    return places_;
  }

  std::vector<std::uint64_t> words_, other_words_;
  std::vector<std::pair<std::uint64_t, std::int64_t>> wide_;
  std::vector<std::int64_t> places_;
};

}  // namespace aclnn
