// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace ascendc {

class Block;

/// Which bytes of global memory the blocks of a launch wrote, and who read what: finds what two blocks do
/// to the same bytes without a barrier or flag between.
class GlobalWrites {
 public:
  /// Two blocks meet at the same bytes.
  struct Meeting {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint32_t earlier;  // unit
    std::uint32_t later;
    const void* earlier_site;
    const void* later_site;
    bool read = false;      // `later` reads
    bool differ = true;     // the values that they write
  };
  struct Read {
    std::uint64_t begin;
    std::uint64_t end;
    std::uint32_t unit;
    std::uint32_t time;
    const void* site;
    bool scalar;
  };

  /// Before the bytes are written; `from`: their value, or null.
  void write(const Block& block, std::uint64_t begin, const void* from, std::uint64_t bytes,
             bool atomic, const void* site);
  /// What `write` was told with a value is written.
  void written();
  /// A block ended in the midst of something.
  void give_up();
  void add_reads(const std::vector<Read>& reads);
  /// `ordered(unit, time, other)`: whether what `unit` did at `time` is over before `other` at its time.
  template <class Ordered>
  std::vector<Meeting> read_meetings(const Ordered& ordered) const;
  const std::vector<Meeting>& write_meetings() const noexcept { return meetings_; }

  struct Cell {
    std::uint64_t end;
    std::uint32_t unit;
    std::uint32_t time;
    const void* site;
    bool atomic;
  };
  const std::map<std::uint64_t, Cell>& cells() const noexcept { return cells_; }
  const std::vector<Read>& reads() const noexcept { return reads_; }

 private:
  void put(std::uint64_t begin, const Cell& cell);
  std::map<std::uint64_t, Cell>::iterator first_from(std::uint64_t begin);

  std::mutex mutex_;
  std::condition_variable settled_;
  std::atomic<std::uint32_t> under_way_{0};
  std::atomic<std::uint32_t> waiting_{0};  // for that
  bool given_up_ = false;
  std::map<std::uint64_t, Cell> cells_;
  std::vector<Read> reads_;
  std::vector<Meeting> meetings_;
  std::set<std::pair<const void*, const void*>> told_;
};

template <class Ordered>
std::vector<GlobalWrites::Meeting> GlobalWrites::read_meetings(const Ordered& ordered) const {
  std::vector<Meeting> meetings;
  std::set<std::pair<const void*, const void*>> told;
  for (const Read& read : reads_) {
    auto it = cells_.upper_bound(read.begin);
    if (it != cells_.begin() && std::prev(it)->second.end > read.begin) --it;
    for (; it != cells_.end() && it->first < read.end; ++it) {
      const Cell& cell = it->second;
      if (cell.unit == read.unit || ordered(cell, read)) continue;
      if (read.scalar) return {};  // blocks tell each other by words in memory: nothing is known
      if (!told.insert({cell.site, read.site}).second) continue;
      meetings.push_back({std::max(it->first, read.begin), std::min(cell.end, read.end), cell.unit,
                          read.unit, cell.site, read.site, true, true});
    }
  }
  return meetings;
}

}  // namespace ascendc
