// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aclsim {

/// A part of many runs: the i-th of n, from 1.
struct Shard {
  std::uint32_t index = 1;
  std::uint32_t count = 1;
};
/// "2/8". Empty when it is right, else what is wrong.
std::string parse_shard(const std::string& text, Shard& shard);

/// One replay: which files, which seed.
struct PlannedRun {
  std::vector<std::string> files;
  std::uint64_t seed = 0;
};

/// All runs, or those of a shard: each file by itself or all as one job, with `seeds` seeds from
/// `seed` on. The shards of one plan hold each run once.
std::vector<PlannedRun> plan_runs(const std::vector<std::string>& files, bool each,
                                  std::uint64_t seed, std::uint64_t seeds, const Shard& shard);

}  // namespace aclsim
