// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "runtime/ascendc/launch/block.h"

namespace ascendc {

void Threads::run(Block& block, void (*body)(const void*), const void* args,
                  const std::uint32_t threads[3], const std::uint32_t grid[3],
                  std::uint64_t control, const void* site) {
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
  apart_ = {};
  threads_.assign(count_, {});
  warps_.resize((count_ + kWarp - 1) / kWarp);
  idle_.clear();
  for (const auto& fibre : fibres_) idle_.push_back(fibre.get());
  now_ = {};
  now_.size = sizeof now_;
  std::copy_n(threads, 3, now_.block_dim);
  std::copy_n(grid, 3, now_.grid_dim);
  now_.control = control;
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
    if (!release_tiles() && !release_warps() && !release_barrier()) hang();
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

std::uint32_t Threads::share_in_tile(std::uint32_t wanted, std::uint64_t value,
                                     std::uint64_t* lanes, const void* site) {
  const std::uint32_t first = running_ / kWarp * kWarp;
  threads_[running_].tile = {first, kWarp, wanted};
  park(State::tile, value, site);
  std::uint32_t mask = 0;
  for (std::uint32_t i = 0; i < kWarp; ++i) {
    lanes[i] = shared_[i].value;
    if (shared_[i].there) mask |= 1U << i;
  }
  return mask;
}

std::uint32_t Threads::share_among(std::uint32_t first, std::uint32_t count, std::uint64_t value,
                                   std::uint64_t* values, const void* site) {
  threads_[running_].tile = {first, count, ~0U};
  park(State::tile, value, site);
  std::uint32_t there = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    values[i] = shared_[i].value;
    if (shared_[i].there) ++there;
  }
  return there;
}

void Threads::inactive(std::uint32_t lane, const void* site) {
  block_->found({.level = Level::note,
                 .rule = "lane-inactive",
                 .text = fmt::format("reads the value of lane {} of its warp, which takes no part; "
                                     "hardware gives a value that is not specified",
                                     lane),
                 .site = site});
}

bool Threads::wants(const Tile& tile, std::uint32_t i) const noexcept {
  return tile.first + i < count_ && (tile.count > kWarp || (tile.lanes >> i & 1U) != 0);
}

/// Whether all threads of the tile that are not over wait for it.
bool Threads::complete(const Tile& tile) const noexcept {
  for (std::uint32_t i = 0; i < tile.count; ++i) {
    if (!wants(tile, i)) continue;
    const Thread& thread = threads_[tile.first + i];
    if (thread.state == State::over) continue;
    if (thread.state != State::tile || !(thread.tile == tile)) return false;
  }
  return true;
}

bool Threads::release_tiles() {
  bool any = false;
  for (std::uint32_t at = 0; at < count_; ++at) {
    const Tile tile = threads_[at].tile;
    if (threads_[at].state != State::tile || !complete(tile)) continue;
    shared_.assign(tile.count, {});
    std::vector<std::uint32_t> members;
    for (std::uint32_t i = 0; i < tile.count; ++i) {
      if (!wants(tile, i) || threads_[tile.first + i].state == State::over) continue;
      shared_[i] = {threads_[tile.first + i].value, true};
      members.push_back(tile.first + i);
    }
    for (const std::uint32_t index : members) resume(index);
    any = true;
  }
  return any;
}

/// Warps all of whose threads that are not over wait for each other. Threads at different places
/// are in different branches, and those at the lower address go on first, because branches join
/// behind them.
bool Threads::release_warps() {
  bool any = false;
  for (std::uint32_t w = 0; w < warps_.size(); ++w) {
    const std::uint32_t first = w * kWarp;
    const std::uint32_t lanes = std::min(kWarp, count_ - first);
    const void* site = nullptr;
    bool waits = false;
    bool all = true;
    for (std::uint32_t i = 0; i < lanes; ++i) {
      const Thread& thread = threads_[first + i];
      all = all && thread.state != State::barrier;
      if (thread.state != State::warp) continue;
      site = waits ? std::min(site, thread.site, std::less<>()) : thread.site;
      waits = true;
    }
    if (!waits || !all) continue;
    Warp& warp = warps_[w];
    warp.mask = 0;
    for (std::uint32_t i = 0; i < lanes; ++i) {
      const Thread& thread = threads_[first + i];
      if (thread.state == State::warp && thread.site == site) warp.mask |= 1U << i;
      warp.values[i] = thread.value;
    }
    const std::uint32_t mask = warp.mask;
    for (std::uint32_t i = 0; i < lanes; ++i) {
      if ((mask >> i & 1U) != 0) resume(first + i);
    }
    any = true;
  }
  return any;
}

bool Threads::release_barrier() {
  for (const Thread& thread : threads_) {
    if (thread.state == State::warp || thread.state == State::tile) return false;
  }
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (threads_[i].state == State::barrier) waiting.push_back(i);
  }
  check_barrier(waiting);
  for (const std::uint32_t index : waiting) resume(index);
  return !waiting.empty();
}

/// A compiler may copy a call, so calls in one line are one place.
void Threads::check_barrier(const std::vector<std::uint32_t>& waiting) {
  for (const std::uint32_t index : waiting) {
    const void* const site = threads_[index].site;
    const void* const first = threads_[waiting.front()].site;
    if (site == first || (site == apart_[1] && first == apart_[0])) continue;
    apart_ = {first, site};
    if (block_->place_of(first) == block_->place_of(site)) continue;
    place(index);
    block_->found({.level = Level::error,
                   .rule = "threads-apart",
                   .text = fmt::format("thread {} waits in another asc_syncthreads; all threads of "
                                       "a block must wait in the same one",
                                       waiting.front()),
                   .site = site,
                   .other = first});
  }
}

void Threads::hang() {
  const auto waits = [&](State state) {
    return std::find_if(threads_.begin(), threads_.end(),
                        [&](const Thread& thread) { return thread.state == state; });
  };
  const auto barrier = waits(State::barrier);
  const auto warp = waits(State::warp);
  const auto last = warp != threads_.end() ? warp : waits(State::tile);
  const auto first = barrier != threads_.end() ? barrier : last;
  inside_ = false;
  block_->found(
      {.level = Level::error,
       .rule = "threads-hang",
       .text = fmt::format(
           "thread {} waits in {} and thread {} for {}; hardware would wait forever",
           first - threads_.begin(), first == barrier ? "asc_syncthreads" : "a group of threads",
           last - threads_.begin(), last == warp ? "its warp" : "other threads"),
       .site = first->site,
       .other = last->site});
  block_->end(End::hang);
}

bool Threads::overflowed(const void* address) const noexcept {
  return std::any_of(fibres_.begin(), fibres_.end(),
                     [&](const auto& fibre) { return fibre->overflowed(address); });
}

bool Threads::in_stack(const void* address) const noexcept {
  return std::any_of(fibres_.begin(), fibres_.end(),
                     [&](const auto& fibre) { return fibre->contains(address); });
}

}  // namespace ascendc
