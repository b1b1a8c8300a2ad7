// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/ascendc/core/core.h"
#include "runtime/ascendc/launch/fibre.h"
#include "runtime/ascendc/launch/frames.h"
#include "runtime/ascendc/launch/global_writes.h"
#include "runtime/ascendc/launch/threads.h"

namespace ascendc {

class Alone;
class Execution;

/// Thrown in the library where the kernel that called it is over: what the library's frames hold is
/// released. It reaches no frame of the kernel (`in_library`).
struct KernelEnds {};

/// One core that runs the kernel of a launch. Kept for later launches.
class Block final : public Host {
 public:
  enum class State : std::uint8_t { ready, running, parked, over };

  /// Before its first turn.
  void prepare(Execution& run, std::uint32_t unit, const aclsimCore& info, const Arch& arch,
               const CoreOptions& options);
  /// The same, while the running function needs no Execution.
  void prepare(Alone& alone, const Arch& arch, const CoreOptions& options);
  /// Runs it until it parks or is over. True when it is over.
  bool turn();
  /// Its first turn, if it was prepared for `Alone`.
  bool first_turn();

  /// The block of the calling thread's kernel; null outside of a kernel.
  static Block* current() noexcept;
  void print(const char* text, std::size_t bytes);
  /// The text that it printed, and a line with the number of dropped bytes.
  std::string take_output() NO_THREAD_SAFETY_ANALYSIS;  // called when the block is over
  /// The same, while the block may run in another thread; nothing where that one prints for long.
  std::string take_output_at_exit();
  std::string title() const;
  /// The same, with the thread of a SIMT function that runs.
  std::string who() const;
  /// A variable of the core, by its initial variable; sets `fresh` if this call creates it.
  void* local(const void* key, std::uint64_t bytes, bool& fresh);
  /// The word that the scalar unit read last may order this block.
  void take_word();

  /// Lets other blocks of its thread run; it goes on by itself.
  void give_way();
  Execution& execution() const noexcept { return *run_; }

  // --- called by the kernel ---
  void sync_all(bool vector_only, const void* site);
  void cross_set(std::uint32_t mode, std::uint32_t pipe, std::uint32_t flag, const void* site);
  void cross_wait(std::uint32_t flag, const void* site);
  void slot_set(const void* slot, std::int32_t id, const void* site);
  void slot_wait(const void* slot, std::int32_t id, const void* site);
  [[noreturn]] void trap(const void* site);
  [[noreturn]] void assert_failed(const char* expression, const char* file, std::uint32_t line,
                                  const char* function, const void* site);
  /// Called by a signal handler: the kernel cannot continue. The error is reported after its turn.
  /// By a signal: at that address, in the instruction before `site`; null: not known.
  [[noreturn]] void faulted(End why, const void* address, const void* site);
  /// A fault of the handler itself, which reads a broken stack: what is known is known.
  bool finds_frames() const noexcept { return frames_.collecting(); }
  bool overflowed(const void* address) const noexcept {
    return fibre_.overflowed(address) || threads.overflowed(address);
  }
  /// The kernel is over. Its frames stay as they are.
  [[noreturn]] void leave() { fibre_.leave(); }

  // --- Host ---
  void found(const Finding& finding) override;
  [[noreturn]] void end(End why) override;
  bool find_global(std::uintptr_t address, GmRange& piece) override;
  bool find_freed(std::uintptr_t address, GmRange& piece) override;
  bool find_global_before(std::uintptr_t address, GmRange& piece) override;
  void writes_global(Core& core, const GlobalWrite& write) override;
  void wrote_global() override;
  void reads_word(std::uintptr_t begin, std::uint64_t bytes) override;
  void copies_global() override { take_word(); }
  std::string beside(std::uintptr_t address) override;
  Core* core_of_group(std::uint32_t number) override;
  void writes_local(std::uint32_t number, GlobalWrite write) override;
  const Seen* view() const override;
  std::string place_of(const void* site) override;

  // --- for the handler of the timeout's signal ---
  volatile bool inside = false;  // the kernel is in a call of the library
  volatile bool called = true;   // it has made such a call, or another one before it did
  void calls_first();
  volatile bool late = false;

  /// For the handler of divisions without a result: the first one of the kernel. Null: none.
  const void* volatile divided_at = nullptr;

  Core core;
  Threads threads;
  /// The cores that share memories with this one, which is one of them; nulls: none.
  std::array<Block*, 3> group{};
  std::uint32_t unit = 0;  // which one of its launch

