// SPDX-License-Identifier: Apache-2.0
// Starts and ends the blocks of a launch, and collects its result.
#include "runtime/ascendc/launch/execution.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "runtime/ascendc/launch/faults.h"
#include "runtime/ascendc/launch/lock_at_exit.h"
#include "runtime/ascendc/launch/report.h"

namespace ascendc {
namespace {

/// Blocks, and lists of them, that no launch has at the moment.
struct SpareBlocks {
  sim::Mutex mutex;
  std::vector<std::unique_ptr<Block>> blocks GUARDED_BY(mutex);
  std::vector<Execution::Lists> lists GUARDED_BY(mutex);
};
SpareBlocks& spare() {
  static auto& all = *new SpareBlocks;
  return all;
}
constexpr std::size_t kSpare = 128;

Execution::Lists take_lists() {
  const sim::LockGuard guard(spare().mutex);
  if (spare().lists.empty()) return {};
  Execution::Lists lists = std::move(spare().lists.back());
  spare().lists.pop_back();
  return lists;
}

void give_back(Execution::Lists& lists) {
  std::vector<std::unique_ptr<Block>> too_many;  // released behind the lock
  const sim::LockGuard guard(spare().mutex);
  for (auto* const list : {&lists.live, &lists.idle}) {
    for (Block* const block : *list) {
      auto& kept = spare().blocks.size() < kSpare ? spare().blocks : too_many;
      kept.emplace_back(block);
    }
    list->clear();
  }
  lists.ready.clear();
  if (spare().lists.size() < kSpare) spare().lists.push_back(std::move(lists));
}

std::uint32_t vectors_of(const aclsimKernelCode& code) {
  if (code.kind == ACLSIM_CORES_MIX_1_2) return 2;
  return aclsimIsCubeAlone(code.kind) ? 0 : 1;
}

bool is_mix(const aclsimKernelCode& code) {
  return code.kind == ACLSIM_CORES_MIX_1_1 || code.kind == ACLSIM_CORES_MIX_1_2;
}

/// Lets the cores of a group write each other's memories.
void share_memories(const std::array<Block*, 3>& members) {
  static std::atomic<std::uint64_t> last_group{0};
  const std::uint64_t number = ++last_group;
  for (Block* const member : members) {
    if (!member) continue;
    member->group = members;
    member->core.join_group(number);
  }
}

/// The reads in a core's shadow that came after these steps.
std::vector<GlobalWrites::Read> reads_since(const Clock& before, const Shadow& shadow,
                                            const Core& core) {
  constexpr auto kFirst = static_cast<std::size_t>(Pipe::v);
  std::vector<GlobalWrites::Read> reads;
  for (const auto& [begin, cell] : shadow.cells()) {
    for (std::size_t pipe = kFirst; pipe < kPipes; ++pipe) {
      if (cell.reads[pipe].tick <= before[pipe]) continue;
      const void* const site = core.site_of(cell.reads[pipe].what);
      GlobalWrites::Read* const last = reads.empty() ? nullptr : &reads.back();
      const auto of = static_cast<Pipe>(pipe);
      const std::uint32_t tick = cell.reads[pipe].tick;
      if (last && last->end == begin && last->site == site && last->pipe == of) {
        last->end = cell.end;
        last->tick = std::min(last->tick, tick);
      } else {
        reads.push_back({begin, cell.end, site, of, tick});
      }
    }
  }
  return reads;
}

}  // namespace

Block* take_block() {
  const sim::LockGuard guard(spare().mutex);
  if (spare().blocks.empty()) return new Block;
  Block* const block = spare().blocks.back().release();
  spare().blocks.pop_back();
  return block;
}

aclsimCore core_info(std::uint32_t kind, bool cube) noexcept {
  aclsimCore info{};
  info.size = sizeof info;
  info.kind = cube ? ACLSIM_AIC : ACLSIM_AIV;
  info.cores = kind;
  info.sub_blocks = info.ratio = 1;
  return info;
}

namespace {

void tell_none_runs(const aclsimKernelCode& code, std::uint32_t blocks) {
  static std::atomic<bool> told{false};
  if (told.exchange(true)) return;
  std::fprintf(stderr,
               "aclsim: warning: ACLSIM_KERNEL_BLOCKS is '%s': none of these is among the %u "
               "blocks of kernel %s, "
               "so nothing runs\n",
               std::getenv("ACLSIM_KERNEL_BLOCKS"), blocks, code.name);
}

}  // namespace

Execution::Execution(const aclsimKernelCode& code, const void* args, std::uint32_t blocks,
                     const Settings& how, std::uint64_t limit_ns, std::uint32_t first_block)
    : code_(code),
      args_(args),
      blocks_(blocks),
      first_block_(first_block),
      settings_(how),
      limit_ns_(limit_ns),
      vectors_(vectors_of(code)),
      per_group_(is_mix(code) ? vectors_ + 1 : 1),
      random_(how.seed),
      lists_(take_lists()) {
  for (const std::uint32_t block : how.blocks) {
    if (block - first_block < blocks) order_.push_back(block - first_block);
  }
  if (!how.blocks.empty() && order_.empty()) tell_none_runs(code, blocks);
  groups_ = how.blocks.empty() ? blocks : static_cast<std::uint32_t>(order_.size());
  const std::uint32_t cores =
      is_mix(code) || aclsimIsCubeAlone(code.kind) ? how.cube_cores : how.vector_cores;
  most_resident_ = std::max(cores, 1U);
  crossings_ = CrossFlags({groups_, order_, per_group_});
}

Execution::~Execution() { give_back(lists_); }

bool Execution::can_start() const {
  return next_group_ < groups_ && resident_ < most_resident_ && result_.load() == 0;
}

bool Execution::start_group() {
  const std::uint32_t group = group_at(next_group_++);
  ++resident_;
  if (per_group_ > 1) left_[group] = per_group_;
  std::array<Block*, 3> members{};
  for (std::uint32_t i = 0; i < per_group_; ++i) {
    const bool cube = aclsimIsCubeAlone(code_.kind) || (is_mix(code_) && i == 0);
    aclsimCore info = core_info(code_.kind, cube);
    info.block = std::int64_t{first_block_} + group;
    info.blocks = blocks_;
    info.sub_block = cube || !is_mix(code_) ? 0 : i - 1;
    info.sub_blocks = cube || !is_mix(code_) ? 1 : vectors_;
    info.ratio = info.sub_blocks;
    info.dynamic_bytes = shape_.dynamic_bytes;
    info.tiling_key = shape_.tiling_key;
    Block* block = nullptr;
    if (idle_.empty()) {
      block = take_block();
    } else {
      block = idle_.back();
      idle_.pop_back();
    }
    if (i < members.size()) members[i] = block;
    const std::uint32_t unit = group * per_group_ + i;
    live_.insert(place_of(unit), block);
    block->prepare(*this, unit, info, arch_for(code_, settings_),
                   {.checks = settings_.checks,
                    .seeded = settings_.seeded,
                    .seed = settings_.seed * 0x9e3779b9U + unit});
    ready_.push_back(block);
  }
  if (is_mix(code_) && arch_for(code_, settings_).number == 3510) share_memories(members);
  return true;
}

std::vector<Block*>::const_iterator Execution::place_of(std::uint32_t unit) const {
  return std::lower_bound(
      live_.begin(), live_.end(), unit,
      [](const Block* block, std::uint32_t other) { return block->unit < other; });
}

Block* Execution::at(std::uint32_t unit) const {
  const auto it = place_of(unit);
  return it == live_.end() || (*it)->unit != unit ? nullptr : *it;
}

// A block to run; null when all are over.
Block* Execution::take(sim::UniqueLock<sim::Mutex>& lock) {
  for (;;) {
    // A block that polls a word may wait for a block that has not started.
    const bool polls = std::exchange(polls_, false);
    if ((ready_.empty() || polls) && can_start()) start_group();
    if (!ready_.empty()) {
      std::size_t which = 0;
      if (settings_.seeded) {
        random_ = random_ * 6364136223846793005U + 1442695040888963407U;
        which = (random_ >> 33) % ready_.size();
      }
      Block* const block = ready_[which];
      ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(which));
      block->state = Block::State::running;
      ++running_;
      return block;
    }
    if (live_.empty() && !can_start()) return nullptr;
    if (running_ == 0) {
      give_up(lock);
      continue;
    }
    ++waiting_;
    changed_.wait(lock);
    --waiting_;
  }
}

