// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/alone.h"

#include <utility>

#include "device_sim/base/mutex.h"
#include "device_sim/base/per_thread.h"
#include "runtime/ascendc/launch/faults.h"

namespace ascendc {

Alone::Alone() : crew_(Crew::get()) {
  prepare_thread_for_faults();
  crew_.add(*this);
}

Alone::~Alone() { crew_.remove(*this); }

Alone& Alone::of_thread() { return sim::per_thread<Alone>(); }

bool Alone::suits(const aclsimKernelCode& code, const Settings& settings) noexcept {
  const bool mix = code.kind == ACLSIM_CORES_MIX_1_1 || code.kind == ACLSIM_CORES_MIX_1_2;
  return !mix && !settings.seeded && settings.blocks.empty() && Crew::get().trusts(code);
}

// From here on the crew sees the launch.
bool Alone::begin(Unmade& launch, const Settings& settings) {
  if (begun_.load(std::memory_order_relaxed) != kNone) return false;  // a kernel launches kernels
  launch_ = &launch;
  blocks_ = launch.call.blocks;
  helped_ = blocks_ > 1 && settings.workers > 1;
  launches_.store(launches_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  begun_.store(0, std::memory_order_release);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (!helped_ || crew_.looks()) return true;
  end();
  return false;
}

// From here on it does not. False if an Execution was made meanwhile.
bool Alone::end() {
  begun_.store(kNone, std::memory_order_release);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (!met_ && !stopped_.load(std::memory_order_relaxed)) return true;
  const sim::LockGuard guard(crew_.mutex());
  return run_ == nullptr;
}

bool Alone::run(Unmade& launch, const Settings& settings) {
  if (!begin(launch, settings)) return false;
  const aclsimKernelCode& code = launch.call.code;
  const bool timed = launches_.load(std::memory_order_relaxed) % kTimed == 0;
  const sim::Nanoseconds began = timed ? crew_.now_ns() : 0;
  prepare(launch.call, settings);
  const bool over = block_->first_turn();
  if (end()) {
    if (timed && !crew_.was_quick(began)) crew_.distrust(code);
    return true;
  }
  crew_.distrust(code);
  finish(over);
  return true;
}

// A block that called nothing is as it was.
void Alone::prepare(const Call& call, const Settings& settings) {
  const Arch& arch = arch_for(call.code, settings);
  if (!block_ || arch_ != &arch) {
    if (!block_) block_.reset(take_block());
    arch_ = &arch;
    block_->prepare(*this, arch, {.checks = settings.checks});
    described_ = nullptr;
  }
  if (described_ != &call.code || info_.blocks != call.blocks) {
    described_ = &call.code;
    info_ = core_info(call.code.kind, aclsimIsCubeAlone(call.code.kind));
    info_.blocks = call.blocks;
    block_->core.info_given = true;
  }
}

// The launch has become one like others.
void Alone::finish(bool over) {
  meet();
  Execution& run = *run_;
  run.go_on(*block_.release(), over);
  if (helped_) crew_.end(entry_);
  const sim::LockGuard guard(crew_.mutex());
  stopped_.store(false, std::memory_order_relaxed);
  run_ = nullptr;
  met_ = false;
}

// Once the block has called something it may go on in another thread.
void Alone::run_blocks(Block& block) {
  Core& core = block.core;
  const aclsimKernelEntryPoint entry = launch_->call.code.entry;
  const void* const args = launch_->call.args;
  const std::int64_t first = launch_->call.first_block;
  const std::uint32_t count = blocks_;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (core.info_given) {
      core.info = info_;
      core.info_given = false;
    }
    core.info.block = first + i;
    block.unit = i;
    begun_.store(i + 1, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (stopped_.load(std::memory_order_relaxed) && !may_begin(i)) [[unlikely]]
      return;
    entry(args);
    if (block.called) return;
  }
}

bool Alone::may_begin(std::uint32_t block) {
  const sim::LockGuard guard(crew_.mutex());
  if (!run_ || block < ours_) return true;
  block_->unit = block - 1;  // which is over
  return false;
}

Execution& Alone::made(std::uint32_t begun) {
  if (run_) return *run_;
  run_ = &launch_->make();
  ours_ = begun;
  run_->has_begun(begun);
  entry_ = {run_};
  if (helped_) crew_.begin(entry_);
  return *run_;
}

void Alone::meet() {
  if (std::exchange(met_, true)) return;
  const sim::LockGuard guard(crew_.mutex());
  made(begun_.load(std::memory_order_relaxed)).adopt(*block_);
}

// If the launch has begun all its blocks, no block is left for other threads.
void Alone::take() {
  const std::uint32_t begun = begun_.load(std::memory_order_acquire);
  if (!run_ && begun != kNone && begun != 0 && begun < blocks_ && helped_) {
    made(begun);
  } else if (!run_) {
    stopped_.store(false, std::memory_order_relaxed);
  }
}

}  // namespace ascendc
