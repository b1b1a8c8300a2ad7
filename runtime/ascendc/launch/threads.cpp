// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/threads.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/ascendc/launch/block.h"

namespace ascendc {

void Threads::run(Block& block, void (*body)(const void*), const void* args,
                  const std::uint32_t threads[3], const std::uint32_t grid[3], const void* site) {
  const std::uint64_t count = std::uint64_t{threads[0]} * threads[1] * threads[2];
  if (inside_) block.core.violated("threads", "asc_vf_call: inside of a SIMT function", site);
  if (count == 0 || threads[0] > kMost || threads[1] > kMost || count > kMost) {
    block.core.violated("threads",
                        fmt::format("{} x {} x {} threads in a block; expected 1 to {}", threads[0],
                                    threads[1], threads[2], kMost),
                        site);
  }
  block_ = &block;
  body_ = body;
  args_ = args;
  site_ = site;
  count_ = static_cast<std::uint32_t>(count);
  over_ = 0;
  exception_ = false;
  threads_.assign(count_, {});
  warps_.resize((count_ + kWarp - 1) / kWarp);
  idle_.clear();
  for (const auto& fibre : fibres_) idle_.push_back(fibre.get());
  now_ = {};
  now_.size = sizeof now_;
  std::copy_n(threads, 3, now_.block_dim);
  std::copy_n(grid, 3, now_.grid_dim);
  const auto number = static_cast<std::uint32_t>(block.core.info.block);
  now_.block[0] = number % grid[0];
  now_.block[1] = number / grid[0] % grid[1];
  now_.block[2] = number / grid[0] / grid[1];
  inside_ = true;
  for (std::uint32_t i = 0; i < count_; ++i) {
    threads_[i].fibre = take_fibre();
    threads_[i].fibre->start(enter, this);
    resume(i);
  }
  while (over_ < count_) {
    if (!release_warps() && !release_barrier()) hang();
  }
  inside_ = false;
}

Fibre* Threads::take_fibre() {
  if (idle_.empty()) {
    fibres_.push_back(std::make_unique<Fibre>(Fibre::History::of_caller));
    return fibres_.back().get();
  }
  Fibre* const fibre = idle_.back();
  idle_.pop_back();
  return fibre;
}

void Threads::enter(void* argument) {
  auto& threads = *static_cast<Threads*>(argument);
  try {
    threads.body_(threads.args_);
  } catch (...) {
    threads.exception_ = true;  // reported when the block's own stack continues
  }
}

void Threads::place(std::uint32_t index) {
  running_ = index;
  now_.index[0] = index % now_.block_dim[0];
  now_.index[1] = index / now_.block_dim[0] % now_.block_dim[1];
  now_.index[2] = index / now_.block_dim[0] / now_.block_dim[1];
  now_.number = index;
}

void Threads::resume(std::uint32_t index) {
  place(index);
  Thread& thread = threads_[index];
  block_->inside = false;
  const bool waits = thread.fibre->resume();
  block_->inside = true;
  if (block_->late) block_->faulted(End::timeout, nullptr, nullptr);
  if (waits) return;
  if (exception_) {
    block_->found({.level = Level::error,
                   .rule = "kernel-ended",
                   .text = "the kernel ended: an exception of C++ left it"});
    inside_ = false;
    block_->end(End::exception);
  }
  thread.state = State::over;
  idle_.push_back(thread.fibre);
  ++over_;
}

void Threads::park(State state, std::uint64_t value, const void* site) {
  Thread& thread = threads_[running_];
  thread.state = state;
  thread.value = value;
  thread.site = site;
  thread.fibre->park();
  block_->inside = true;
}

void Threads::sync(const void* site) { park(State::barrier, 0, site); }

std::uint32_t Threads::share(std::uint64_t value, std::uint64_t* lanes, const void* site) {
  park(State::warp, value, site);
  const Warp& warp = warps_[running_ / kWarp];
  std::copy(warp.values.begin(), warp.values.end(), lanes);
  return warp.mask;
}

/// Warps all of whose threads that are not over wait for each other.
bool Threads::release_warps() {
  bool any = false;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    const std::uint32_t first = w * kWarp;
    const std::uint32_t lanes = std::min(kWarp, count_ - first);
    Warp& warp = warps_[w];
    std::uint32_t mask = 0;
    bool all = true;
    for (std::uint32_t i = 0; i < lanes; ++i) {
      if (threads_[first + i].state == State::warp) mask |= 1U << i;
      all = all && threads_[first + i].state != State::barrier;
    }
    if (mask == 0 || !all) continue;
    warp.mask = mask;
    for (std::uint32_t i = 0; i < lanes; ++i) warp.values[i] = threads_[first + i].value;
    for (std::uint32_t i = 0; i < lanes; ++i) {
      if ((mask >> i & 1U) != 0) resume(first + i);
    }
    any = true;
  }
  return any;
}

bool Threads::release_barrier() {
  for (const Thread& thread : threads_) {
    if (thread.state == State::warp) return false;
  }
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (threads_[i].state == State::barrier) waiting.push_back(i);
  }
  for (const std::uint32_t index : waiting) resume(index);
  return !waiting.empty();
}

void Threads::hang() {
  const auto waits = [&](State state) {
    return std::find_if(threads_.begin(), threads_.end(),
                        [&](const Thread& thread) { return thread.state == state; });
  };
  const auto barrier = waits(State::barrier);
  const auto warp = waits(State::warp);
  inside_ = false;
  block_->found(
      {.level = Level::error,
       .rule = "threads-hang",
       .text = fmt::format("thread {} waits in asc_syncthreads and thread {} of its warp for the "
                           "warp; hardware would wait forever",
                           barrier - threads_.begin(), warp - threads_.begin()),
       .site = barrier->site,
       .other = warp->site});
  block_->end(End::hang);
}

bool Threads::overflowed(const void* address) const noexcept {
  return std::any_of(fibres_.begin(), fibres_.end(),
                     [&](const auto& fibre) { return fibre->overflowed(address); });
}

}  // namespace ascendc