// No block runs and none can start: the parked blocks are deadlocked.
void Execution::give_up(sim::UniqueLock<sim::Mutex>& lock) {
  Block* const first = live_.front();
  const bool failed_before = result_.load() != 0;
  const auto held =
      std::find_if(live_.begin(), live_.end(), [](const Block* block) { return block->held; });
  if (!failed_before && held != live_.end()) {
    (*held)->refused = true;
    wake(**held);
    return;
  }
  for (Block* const block : live_) {
    block->ending = true;
    block->state = Block::State::ready;
    ready_.push_back(block);
  }
  if (failed_before) return;
  const std::size_t waiting = live_.size();
  lock.unlock();
  say(*first, {.level = Level::error,
               .rule = "blocks-hang",
               .text = fmt::format("{}: {} waits for what no block does any more ({} cores wait); "
                                   "hardware would wait forever",
                                   first->waits_for, first->title(), waiting),
               .site = first->waits_at});
  failed(*first, End::hang);
  lock.lock();
}

void Execution::wake(Block& block) {
  if (block.state == Block::State::parked) {
    block.state = Block::State::ready;
    ready_.push_back(&block);
    if (waiting_ != 0) changed_.notify_one();
  } else {
    block.woken = true;
  }
}

void Execution::put_back(Block& block, bool over) {
  --running_;
  if (!over) {
    block.state = Block::State::parked;
    polls_ |= std::exchange(block.polls, false);
    if (std::exchange(block.woken, false)) wake(block);
  } else {
    std::string output = block.take_output();
    if (!output.empty()) outputs_[block.unit] = std::move(output);
    live_.erase(place_of(block.unit));
    if (per_group_ == 1 || --left_[block.unit / per_group_] == 0) --resident_;
    called_ |= block.called;
    idle_.push_back(&block);
  }
  if (waiting_ != 0) changed_.notify_all();
}

