// SPDX-License-Identifier: Apache-2.0
// What makes blocks of a launch wait for each other.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ascendc/impl/limit_rows.h"
#include "runtime/ascendc/launch/run.h"

namespace ascendc {

// The block parks until somebody wakes it.
void Run::wait(std::unique_lock<std::mutex>& lock, Block& block, const char* what, const void* site) {
  block.waits_for = what;
  block.waits_at = site;
  lock.unlock();
  block.park();
  lock.lock();
  block.waits_for = "";
}

namespace {
void join(Seen& seen, const Seen& told) {
  seen.resize(std::max(seen.size(), told.size()));
  for (std::size_t i = 0; i < told.size(); ++i) seen[i] = std::max(seen[i], told[i]);
}
}  // namespace

// What is over on a block: told with each thing that others may wait for.
Seen Run::tell(Block& block) {
  Seen told = block.seen ? *block.seen : Seen();
  told.resize(std::max<std::size_t>(told.size(), block.unit + 1));
  told[block.unit] = block.time++;
  return told;
}

const Seen* Run::keep(Seen seen) { return &seen_.emplace_back(std::move(seen)); }

void Run::learn(Block& block, const Seen& told) {
  Seen all = block.seen ? *block.seen : Seen();
  join(all, told);
  block.seen = keep(std::move(all));
}

// Blocks may tell each other by words in memory: who finds one that another wrote comes after that.
void Run::word_read(Block& block, std::uint64_t begin, std::uint64_t bytes) {
  const auto found = writes_.word(block, begin, bytes);
  if (!found) return;
  take_reads(block);
  Seen told = found->seen ? *found->seen : Seen();
  told.resize(std::max<std::size_t>(told.size(), found->unit + 1));
  told[found->unit] = found->time;
  const std::lock_guard guard(mutex_);
  learn(block, told);
}

std::uint32_t Run::units_of_gate(bool vector_only) const {
  const bool mix = per_group_ > 1;
  return groups_ * (mix && vector_only ? vectors_ : per_group_);
}

void Run::sync_all(Block& block, bool vector_only, const void* site) {
  take_reads(block);
  std::unique_lock lock(mutex_);
  if (groups_ > most_resident_) {
    const std::uint32_t most = most_resident_;
    lock.unlock();
    block.core.violated("barrier-too-wide",
                        fmt::format("SyncAll: the launch has {} blocks, and the device has {} cores; "
                                    "those that wait for a core never come, and hardware would wait "
                                    "forever",
                                    groups_, most),
                        site);
  }
  Gate& gate = gates_[vector_only ? 1 : 0];
  join(gate.told, tell(block));
  gate.here.push_back(&block);
  if (gate.here.size() == units_of_gate(vector_only)) return open(gate);
  const std::uint32_t round = gate.round;
  while (gate.round == round) wait(lock, block, "SyncAll", site);
}

void Run::open(Gate& gate) {
  const Seen* const all = keep(std::exchange(gate.told, {}));
  for (Block* const each : gate.here) {
    each->seen = all;
    if (each != gate.here.back()) wake(*each);
  }
  gate.here.clear();
  ++gate.round;
}

void Run::cross_set(Block& block, std::uint32_t mode, std::uint32_t flag, const void* site) {
  take_reads(block);
  std::unique_lock lock(mutex_);
  const std::uint32_t group = block.unit / per_group_;
  constexpr std::uint32_t kSecond = 16;  // from here on flags mean the second vector core, in mode 4
  const bool cube = block.core.info.kind == ACLSIM_AIC;
  std::uint32_t received = flag;  // as receivers count it
  std::vector<std::uint32_t> members;
  std::vector<std::uint32_t> receivers;
  const auto vector_units = [&](std::uint32_t of, std::vector<std::uint32_t>& list) {
    const std::uint32_t first = per_group_ > 1 ? 1 : 0;
    for (std::uint32_t i = first; i < per_group_; ++i) list.push_back(of * per_group_ + i);
  };
  if (mode == 0) {
    for (std::uint32_t i = 0; i < groups_; ++i) {
      const std::uint32_t each = group_at(i);
      if (cube) members.push_back(each * per_group_); else vector_units(each, members);
    }
    receivers = members;
  } else if (mode == 1) {
    vector_units(group, members);
    receivers = members;
  } else if (cube) {
    members = {block.unit};
    vector_units(group, receivers);
    if (mode == 4) receivers = {group * per_group_ + (flag >= kSecond ? 2 : 1)};
    received = flag % kSecond;
  } else {
    vector_units(group, members);
    receivers = {group * per_group_};
    if (mode == 4) {
      members = {block.unit};
      received += kSecond * static_cast<std::uint32_t>(block.core.info.sub_block);
    }
  }
  Crossing& crossing = crossings_[{mode, flag, mode == 0 ? ~0U : group, cube}];
  crossing.sets[block.unit] += 1;
  join(crossing.told, tell(block));
  for (const std::uint32_t member : members) {
    if (crossing.sets[member] == 0) return;
  }
  for (const std::uint32_t member : members) --crossing.sets[member];
  for (const std::uint32_t unit : receivers) {
    Slot& slot = flag_counts_[{unit, received}];
    if (slot.count == ACLSIM_MOST_CROSS_PENDING) {
      lock.unlock();
      block.core.violated("flag-range",
                          fmt::format("CrossCoreSetFlag({}): a core has {} sets of the flag that no "
                                      "CrossCoreWaitFlag took; it counts no further",
                                      flag, ACLSIM_MOST_CROSS_PENDING), site);
    }
    slot.count += 1;
    slot.told = crossing.told;
    Block* const receiver = at(unit);
    if (receiver && *receiver->waits_for != '\0') wake(*receiver);
  }
}

void Run::cross_wait(Block& block, std::uint32_t flag, const void* site) {
  take_reads(block);
  std::unique_lock lock(mutex_);
  Slot& slot = flag_counts_[{block.unit, flag}];
  while (slot.count == 0) wait(lock, block, "CrossCoreWaitFlag", site);
  --slot.count;
  learn(block, slot.told);
}

void Run::slot_set(Block& block, const void* place, std::int32_t id) {
  take_reads(block);
  const std::lock_guard guard(mutex_);
  Slot& slot = slots_[{place, id}];
  ++slot.count;
  slot.told = tell(block);
  for (Block* const other : live_) {
    if (other != &block && *other->waits_for != '\0') wake(*other);
  }
}

void Run::slot_wait(Block& block, const void* place, std::int32_t id, const void* site) {
  take_reads(block);
  std::unique_lock lock(mutex_);
  Slot& slot = slots_[{place, id}];
  while (slot.count == 0) wait(lock, block, "IBWait or WaitPreBlock", site);
  --slot.count;
  learn(block, slot.told);
}

}  // namespace ascendc
