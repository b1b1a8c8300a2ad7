// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace aclsim {

/// A part of many runs: number `index`, from 1, of `count` parts.
struct Shard {
  std::uint32_t index = 1;
  std::uint32_t count = 1;
};
/// Reads "2/8". Returns an error message, empty if the text is valid.
std::string parse_shard(const std::string& text, Shard& shard);

/// One replay: its files and its seed.
struct PlannedRun {
  std::vector<std::string> files;
  std::uint64_t seed = 0;
};

/// All runs, or the runs of a shard: each file by itself or all files as one job, with `seeds`
/// seeds from `seed` on. The shards of one plan contain each run once. Runs are generated on
/// demand, since they may not fit into memory.
class RunPlan {
 public:
  RunPlan(std::vector<std::string> files, bool each, std::uint64_t seed, std::uint64_t seeds,
          const Shard& shard)
      : files_(std::move(files)), each_(each), seed_(seed), seeds_(seeds), shard_(shard) {}

  std::uint64_t size() const;
  PlannedRun operator[](std::uint64_t i) const;

 private:
  std::vector<std::string> files_;
  bool each_;
  std::uint64_t seed_;
  std::uint64_t seeds_;
  Shard shard_;
};

}  // namespace aclsim
