// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "device_sim/base/mutex.h"

namespace shmem {

/// PEs start, start + stride, ... of the world.
struct Team {
  int start = 0;
  int stride = 1;
  int size = 1;

  int world_pe(int member) const noexcept { return start + member * stride; }
  /// The number of a PE of the world in this team; -1 if it is not a member.
  int member(int world_pe) const noexcept {
    const int distance = world_pe - start;
    if (distance < 0 || distance % stride != 0 || distance / stride >= size) return -1;
    return distance / stride;
  }
  std::vector<int> members() const;
};

/// The teams of one PE, by id. It does not communicate: PEs that make the same calls have the same
/// teams. Any thread.
class Teams {
 public:
  static constexpr std::size_t kMost = 64;
  static constexpr int kWorld = 0;
  static constexpr int kInvalid = -1;

  Teams(int my_pe, int n_pes);

  std::optional<Team> find(int id) const;
  /// Raise ACLSHMEM_INVALID_PARAM for arguments, ACLSHMEM_INNER_ERROR if no id is left. Return
  /// kInvalid if this PE is not a member.
  int split_strided(int parent, int start, int stride, int size);
  struct Pair {
    int x = kInvalid;
    int y = kInvalid;
  };
  Pair split_2d(int parent, int x_range);
  /// Returns false for the world and if the team does not exist.
  bool destroy(int id);

  /// -1 if the team does not exist.
  int my_pe(int id) const;
  int n_pes(int id) const;
  /// -1 if the team or PE does not exist, or the PE is not in `to`.
  int translate(int from, int pe, int to) const;

 private:
  Team require(int id) const;
  int add(const Team& team);

  const int my_pe_;
  mutable sim::Mutex mutex_;
  std::array<std::optional<Team>, kMost> teams_ GUARDED_BY(mutex_);
};

}  // namespace shmem
