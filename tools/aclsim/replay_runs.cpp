// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/replay_runs.h"

#include <fmt/format.h>

#include <charconv>

namespace aclsim {

std::string parse_shard(const std::string& text, Shard& shard) {
  const char* const end = text.data() + text.size();
  const auto [slash, wrong] = std::from_chars(text.data(), end, shard.index);
  if (wrong == std::errc() && slash != end && *slash == '/') {
    const auto [last, bad] = std::from_chars(slash + 1, end, shard.count);
    if (bad == std::errc() && last == end && shard.index >= 1 && shard.index <= shard.count) {
      return {};
    }
  }
  return fmt::format("'{}' is not valid; expected i/n, i from 1 to n", text);
}

std::vector<PlannedRun> plan_runs(const std::vector<std::string>& files, bool each,
                                  std::uint64_t seed, std::uint64_t seeds, const Shard& shard) {
  std::vector<std::vector<std::string>> jobs;
  if (!each) jobs.push_back(files);
  for (std::size_t f = 0; each && f < files.size(); ++f) jobs.push_back({files[f]});
  std::vector<PlannedRun> runs;
  std::uint64_t number = 0;
  for (const auto& job : jobs) {
    for (std::uint64_t s = 0; s < seeds; ++s) {
      if (number++ % shard.count == shard.index - 1) runs.push_back({job, seed + s});
    }
  }
  return runs;
}

}  // namespace aclsim
