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
  /// The control register of launches of threads, which cannot set it.
  static constexpr std::uint64_t kNothingSaturates = 1ULL << 60 | 1ULL << 48;

  /// Returns when all are over. `grid`: of the launch. `control`: the register of that name.
  void run(Block& block, void (*body)(const void*), const void* args,
           const std::uint32_t threads[3], const std::uint32_t grid[3], std::uint64_t control,
           const void* site);

  // --- called by a thread ---
  void sync(const void* site);
  /// The functions of simt_machine.h.
  std::uint32_t share(std::uint64_t value, std::uint64_t* lanes, const void* site);
  std::uint32_t share_in_tile(std::uint32_t wanted, std::uint64_t value, std::uint64_t* lanes,
                              const void* site);
  std::uint32_t share_among(std::uint32_t first, std::uint32_t count, std::uint64_t value,
                            std::uint64_t* values, const void* site);
  void inactive(std::uint32_t lane, const void* site);
  /// Whether the address is in the stack of one of the threads.
  bool in_stack(const void* address) const noexcept;
  const aclsimThread& now() const noexcept { return now_; }
  bool inside() const noexcept { return inside_; }

  bool overflowed(const void* address) const noexcept;
  void forget() noexcept { inside_ = false; }

 private:
  enum class State : std::uint8_t { barrier, warp, tile, over };
  /// The threads that one of a tile waits for: `count` from `first`, within a warp only `lanes`.
  struct Tile {
    std::uint32_t first = 0, count = 0, lanes = 0;
    bool operator==(const Tile& other) const noexcept {
      return first == other.first && count == other.count && lanes == other.lanes;
    }
  };
  struct Thread {
    Fibre* fibre = nullptr;
    State state = State::over;
    std::uint64_t value = 0;
    const void* site = nullptr;
    Tile tile;
  };
  struct Shared {
    std::uint64_t value = 0;
    bool there = false;
  };
  struct Warp {
    std::array<std::uint64_t, kWarp> values;
    std::uint32_t mask = 0;
  };

  static void enter(void* threads);
  void resume(std::uint32_t index);
  void park(State state, std::uint64_t value, const void* site);
  bool release_warps();
  bool release_tiles();
  bool release_barrier();
  bool wants(const Tile& tile, std::uint32_t i) const noexcept;
  bool complete(const Tile& tile) const noexcept;
  void check_barrier(const std::vector<std::uint32_t>& waiting);
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
  std::vector<Shared> shared_;          // of the tile that goes on
  std::array<const void*, 2> apart_{};  // the barriers that were compared last
  std::vector<std::unique_ptr<Fibre>> fibres_;
  std::vector<Fibre*> idle_;
};

}  // namespace ascendc