void Execution::work() {
  prepare_thread_for_faults();
  const Deadline deadline(limit_ns_);
  sim::UniqueLock lock(mutex_);
  while (Block* const block = take(lock)) {
    lock.unlock();
    const bool over = block->turn();
    if (over) finish_block(*block);
    lock.lock();
    put_back(*block, over);
  }
}

void Execution::has_begun(std::uint32_t blocks) {
  const sim::LockGuard guard(mutex_);
  next_group_ = blocks;
  resident_ = running_ = 1;
}

void Execution::adopt(Block& block) {
  const sim::LockGuard guard(mutex_);
  block.run_ = this;
  block.state = Block::State::running;
  live_.insert(place_of(block.unit), &block);
}

void Execution::go_on(Block& block, bool over) {
  if (over) finish_block(block);
  {
    const sim::LockGuard guard(mutex_);
    put_back(block, over);
  }
  work();
}

void Execution::finish_block(Block& block) {
  take_reads(block);
  if (observed_) accesses_.add_reads(block.core.global());
}

// Records the reads of the block's copies since its last notification or wait.
void Execution::take_reads(Block& block) {
  const Shadow& global = block.core.global();
  const Shadow& local = block.core.group_reads();
  if (!settings_.checks || alone() || (global.cells().empty() && local.cells().empty())) return;
  block.take_word();
  const Clock before = std::exchange(block.taken_, block.core.steps());
  if (before == block.taken_) return;
  std::vector<GlobalWrites::Read> reads = reads_since(before, global, block.core);
  if (!reads.empty()) writes_.read(block, reads);
  reads = reads_since(before, local, block.core);
  for (GlobalWrites::Read& read : reads) {
    read.begin += address_of_unit(block.unit);
    read.end += address_of_unit(block.unit);
  }
  if (!reads.empty()) local_writes_.read(block, reads);
}

