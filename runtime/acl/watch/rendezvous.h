// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace acl {

/// A rendezvous of operations of several streams: none goes on before all have arrived.
struct Rendezvous {
  std::uint64_t group = 0;   // the streams that meet
  std::uint64_t number = 0;  // counts the rendezvous of the group
  std::uint32_t ranks = 0;   // the number of ranks of this process
  // If ranks of other processes take part: the keys that name this arrival, and theirs, in all
  // processes.
  std::uint64_t own_key = 0;
  std::vector<std::uint64_t> other_keys{};
};

/// A flag that an operation sets, or waits for and clears.
struct FlagUse {
  std::uint64_t flag = 0;  // 0: none
  bool sets = false;
  bool crosses = false;  // the other end is in another process
  // If it crosses: the name of the setting in all processes. A wait knows it at its end.
  std::uint64_t key = 0;
  std::uint64_t second_key = 0;  // of a setting that has two names; 0: it has one
};

}  // namespace acl
