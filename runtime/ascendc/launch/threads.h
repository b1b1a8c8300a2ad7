// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "ascendc/impl/simt_machine.h"
#include "runtime/ascendc/launch/fibre.h"

namespace ascendc {

class Block;

/// The threads of a SIMT function on a vector core, as fibres on the core's own: one after the
/// other, each until it is over or waits for others. Threads that never wait share a stack.
class Threads {
 public:
  static constexpr std::uint32_t kMost = 2048;
  static constexpr std::uint32_t kWarp = 32;

  /// Returns when all are over. `grid`: of the launch.
  void run(Block& block, void (*body)(const void*), const void* args,
           const std::uint32_t threads[3], const std::uint32_t grid[3], const void* site);

  // --- called by a thread ---
  void sync(const void* site);
  /// Waits for the warp's other threads. Stores their values by lane and returns the bits of the
  /// lanes with a value.
  std::uint32_t share(std::uint64_t value, std::uint64_t* lanes, const void* site);
  const aclsimThread& now() const noexcept { return now_; }
  bool inside() const noexcept { return inside_; }

  bool overflowed(const void* address) const noexcept;
  void forget() noexcept { inside_ = false; }

 private:
  enum class State : std::uint8_t { barrier, warp, over };
  struct Thread {
    Fibre* fibre = nullptr;
    State state = State::over;
    std::uint64_t value = 0;
    const void* site = nullptr;
  };
  struct Warp {
    std::array<std::uint64_t, kWarp> values;
    std::uint32_t mask = 0;
  };

  static void enter(void* threads);
  void resume(std::uint32_t index);
  void park(State state, std::uint64_t value, const void* site);
  bool release_warps();
  bool release_barrier();
  void place(std::uint32_t index);
  Fibre* take_fibre();
  [[noreturn]] void hang();

  Block* block_ = nullptr;
  void (*body_)(const void*) = nullptr;
  const void* args_ = nullptr;
  const void* site_ = nullptr;
  std::uint32_t count_ = 0;
  std::uint32_t over_ = 0;
  std::uint32_t running_ = 0;
  bool inside_ = false;
  bool exception_ = false;
  aclsimThread now_{};
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::vector<std::unique_ptr<Fibre>> fibres_;
  std::vector<Fibre*> idle_;
};

}  // namespace ascendc
