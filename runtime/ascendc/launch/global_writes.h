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

/// Which bytes of global memory the blocks of a launch wrote, and who read what: finds what two
/// blocks do to the same bytes without a barrier or flag between.
///
/// Of two accesses the one that comes here second decides: it is ordered if its block has been told
/// that the first one's step of its pipe is over.
class GlobalWrites {
 public:
  /// Two blocks meet at the same bytes.
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
    std::uint32_t tick;  // the first one, where it is several
  };

  /// Whether others may wait for what is written. What is more at once is data.
  static bool may_be_flag(const GlobalWrite& write) noexcept { return write.bytes <= 64; }
  /// Before the bytes are written.
  void write(const Block& block, const GlobalWrite& write);
  /// What `write` was told with a value is written.
  void written();
  /// A block ended in the midst of something.
  void give_up();
  /// What the block has read by copies since it saw or told anything.
  void read(const Block& block, const std::vector<Read>& reads);
  // Once all blocks are over:
  const std::vector<BlockConflict>& conflicts() const noexcept { return conflicts_; }

  struct Cell {
    std::uint64_t end;
    std::uint32_t unit;
    Pipe pipe;
    bool atomic;
    bool may_be_flag;
    std::uint32_t tick;   // the first one, where it is several
    std::uint32_t tells;  // of the unit before
    std::uint32_t time;   // of the unit; of several words the last one's
    const Seen* seen;     // by the unit then
    const void* site;
    Clock over;  // on the unit then, as others may be told by these bytes
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
  void add_read_conflicts(const Block& block, std::uint64_t begin, std::uint64_t end,
                          const void* site) REQUIRES(mutex_);
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
  // Where words lie that may be flags; nothing outside has to be looked up.
  std::atomic<std::uint64_t> first_word_{~std::uint64_t{0}};
  std::atomic<std::uint64_t> last_word_{0};
};

}  // namespace ascendc
