// SPDX-License-Identifier: Apache-2.0
// The common parts of the programs in this folder: sizes, repetitions, the clock, the table.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace bench {

/// Bytes from argv[1] to argv[2] (default 8 B to 64 MiB), times 8.
inline std::vector<std::size_t> sizes(int argc, char** argv) {
  const std::size_t from = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 8;
  const std::size_t to = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : std::size_t{64} << 20;
  std::vector<std::size_t> all;
  for (std::size_t size = from; size <= to; size *= 8) all.push_back(size);
  return all;
}

inline int calls_of(std::size_t size) {
  return static_cast<int>(std::clamp<std::size_t>((std::size_t{256} << 20) / size, 4, 1000));
}

/// The median, in microseconds a call, of five rounds of `round(calls)`, after one warm-up round.
template <class Round>
double microseconds(std::size_t size, Round&& round) {
  const int calls = calls_of(size);
  std::vector<double> times;
  for (int i = 0; i < 6; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    round(calls);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    if (i != 0) times.push_back(took.count() / calls);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

inline void row(std::size_t size, double time, double each) {
  std::printf("%zu %.3f %.3f\n", size, time, each);
  std::fflush(stdout);
}

}  // namespace bench
