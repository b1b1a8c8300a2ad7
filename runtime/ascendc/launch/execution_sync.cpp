// SPDX-License-Identifier: Apache-2.0
// Synchronisation between the blocks of a launch.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ascendc/impl/limit_rows.h"
#include "device_sim/base/mutex.h"
#include "runtime/ascendc/launch/execution.h"
#include "runtime/ascendc/launch/report.h"

namespace ascendc {
// Parks the block until another block wakes it.
void Execution::wait(sim::UniqueLock<sim::Mutex>& lock, Block& block, const char* what,
                     const void* site) {
  block.waits_for = what;
  block.waits_at = site;
  lock.unlock();
  block.park();
  lock.lock();
  block.waits_for = "";
}

// The clock of a block's completed steps, which each notification to other blocks carries.
Seen Execution::tell(Block& block, const Clock& clock) {
  join(block.told, clock);
  ++block.tells;
  Seen told = block.seen ? *block.seen : Seen();
  told.resize(std::max<std::size_t>(told.size(), block.unit + 1));
  told[block.unit] = {++block.time, clocks_.add(block.told)};
  return told;
}

const Seen* Execution::keep(Seen seen) { return &seen_.emplace_back(std::move(seen)); }

void Execution::learn(Block& block, const Seen& told) {
  Seen all = block.seen ? *block.seen : Seen();
  join(all, told);
  block.seen = keep(std::move(all));
}

// Words in memory can be flags between blocks: a block that reads a word is ordered after its
// write.
void Execution::word_read(Block& block, std::uint64_t begin, std::uint64_t bytes) {
  const auto found = writes_.word(block, begin, bytes);
  if (!found) return;
  take_reads(block);
  Seen told = found->seen ? *found->seen : Seen();
  told.resize(std::max<std::size_t>(told.size(), found->unit + 1));
  const sim::LockGuard guard(mutex_);
  told[found->unit] = {found->time, clocks_.add(found->over)};
  learn(block, told);
}

std::uint32_t Execution::units_of_gate(bool vector_only) const {
  const bool mix = per_group_ > 1;
  return groups_ * (mix && vector_only ? vectors_ : per_group_);
}

void Execution::sync_all(Block& block, bool vector_only, const void* site) {
  take_reads(block);
  sim::UniqueLock lock(mutex_);
  if (groups_ > most_resident_) {
    const std::uint32_t most = most_resident_;
    lock.unlock();
    block.core.violated(
        "barrier-too-wide",
        fmt::format("SyncAll: the launch has {} blocks, and the device has {} cores; "
                    "those that wait for a core never come, and hardware would wait "
                    "forever",
                    groups_, most),
        site);
  }
  Gate& gate = gates_[vector_only ? 1 : 0];
  join(gate.told, tell(block, block.core.steps()));
  gate.here.push_back(&block);
  if (gate.here.size() == units_of_gate(vector_only)) return open(gate);
  const std::uint32_t round = gate.round;
  while (gate.round == round) wait(lock, block, "SyncAll", site);
}

void Execution::open(Gate& gate) {
  const Seen* const all = keep(std::exchange(gate.told, {}));
  for (Block* const each : gate.here) {
    each->seen = all;
    if (each != gate.here.back()) wake(*each);
  }
  gate.here.clear();
  ++gate.round;
}

// Ends the kernel if a flag of this mode has no receiver.
void Execution::check_mode(Block& block, std::uint32_t mode, const void* site) {
  const bool cube = block.core.info.kind == ACLSIM_AIC;
  if (crossings_.can_set(cube, mode)) return;
  const std::string why =
      mode == 1 ? "a cube core sets it; mode 1 is between the vector cores of a block"
                : fmt::format(
                      "the kernel runs on {} cores alone, and mode {} tells cores of the "
                      "other kind; expected __mix__(1, 2), or "
                      "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2)",
                      cube ? "cube" : "vector", mode);
  block.core.violated("flag-mode", fmt::format("CrossCoreSetFlag<{}>: {}", mode, why), site);
}

void Execution::cross_set(Block& block, std::uint32_t mode, std::uint32_t flag, const Clock& clock,
                          const void* site) {
  check_mode(block, mode, site);
  take_reads(block);
  sim::UniqueLock lock(mutex_);
  const CrossFlags::Set set{block.unit, block.core.info.kind == ACLSIM_AIC, mode, flag, site};
  bool full = false;
  std::vector<std::uint32_t> receivers = crossings_.set(set, tell(block, clock), full);
  const bool held = full;
  while (full) {
    ++held_;
    block.held = true;
    wait(lock, block, "CrossCoreSetFlag", site);
    block.held = false;
    --held_;
    if (block.refused) break;
    receivers = crossings_.deliver(set, full);
  }
  for (const std::uint32_t unit : receivers) {
    Block* const receiver = at(unit);
    if (receiver && *receiver->waits_for != '\0') wake(*receiver);
  }
  lock.unlock();
  if (!held) return;
  const std::string text = fmt::format(
      "CrossCoreSetFlag({}): a core has {} sets of the flag that no CrossCoreWaitFlag took; it "
      "counts no further",
      flag, ACLSIM_MOST_CROSS_PENDING);
  if (full) block.core.violated("flag-range", text, site);
  block.core.found_once("flag-range",
                        text +
                            "; the simulator holds the next set until there is room, where "
                            "hardware ends the kernel: only the speed of the cores decides",
                        site, Level::note);
}

void Execution::cross_wait(Block& block, std::uint32_t flag, const void* site) {
  take_reads(block);
  sim::UniqueLock lock(mutex_);
  Seen told;
  while (!crossings_.take(block.unit, flag, told)) wait(lock, block, "CrossCoreWaitFlag", site);
  if (held_ != 0) {
    for (Block* const other : live_) {
      if (other->held) wake(*other);  // there may be room for its set now
    }
  }
  learn(block, told);
  // The flag may come from this core itself, also by way of others.
  if (block.unit < told.size() && told[block.unit].time != 0) {
    block.core.order_after(clocks_[told[block.unit].clock]);
  }
}

std::string Execution::core_of(std::uint32_t unit) const {
  const std::uint32_t block = first_block_ + unit / per_group_, core = unit % per_group_;
  if (per_group_ == 1) return fmt::format("block {}", block);
  if (core == 0) return fmt::format("the cube core of block {}", block);
  return fmt::format("vector core {} of block {}", core - 1, block);
}

// Hardware keeps them for the next kernel.
void Execution::tell_left_flags() {
  if (!settings_.checks || result() != 0) return;
  std::map<const void*, std::pair<CrossFlags::Left, std::size_t>> places;
  for (const CrossFlags::Left& left : crossings_.left())
    ++places.try_emplace(left.site, left, 0).first->second.second;
  for (const auto& [site, found] : places) {
    const auto& [left, cores] = found;
    Finding finding{.level = Level::error, .rule = "flag-left", .site = site};
    finding.text = left.count != 0
                       ? fmt::format(
                             "CrossCoreSetFlag: flag {} is still set for {} when the kernel ends "
                             "(sets that no wait took: {}); "
                             "a CrossCoreWaitFlag is missing",
                             left.flag, core_of(left.unit), left.count)
                       : fmt::format(
                             "CrossCoreSetFlag<{}>({}): {} has set the flag, but not {} when the "
                             "kernel ends, so nobody is told",
                             left.mode, left.flag, core_of(left.unit), core_of(left.missing));
    if (cores > 1) finding.text += fmt::format("; there are {} such flags", cores);
    report(task_, fmt::format("kernel {}", code_.name), finding);
  }
}

Seen Execution::notification(Block& block, const Clock& clock) {
  take_reads(block);
  const sim::LockGuard guard(mutex_);
  return tell(block, clock);
}

void Execution::take_notification(Block& block, const Seen& told) {
  take_reads(block);
  const sim::LockGuard guard(mutex_);
  learn(block, told);
}

void Execution::wait_until(Block& block, const char* what, const void* site,
                           const std::function<bool()>& ready) {
  sim::UniqueLock lock(mutex_);
  while (!ready()) wait(lock, block, what, site);
}

void Execution::wake_waiting(const Block& by) {
  const sim::LockGuard guard(mutex_);
  for (Block* const other : live_) {
    if (other != &by && *other->waits_for != '\0') wake(*other);
  }
}

void Execution::slot_set(Block& block, const void* place, std::int32_t id) {
  take_reads(block);
  const sim::LockGuard guard(mutex_);
  Slot& slot = slots_[{place, id}];
  ++slot.count;
  slot.told = tell(block, block.core.steps());
  for (Block* const other : live_) {
    if (other != &block && *other->waits_for != '\0') wake(*other);
  }
}

void Execution::slot_wait(Block& block, const void* place, std::int32_t id, const void* site) {
  take_reads(block);
  sim::UniqueLock lock(mutex_);
  Slot& slot = slots_[{place, id}];
  while (slot.count == 0) wait(lock, block, "IBWait or WaitPreBlock", site);
  --slot.count;
  learn(block, slot.told);
}

}  // namespace ascendc
