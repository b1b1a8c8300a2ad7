// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/ascendc/core/clocks.h"
#include "runtime/ascendc/core/node_pool.h"

namespace ascendc {

/// A past access to memory: the step of its pipe, and a description for reports.
struct Mark {
  std::uint32_t tick = 0;  // 0: there was none
  std::uint32_t what = 0;
  bool operator==(const Mark&) const = default;
};

/// Two accesses to the same bytes, one of them a write, that nothing orders.
struct Conflict {
  Pipe pipe;  // of the earlier
  Mark earlier;
  bool earlier_wrote;
  std::uint64_t begin;
  std::uint64_t end;
};

/// Bytes with one history.
struct Cell {
  std::uint64_t end = 0;
  bool written = false;  // they have a value
  Pipe writer = Pipe::s;
  Mark write{};
  std::array<Mark, kPipes> reads{};  // since then

  bool has_history_of(const Cell& other) const noexcept {
    return written == other.written && writer == other.writer && write == other.write &&
           reads == other.reads;
  }
};

/// The last accesses to each byte of a memory. A map of ranges: bytes with the same accesses share
/// a cell, so a buffer that is used as a whole costs a few steps for any size.
class Shadow {
 public:
  using Cells = std::map<std::uint64_t, Cell, std::less<>,
                         NodeAllocator<std::pair<const std::uint64_t, Cell>>>;

  Shadow() = default;
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  /// The bytes are read by `pipe` now. Appends what that conflicts with.
  void read(std::uint64_t begin, std::uint64_t end, Pipe pipe, Mark mark, const PipeClocks& clocks,
            std::vector<Conflict>& conflicts);
  void write(std::uint64_t begin, std::uint64_t end, Pipe pipe, Mark mark, const PipeClocks& clocks,
             std::vector<Conflict>& conflicts);
  /// The scalar unit got a reference to the bytes: it may read or write them.
  void refer(std::uint64_t begin, std::uint64_t end, Mark mark, const PipeClocks& clocks,
             std::vector<Conflict>& conflicts);
  /// The first byte of the range that was never written; `end` if all were written.
  std::uint64_t unwritten(std::uint64_t begin, std::uint64_t end);
  /// The first byte of the first block of 32 bytes without a written byte in the range; `end` if
  /// none is.
  std::uint64_t unwritten_block(std::uint64_t begin, std::uint64_t end);
  /// The first byte of the range that was written; `end` if none was.
  std::uint64_t written(std::uint64_t begin, std::uint64_t end) const;
  /// The bytes have no value any more; who touched them stays known.
  void forget_values(std::uint64_t begin, std::uint64_t end);
  /// The bytes may have a value from now on.
  void assume_values(std::uint64_t begin, std::uint64_t end);
  void clear();
  const Cells& cells() const noexcept { return cells_; }

 private:
  /// The cells from `begin` to `end`: split at both, and with none missing. The first of them.
  Cells::iterator cut(std::uint64_t begin, std::uint64_t end);
  Cells::iterator split(std::uint64_t at);
  /// The cell that contains all of the bytes; cells_.end() if none does.
  Cells::iterator around(std::uint64_t begin, std::uint64_t end);
  /// Makes one cell of this one and a neighbour before it with the same history.
  void merge(Cells::iterator cell);

  // Cells are made and dropped with each tile of a kernel.
  std::unique_ptr<NodePool> pool_ = std::make_unique<NodePool>();
  Cells cells_{NodeAllocator<Cells::value_type>(*pool_)};
  Cells::iterator last_ = cells_.end();  // the cell of the last access; end(): none
};

}  // namespace ascendc
