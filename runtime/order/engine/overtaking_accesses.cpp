// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/overtaking_accesses.h"

#include <algorithm>

namespace order {

// A full ring loses its oldest access: the operations of blocked streams are most likely called
// after that.
void OvertakingAccesses::add(Epoch when, const OpInfo& op_info, const Access& access) {
  if (taken_.size() < kMost) {
    taken_.push_back({when, op_info, access});
    return;
  }
  taken_[oldest_] = {when, op_info, access};
  oldest_ = (oldest_ + 1) % kMost;
}

void OvertakingAccesses::erase(const Access& range) {
  std::rotate(taken_.begin(), taken_.begin() + static_cast<std::ptrdiff_t>(oldest_), taken_.end());
  oldest_ = 0;
  std::erase_if(taken_, [&](const Taken& one) { return overlap(one.access, range); });
}

void OvertakingAccesses::look(Actor actor, const OpInfo& now, std::span<const Access> accesses,
                              const VectorClock& known,
                              std::vector<Shadow::Conflict>& conflicts) const {
  const std::size_t others = conflicts.size();
  const auto appended = [&] { return conflicts.begin() + static_cast<std::ptrdiff_t>(others); };
  for (std::size_t i = 0; i < taken_.size(); ++i) {
    const Taken& one = taken_[(oldest_ + i) % taken_.size()];
    if (one.when.actor == actor || one.op_info.called == 0 || known.covers(one.when)) continue;
    const auto with = std::find_if(accesses.begin(), accesses.end(), [&](const Access& access) {
      return !access.frees && !one.access.frees && conflict(one.access, access);
    });
    const bool known_already =
        std::any_of(conflicts.begin(), appended(), [&](const Shadow::Conflict& other) {
          const Epoch& when = other.earlier.when;
          return when.actor == one.when.actor && when.count == one.when.count;
        });
    if (with == accesses.end() || known_already) continue;
    Shadow::Conflict found;
    found.earlier.set(one.when, one.op_info);
    found.earlier.kind = one.access.kind;
    found.earlier.write = one.access.write;
    found.earlier.reduction = one.access.reduction;
    found.bytes = common_bytes(*with, one.access);
    found.access = static_cast<std::size_t>(with - accesses.begin());
    const bool after = is_called_before(now, one.op_info);
    const auto same_side =
        std::find_if(appended(), conflicts.end(), [&](const Shadow::Conflict& other) {
          return other.earlier.when.actor == one.when.actor &&
                 is_called_before(now, other.earlier.op_info) == after &&
                 other.earlier.op_info.declared == one.op_info.declared;
        });
    if (same_side == conflicts.end())
      conflicts.push_back(found);
    else if (!after)
      *same_side = found;
  }
}

void OvertakingAccesses::accesses_of(Epoch when, std::vector<Access>& accesses) const {
  for (const Taken& one : taken_) {
    if (one.when.actor == when.actor && one.when.count == when.count)
      accesses.push_back(one.access);
  }
}

}  // namespace order
