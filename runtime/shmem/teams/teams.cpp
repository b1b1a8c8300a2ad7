// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/teams/teams.h"

#include <algorithm>

#include "device_sim/base/mutex.h"
#include "runtime/shmem/base/error.h"

namespace shmem {

std::vector<int> Team::members() const {
  std::vector<int> pes;
  for (int i = 0; i < size; ++i) pes.push_back(world_pe(i));
  return pes;
}

Teams::Teams(int my_pe, int n_pes) : my_pe_(my_pe) { teams_[kWorld] = Team{0, 1, n_pes}; }

std::optional<Team> Teams::find(int id) const {
  if (id < 0 || id >= static_cast<int>(kMost)) return std::nullopt;
  const sim::LockGuard guard(mutex_);
  return teams_[static_cast<std::size_t>(id)];
}

Team Teams::require(int id) const {
  if (const auto team = find(id)) return *team;
  fail(ACLSHMEM_INVALID_PARAM, "team {} does not exist", id);
}

int Teams::add(const Team& team) {
  if (team.member(my_pe_) < 0) return kInvalid;
  const sim::LockGuard guard(mutex_);
  const auto place = std::find(teams_.begin(), teams_.end(), std::nullopt);
  if (place == teams_.end()) {
    fail(ACLSHMEM_INNER_ERROR, "this PE is in {} teams; that is the most", kMost);
  }
  *place = team;
  return static_cast<int>(place - teams_.begin());
}

int Teams::split_strided(int parent, int start, int stride, int size) {
  const Team of = require(parent);
  if (start < 0 || start >= of.size) {
    fail(ACLSHMEM_INVALID_PARAM, "pe_start is {}; expected 0 to {}, as team {} has {} PEs", start,
         of.size - 1, parent, of.size);
  }
  if (size <= 0 || size > of.size) {
    fail(ACLSHMEM_INVALID_PARAM, "pe_size is {}; expected 1 to {}, as team {} has so many PEs",
         size, of.size, parent);
  }
  if (stride < 1 || stride >= ACLSHMEM_MAX_PES) {
    fail(ACLSHMEM_INVALID_PARAM, "pe_stride is {}; expected 1 to {}", stride, ACLSHMEM_MAX_PES - 1);
  }
  const long long last = start + static_cast<long long>(stride) * (size - 1);
  if (last >= of.size) {
    fail(ACLSHMEM_INVALID_PARAM,
         "the last member would be PE {} of team {}, which has {} PEs; expected pe_start + "
         "pe_stride * (pe_size - 1) to be less",
         last, parent, of.size);
  }
  // The stride of a team with one member is 1.
  return add({of.world_pe(start), size == 1 ? 1 : of.stride * stride, size});
}

Teams::Pair Teams::split_2d(int parent, int x_range) {
  const Team of = require(parent);
  if (x_range <= 0) fail(ACLSHMEM_INVALID_PARAM, "x_range is {}; expected 1 or more", x_range);
  x_range = std::min(x_range, of.size);
  const int me = of.member(my_pe_);
  const int row = me / x_range * x_range;
  const int column = me % x_range;
  Pair made;
  made.x = add({of.world_pe(row), of.stride, std::min(x_range, of.size - row)});
  try {
    made.y =
        add({of.world_pe(column), of.stride * x_range, (of.size - column + x_range - 1) / x_range});
  } catch (const Error&) {
    destroy(made.x);
    throw;
  }
  return made;
}

bool Teams::destroy(int id) {
  if (id <= kWorld || id >= static_cast<int>(kMost)) return false;
  const sim::LockGuard guard(mutex_);
  auto& team = teams_[static_cast<std::size_t>(id)];
  if (!team) return false;
  team.reset();
  return true;
}

int Teams::my_pe(int id) const {
  const auto team = find(id);
  return team ? team->member(my_pe_) : -1;
}

int Teams::n_pes(int id) const {
  const auto team = find(id);
  return team ? team->size : -1;
}

int Teams::translate(int from, int pe, int to) const {
  const auto source = find(from);
  const auto target = find(to);
  if (!source || !target || pe < 0 || pe >= source->size) return -1;
  return target->member(source->world_pe(pe));
}

}  // namespace shmem