void Execution::failed(Block& block, End why) {
  const bool cube = block.core.info.kind == ACLSIM_AIC;
  const bool late = why == End::timeout || why == End::hang;
  const std::int32_t code =
      late ? (cube ? ACL_ERROR_RT_AICORE_TIMEOUT : ACL_ERROR_RT_VECTOR_CORE_TIMEOUT)
           : (cube ? ACL_ERROR_RT_AICORE_EXCEPTION : ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  std::int32_t none = 0;
  result_.compare_exchange_strong(none, code);
}

void Execution::say(const Block& block, const Finding& finding) {
  report(task_, block.who(), finding);
}

std::string Execution::take_output() {
  const sim::LockGuard guard(mutex_);
  std::string all;
  for (const auto& [unit, text] : std::exchange(outputs_, {})) all += text;
  return all;
}

std::string Execution::take_output_at_exit() {
  sim::UniqueLock lock(mutex_, std::defer_lock);
  if (!lock_at_exit(lock)) return {};
  std::map<std::uint32_t, std::string> texts = std::exchange(outputs_, {});
  for (Block* const block : live_) texts[block->unit] = block->take_output_at_exit();
  std::string all;
  for (const auto& [unit, text] : texts) all += text;
  return all;
}

void Execution::report_conflicts() {
  if (!settings_.checks) return;
  const auto tell = [&](const GlobalWrites::BlockConflict& m, const std::string& bytes) {
    Finding finding;
    finding.rule = m.read ? "blocks-race" : "blocks-write-same";
    finding.level = m.read || m.differ ? Level::error : Level::note;
    finding.text = fmt::format(
        "{} {} {} that {} writes at {}{}, and no barrier or flag orders them", core_of(m.later),
        m.read ? "reads" : "writes", bytes, core_of(m.earlier), place_of_site(m.earlier_site),
        m.read ? "" : (m.differ ? " with other values" : " with the same values"));
    finding.site = m.later_site;
    finding.other = m.earlier_site;
    finding.other_what = "write";
    finding.repair =
        m.read ? "SyncAll between the write and the read, or a flag that the pipe of the write sets"
               : "let each block write bytes of its own, or use SetAtomicAdd";
    report(task_, fmt::format("kernel {}", code_.name), finding);
  };
  for (const auto& conflict : writes_.conflicts()) {
    tell(conflict, fmt::format("{} bytes at {:#x} of global memory", conflict.end - conflict.begin,
                               conflict.begin));
  }
  for (const auto& conflict : local_writes_.conflicts()) {
    const auto memory = static_cast<std::size_t>(conflict.begin >> 32 & 0xff);
    const std::uint64_t first = conflict.begin & 0xffffffffU;
    tell(conflict,
         fmt::format("bytes {} to {} of {} of {}", first, first + (conflict.end - conflict.begin),
                     arch_for(code_, settings_).memories[memory].name,
                     core_of(static_cast<std::uint32_t>(conflict.begin >> 40))));
  }
}

void Execution::tell_gaps(const FindAllocation& find) {
  if (!settings_.checks || alone() || result() != 0 || !settings_.blocks.empty()) return;
  const std::vector<Gap> gaps = gaps_of(writes_, find);
  if (gaps.empty()) return;
  const Gap& first = gaps.front();
  Finding finding{.level = Level::note, .rule = "blocks-gap", .site = first.behind.site};
  finding.other = first.before.site;
  finding.text = fmt::format(
      "no block writes the {} bytes at {:#x} of global memory, between what block {} and block {} "
      "write",
      first.end - first.begin, first.begin, first_block_ + first.before.unit / per_group_,
      first_block_ + first.behind.unit / per_group_);
  if (gaps.size() > 1) finding.text += fmt::format("; there are {} such gaps", gaps.size());
  finding.repair = "let each block begin where the one before ends, and copy all of its elements";
  report(task_, fmt::format("kernel {}", code_.name), finding);
}

}  // namespace ascendc
