// SPDX-License-Identifier: Apache-2.0
// Sets of times, as spans that do not touch.
#pragma once

#include <algorithm>
#include <vector>

#include "tools/replay/engine/options.h"

namespace replay {

struct Span {
  Nanoseconds begin = 0;
  Nanoseconds end = 0;
};

/// Sorts spans and joins adjacent and overlapping ones.
inline void merge(std::vector<Span>& spans) {
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < spans.size(); ++i) {
    if (spans[i].begin <= spans[last].end) {
      spans[last].end = std::max(spans[last].end, spans[i].end);
    } else {
      spans[++last] = spans[i];
    }
  }
  if (!spans.empty()) spans.resize(last + 1);
}

/// The total length of merged spans.
inline Nanoseconds length(const std::vector<Span>& spans) {
  Nanoseconds sum = 0;
  for (const Span& span : spans) sum += span.end - span.begin;
  return sum;
}

/// The length of the intersection of two sets, both merged.
inline Nanoseconds shared(const std::vector<Span>& a, const std::vector<Span>& b) {
  Nanoseconds sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    sum +=
        std::max<Nanoseconds>(0, std::min(a[i].end, b[j].end) - std::max(a[i].begin, b[j].begin));
    ++(a[i].end < b[j].end ? i : j);
  }
  return sum;
}

}  // namespace replay