  // --- with the mutex of its run ---
  State state = State::ready;
  bool woken = false;    // while it is about to park
  bool polls = false;    // it parks because it polls a word
  bool ending = false;   // it ends with its next turn
  bool held = false;     // its set of a cross-core flag is not counted yet
  bool refused = false;  // it will never be counted
  const char* waits_for = "";
  const void* waits_at = nullptr;
  const Seen* seen = nullptr;  // of its run; null: nothing yet

  // --- for the thread that runs the block ---
  std::uint32_t time = 0;   // rises with each notification to other blocks
  std::uint32_t tells = 0;  // notifications without words in memory
  Clock told{};             // the completed steps in its notifications

  /// Whether that step of another unit is over for this one.
  bool has_seen(std::uint32_t other, Pipe pipe, std::uint32_t tick) const noexcept {
    return has_seen(seen, other, pipe, tick);
  }
  /// The same for an instruction that was issued with that view; null: as it is now.
  bool has_seen(const Seen* view, std::uint32_t other, Pipe pipe,
                std::uint32_t tick) const noexcept;
  /// Whether the block is ordered after the notifications of another unit up to that time.
  bool knows(std::uint32_t other, std::uint32_t when) const noexcept {
    return other == unit || (seen && other < seen->size() && (*seen)[other].time >= when);
  }

 private:
  friend class Execution;
  static void body(void* block);
  // No other thread uses the block: it is about to start.
  void reset(const Arch& arch, const CoreOptions& options) NO_THREAD_SAFETY_ANALYSIS;
  void require_run();
  template <class Go>
  bool turn_by(const Go& go);
  void run_kernel();
  void park();
  void check_flags_exist(const char* call, const void* site);
  void check_flag(const char* call, std::uint32_t flag, bool one_core, const void* site);

  Execution* run_ = nullptr;
  Alone* alone_ = nullptr;  // makes the Execution when the block first needs one
  Fibre fibre_;
  sim::Mutex output_mutex_;  // against the end of the process
  std::string output_ GUARDED_BY(output_mutex_);
  std::size_t dropped_ GUARDED_BY(output_mutex_) = 0;  // bytes behind the most that is kept
  struct Local {
    const void* key;
    std::unique_ptr<std::byte[]> bytes;
  };
  std::vector<Local> locals_;
  std::uint32_t polls_ = 0;
  std::uintptr_t word_ = 0;  // that the scalar unit read last; 0: none, or it is taken in
  std::uint64_t word_bytes_ = 0;
  Clock taken_{};  // up to there what it reads is taken in
  const void* fault_address_ = nullptr;
  Frames frames_;  // where it faulted
  End fault_ = End::fault;
  bool faulted_ = false;
};

/// A core of a launch of that kind that runs alone in its group.
aclsimCore core_info(std::uint32_t kind, bool cube) noexcept;
/// One that no launch has at the moment.
Block* take_block();

/// Null if the process has no runtime.
acl::embedding::Runtime* acl_runtime();
/// The live allocation of the process that holds the address.
bool find_allocation(std::uintptr_t address, GmRange& piece);

/// Wraps a call of a kernel: if the time limit passes during the call, the kernel ends after it.
class InsideLibrary {
 public:
  explicit InsideLibrary(Block& block) : block_(block) {
    block.inside = true;
    if (!block.called) block.calls_first();
  }
  ~InsideLibrary() {
    block_.inside = false;
    if (block_.late) block_.faulted(End::timeout, nullptr, nullptr);
  }
  InsideLibrary(const InsideLibrary&) = delete;
  InsideLibrary& operator=(const InsideLibrary&) = delete;

 private:
  Block& block_;
};

template <class Body>
auto in_library(Block& block, const Body& body) -> decltype(body()) {
  try {
    const InsideLibrary guard(block);
    return body();
  } catch (const KernelEnds&) {
  }
  block.leave();
}

/// Runs a function of the library that a kernel calls.
template <class Body>
auto in_library(const Body& body) -> decltype(body()) {
  Block* const block = Block::current();
  return block ? in_library(*block, body) : body();
}

/// The same for functions of the core that the kernel runs on. Outside of kernels it does nothing
/// and returns zero.
template <class Body>
auto on_core(const Body& body) -> decltype(body(std::declval<Core&>())) {
  using Answer = decltype(body(std::declval<Core&>()));
  Block* const block = Block::current();
  return block ? in_library(*block, [&] { return body(block->core); }) : Answer();
}

}  // namespace ascendc
