// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "runtime/ascendc/launch/block.h"
#include "runtime/ascendc/launch/crew.h"
#include "runtime/ascendc/launch/execution.h"
#include "runtime/ascendc/launch/settings.h"

namespace ascendc {

/// The kernel and the arguments of a launch.
struct Call {
  const aclsimKernelCode& code;
  const void* args;
  std::uint32_t blocks;
  std::uint32_t first_block = 0;
  Execution::Shape shape{};
  GmRange attached{};  // see Execution
  int device = -1;     // see Task
};

/// A launch of which nothing is made yet.
class Unmade {
 public:
  virtual Execution& make() = 0;
  const Call& call;

 protected:
  explicit Unmade(const Call& what) : call(what) {}
  ~Unmade() = default;
};

/// A thread that begins launches alone: blocks that call nothing of the library are function calls
/// in a row on one stack, and no Execution is made. It is made when a block calls something or
/// fails, or when the crew sees that the launch takes long.
///
/// The thread publishes the block that it begins and then checks whether it was stopped. A thread
/// that stops it sets the stop flag and then reads the published block. A barrier on all processors
/// separates these two steps, so the launching thread needs no barrier of its own.
class Alone {
 public:
  Alone();
  ~Alone();
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;
  static Alone& of_thread();

  /// Whether the launch is one of those.
  static bool suits(const aclsimKernelCode& code, const Settings& settings) noexcept;
  /// True: all blocks are over. False: nothing was begun.
  bool run(Unmade& launch, const Settings& settings);

  // --- by its block ---
  void run_blocks(Block& block);
  /// The block needs its Execution.
  void meet();

  // --- by the crew, with its mutex ---
  void looked_at() noexcept { looked_at_ = launches_.load(std::memory_order_relaxed); }
  bool has_begun_more() const noexcept {
    return launches_.load(std::memory_order_relaxed) != looked_at_;
  }
  bool takes_long() const noexcept { return !has_begun_more() && !run_ && runs(); }
  bool runs() const noexcept { return begun_.load(std::memory_order_acquire) != kNone; }
  void stop() noexcept { stopped_.store(true, std::memory_order_relaxed); }
  void take() NO_THREAD_SAFETY_ANALYSIS;  // the crew calls it with its lock held

 private:
  static constexpr std::uint32_t kNone = ~0U;
  static constexpr std::uint64_t kTimed = 16;  // one launch of so many

  bool may_begin(std::uint32_t block);
  bool begin(Unmade& launch, const Settings& settings);
  bool end();
  void finish(bool over);
  Execution& made(std::uint32_t begun) REQUIRES(crew_.mutex());
  void prepare(const Call& call, const Settings& settings);

  Crew& crew_;
  std::unique_ptr<Block> block_;
  aclsimCore info_{};
  const aclsimKernelCode* described_ = nullptr;  // by info_
  const Arch* arch_ = nullptr;                   // of block_

  std::atomic<std::uint32_t> begun_{kNone};  // blocks of the launch that the thread has begun
  std::atomic<bool> stopped_{false};
  std::atomic<std::uint64_t> launches_{0};
  // Written by the thread while it runs no launch:
  Unmade* launch_ = nullptr;
  std::uint32_t blocks_ = 0;
  bool helped_ = false;  // others may
  // With the mutex of the crew:
  Execution* run_ = nullptr;
  std::uint32_t ours_ = 0;  // blocks that were begun when it was made
  Crew::Entry entry_;
  std::uint64_t looked_at_ = 0;

  bool met_ = false;  // the block has its Execution
};

}  // namespace ascendc
