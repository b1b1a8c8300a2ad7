// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace acl {

/// Where operations of several streams meet: none goes on before all have come.
struct Meeting {
  std::uint64_t group = 0;   // who meets there
  std::uint64_t number = 0;  // which time it is
  std::uint32_t ranks = 0;   // so many of this process
  // Where ranks of other processes come too: what names this arrival, and theirs, in all of them.
  std::uint64_t own_key = 0;
  std::vector<std::uint64_t> other_keys{};
};

/// A flag that an operation sets, or waits for and clears.
struct FlagUse {
  std::uint64_t flag = 0;  // 0: none
  bool sets = false;
  bool crosses = false;   // the other end is in another process
  std::uint64_t key = 0;  // then: what the setting is called in all processes; of a wait at its end
};

}  // namespace acl
