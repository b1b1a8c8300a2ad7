// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/devices/replay_runs.h"

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

std::uint64_t RunPlan::size() const {
  const std::uint64_t all = (each_ ? files_.size() : 1) * seeds_;
  return all / shard_.count + (all % shard_.count >= shard_.index ? 1 : 0);
}

PlannedRun RunPlan::operator[](std::uint64_t i) const {
  const std::uint64_t number = i * shard_.count + (shard_.index - 1);
  if (!each_) return {files_, seed_ + number};
  return {{files_[number / seeds_]}, seed_ + number % seeds_};
}

}  // namespace aclsim
