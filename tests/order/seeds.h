// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/support/share.h"

namespace ordertest {

/// Random programs of a test, in all shares together. Sanitizers find their mistakes
/// in few programs as well as in many.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::size_t kPrograms = 400;
#else
inline constexpr std::size_t kPrograms = 1000;
#endif

using support::first_seed;

/// The first of the seeds of this run's random programs.
inline std::uint64_t first_program() { return first_seed() * 1'000'003; }

/// This run's share of `count` seeds.
inline std::vector<std::uint64_t> seeds(std::uint64_t count) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (support::in_share(i)) all.push_back(first_program() + i);
  }
  return all;
}

}  // namespace ordertest
