// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "runtime/aclnn/loops/elementwise.h"

namespace aclnn {

enum class Reduction : std::int64_t { none = 0, mean = 1, sum = 2 };

inline Reduction reduction_of(std::int64_t number) {
  require(number >= 0 && number <= 2, "reduction is {}; expected 0 (none), 1 (mean) or 2 (sum)",
          number);
  return static_cast<Reduction>(number);
}

/// One number for all elements, for any rank.
inline void require_one_number(Planner& p, const View& out) {
  require(out.count() == 1, "{} has the shape {}; expected one element", p.name(out),
          out.shape.text());
}

/// The sum of f over the elements [begin, end).
template <class T, class Total, std::size_t N>
Total sum_of_function(Execution& run, const std::array<View, N>& in, const Function<T, N>& f,
                      std::int64_t begin, std::int64_t end) {
  std::array<std::optional<Reader<T>>, N> readers;
  for (std::size_t n = 0; n < N; ++n) readers[n].emplace(run.at(in[n])).seek(begin);
  T buffers[N + 1][kChunk];
  Total total{};
  while (begin < end) {
    const std::int64_t count = std::min(kChunk, end - begin);
    std::array<const T*, N> from;
    for (std::size_t n = 0; n < N; ++n) from[n] = readers[n]->next(count, buffers[n]);
    f.row(from, buffers[N], count, f.f.data());
    for (std::int64_t i = 0; i < count; ++i) total += static_cast<Total>(buffers[N][i]);
    begin += count;
  }
  return total;
}

/// f of each element, or the sum or mean of all. The inputs have one shape, which `out` has without
/// a reduction.
template <class T, std::size_t N>
void plan_loss(Planner& p, const std::array<View, N>& in, Reduction reduction, const View& out,
               const Function<T, N>& f) {
  using Total = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
  if (reduction == Reduction::none) {
    p.require_shape(out, in[0].shape);
    return plan_function<T, N>(p, in, out, f);
  }
  require_one_number(p, out);
  const std::int64_t count = in[0].count();
  const std::int64_t pieces = std::clamp<std::int64_t>(count / kLeastElements, 1, 64);
  const bool mean = reduction == Reduction::mean;
  p.job(pieces, [=](Execution& run, std::int64_t piece) {
    auto* const parts =
        reinterpret_cast<Total*>(run.shared(static_cast<std::size_t>(pieces) * sizeof(Total)));
    parts[piece] = sum_of_function<T, Total, N>(run, in, f, count * piece / pieces,
                                                count * (piece + 1) / pieces);
    if (!run.last(pieces)) return;
    Total total{};
    for (std::int64_t i = 0; i < pieces; ++i) total += parts[i];
    if (mean && (count != 0 || !std::is_integral_v<T>)) total /= static_cast<Total>(count);
    const T result = static_cast<T>(total);
    Writer<T>(run.at(out)).write(1, &result);
  });
}

}  // namespace aclnn
