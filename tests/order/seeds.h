// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace ordertest {

/// Random programs of a test. What the sanitizers look for, a few show as well as many.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::size_t kPrograms = 100;
#else
inline constexpr std::size_t kPrograms = 1000;
#endif

/// What the random numbers of this run begin with: ACLSIM_TEST_SEED, else 1.
inline std::uint64_t run_seed() {
  const char* const given = std::getenv("ACLSIM_TEST_SEED");
  return given ? std::strtoull(given, nullptr, 10) : 1;
}

/// `count` seeds of this run.
inline std::vector<std::uint64_t> seeds(std::uint64_t count) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(run_seed() * 1'000'003 + i);
  return all;
}

}  // namespace ordertest
