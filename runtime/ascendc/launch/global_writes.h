// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/ascendc/core/host.h"
#include "runtime/ascendc/core/seen.h"

namespace ascendc {

class Block;

/// The first address of the local memories of a unit: each memory has 2^32.
constexpr std::uint64_t address_of_unit(std::uint32_t unit) { return std::uint64_t{unit} << 40; }

/// The accesses of a launch's blocks to global memory. Finds conflicting accesses of two blocks
/// that no barrier or flag orders.
///
/// Two accesses are compared when the second one is recorded. It is ordered if its block has
/// received a notification that the first access's pipe step is complete.
class GlobalWrites {
 public:
  /// Unordered accesses of two blocks to the same bytes.
  struct BlockConflict {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint32_t earlier;  // unit; of a read: who writes
    std::uint32_t later;
    const void* earlier_site;
    const void* later_site;
    bool read = false;   // `later` reads
    bool differ = true;  // the values that they write
  };
  struct Read {
    std::uint64_t begin;
    std::uint64_t end;
    const void* site;
    Pipe pipe;
    std::uint32_t tick;  // of several steps the first
  };

  /// Whether other blocks may wait for the written bytes. Larger writes are data.
  static bool may_be_flag(const GlobalWrite& write) noexcept { return write.bytes <= 64; }
  /// Before the bytes are written.
  void write(const Block& block, const GlobalWrite& write);
  /// The bytes that were announced to `write` with a value are written.
  void written();
  /// A block ended in the midst of something.
  void give_up();
  /// Adds the reads of the block's copies since its last notification or wait.
  void read(const Block& block, const std::vector<Read>& reads);
  // Once all blocks are over:
  const std::vector<BlockConflict>& conflicts() const noexcept { return conflicts_; }

  struct Cell {
    std::uint64_t end;
    std::uint32_t unit;
    Pipe pipe;
    bool atomic;
    bool may_be_flag;
    std::uint32_t tick;   // of several steps the first
    std::uint32_t tells;  // the unit's notifications before the write
    std::uint32_t time;   // the unit's time; for several words the time of the last
    const Seen* seen;     // the clocks of other units that the unit had then
    const void* site;
    Clock over;  // completed steps of the unit then; a reader of the bytes is ordered after them
  };
  const std::map<std::uint64_t, Cell>& cells() const noexcept { return cells_; }
  /// The write of another block that the block's scalar unit may have waited for in these bytes.
  std::optional<Cell> word(const Block& block, std::uint64_t begin, std::uint64_t bytes);

 private:
  struct Reader {
    std::uint32_t unit;
    Pipe pipe;
    std::uint32_t tick;
    const void* site;
  };
  struct ReadCell {
    std::uint64_t end;
    std::vector<Reader> readers;  // the last read of each pipe of each unit
  };

  void add_write_conflicts(const Block& block, const GlobalWrite& write) REQUIRES(mutex_);
  void add_read_conflicts(const Block& block, const GlobalWrite& write) REQUIRES(mutex_);
  void put(std::uint64_t begin, const Cell& cell) REQUIRES(mutex_);
  void put_read(const Block& block, const Read& read) REQUIRES(mutex_);
  std::map<std::uint64_t, ReadCell>::iterator split_reads(std::uint64_t at) REQUIRES(mutex_);

  sim::Mutex mutex_;
  sim::CondVar settled_;
  std::atomic<std::uint32_t> under_way_{0};
  std::atomic<std::uint32_t> waiting_{0};  // for that
  bool given_up_ GUARDED_BY(mutex_) = false;
  std::map<std::uint64_t, Cell> cells_ GUARDED_BY(mutex_);
  std::map<std::uint64_t, ReadCell> reads_ GUARDED_BY(mutex_);
  std::vector<BlockConflict> conflicts_ GUARDED_BY(mutex_);
  std::set<std::tuple<const void*, const void*, bool>> told_ GUARDED_BY(mutex_);
  // The range of words that may be flags; addresses outside need no look-up.
  std::atomic<std::uint64_t> first_word_{~std::uint64_t{0}};
  std::atomic<std::uint64_t> last_word_{0};
};

}  // namespace ascendc
