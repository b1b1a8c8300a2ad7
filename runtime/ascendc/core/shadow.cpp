// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/core/shadow.h"

#include <algorithm>

namespace ascendc {
namespace {

constexpr std::size_t kKeptCells = std::size_t{1} << 14;

void against_write(std::uint64_t begin, const Cell& cell, Pipe pipe, const PipeClocks& clocks,
                   std::vector<Conflict>& conflicts) {
  if (cell.write.tick == 0 || clocks.ordered(cell.writer, cell.write.tick, pipe)) return;
  conflicts.push_back({cell.writer, cell.write, true, begin, cell.end});
}

void against_reads(std::uint64_t begin, const Cell& cell, Pipe pipe, const PipeClocks& clocks,
                   std::vector<Conflict>& conflicts) {
  for (std::size_t i = 0; i < kPipes; ++i) {
    const auto reader = static_cast<Pipe>(i);
    if (cell.reads[i].tick == 0 || clocks.ordered(reader, cell.reads[i].tick, pipe)) continue;
    conflicts.push_back({reader, cell.reads[i], false, begin, cell.end});
  }
}

}  // namespace

void Shadow::clear() {
  if (cells_.empty()) return;
  const bool many = cells_.size() > kKeptCells;
  cells_.clear();
  last_ = cells_.end();
  if (many) pool_->release();
}

Shadow::Cells::iterator Shadow::split(std::uint64_t at) {
  auto after = cells_.lower_bound(at);
  if (after == cells_.begin()) return after;
  const auto before = std::prev(after);
  if (before->second.end <= at) return after;
  const Cell rest = before->second;
  before->second.end = at;
  return cells_.emplace_hint(after, at, rest);
}

Shadow::Cells::iterator Shadow::cut(std::uint64_t begin, std::uint64_t end) {
  const auto after = cells_.lower_bound(begin);
  const bool begins = after != cells_.end() && after->first == begin;
  if (begins && after->second.end == end) return after;
  const bool free_behind = after == cells_.end() || after->first >= end;
  if (free_behind && (after == cells_.begin() || std::prev(after)->second.end <= begin)) {
    return cells_.emplace_hint(after, begin, Cell{.end = end});
  }
  split(end);
  auto at = split(begin);
  for (std::uint64_t next = begin; next < end; next = at->second.end, ++at) {
    if (at != cells_.end() && at->first == next) continue;
    const std::uint64_t until = at == cells_.end() ? end : std::min(end, at->first);
    at = cells_.emplace_hint(at, next, Cell{.end = until});
  }
  return cells_.find(begin);
}

Shadow::Cells::iterator Shadow::around(std::uint64_t begin, std::uint64_t end) {
  if (last_ != cells_.end() && last_->second.end <= begin) ++last_;  // loops go upwards
  const auto has_all = [&](Cells::iterator cell) {
    return cell != cells_.end() && cell->first <= begin && end <= cell->second.end;
  };
  if (has_all(last_)) return last_;
  auto it = cells_.upper_bound(begin);
  if (it != cells_.begin()) --it;
  last_ = it;
  return has_all(it) ? it : cells_.end();
}

void Shadow::merge(Cells::iterator cell) {
  last_ = cell;
  if (cell == cells_.begin()) return;
  const auto before = std::prev(cell);
  if (before->second.end != cell->first || !before->second.has_history_of(cell->second)) return;
  before->second.end = cell->second.end;
  cells_.erase(cell);
  last_ = before;
}

void Shadow::read(std::uint64_t begin, std::uint64_t end, Pipe pipe, Mark mark,
                  const PipeClocks& clocks, std::vector<Conflict>& conflicts) {
  const auto same = around(begin, end);
  if (same != cells_.end() && same->second.reads[static_cast<std::size_t>(pipe)] == mark) return;
  for (auto it = cut(begin, end);; ++it) {
    against_write(it->first, it->second, pipe, clocks, conflicts);
    it->second.reads[static_cast<std::size_t>(pipe)] = mark;
    if (it->second.end == end) return merge(it);
  }
}

void Shadow::write(std::uint64_t begin, std::uint64_t end, Pipe pipe, Mark mark,
                   const PipeClocks& clocks, std::vector<Conflict>& conflicts) {
  const auto same = around(begin, end);
  if (same != cells_.end() && same->second.written && same->second.write == mark &&
      same->second.writer == pipe && same->second.reads == Cell{}.reads) {
    return;
  }
  const auto first = cut(begin, end);
  for (auto it = first;; ++it) {
    against_write(it->first, it->second, pipe, clocks, conflicts);
    against_reads(it->first, it->second, pipe, clocks, conflicts);
    if (it->second.end != end) continue;
    if (it != first) cells_.erase(std::next(first), std::next(it));
    break;
  }
  first->second = Cell{.end = end, .written = true, .writer = pipe, .write = mark};
  merge(first);
}

void Shadow::refer(std::uint64_t begin, std::uint64_t end, Mark mark, const PipeClocks& clocks,
                   std::vector<Conflict>& conflicts) {
  for (auto it = cut(begin, end); it != cells_.end() && it->first < end; ++it) {
    against_write(it->first, it->second, Pipe::s, clocks, conflicts);
    it->second.written = true;
    it->second.reads[static_cast<std::size_t>(Pipe::s)] = mark;
  }
}

std::uint64_t Shadow::unwritten(std::uint64_t begin, std::uint64_t end) {
  if (const auto all = around(begin, end); all != cells_.end() && all->second.written) return end;
  auto it = cells_.upper_bound(begin);
  if (it != cells_.begin()) --it;
  for (; begin < end; ++it) {
    if (it == cells_.end() || it->first > begin) return begin;
    if (it->second.end <= begin) continue;
    if (!it->second.written) return begin;
    begin = it->second.end;
  }
  return end;
}

std::uint64_t Shadow::written(std::uint64_t begin, std::uint64_t end) const {
  auto it = cells_.upper_bound(begin);
  if (it != cells_.begin()) --it;
  for (; it != cells_.end() && it->first < end; ++it) {
    if (it->second.written && it->second.end > begin) return std::max(begin, it->first);
  }
  return end;
}

std::uint64_t Shadow::unwritten_block(std::uint64_t begin, std::uint64_t end) {
  constexpr std::uint64_t kBlock = 32;
  for (std::uint64_t at = unwritten(begin, end); at != end; at = unwritten(at, end)) {
    const std::uint64_t block = std::max(begin, at / kBlock * kBlock);
    const std::uint64_t next = std::min(end, at / kBlock * kBlock + kBlock);
    auto it = cells_.upper_bound(block);
    if (it != cells_.begin()) --it;
    bool written = false;
    for (; it != cells_.end() && it->first < next; ++it)
      written |= it->second.written && it->second.end > block;
    if (!written) return block;
    at = next;
    if (at >= end) return end;
  }
  return end;
}

void Shadow::assume_values(std::uint64_t begin, std::uint64_t end) {
  for (auto it = cut(begin, end); it != cells_.end() && it->first < end; ++it)
    it->second.written = true;
}

void Shadow::forget_values(std::uint64_t begin, std::uint64_t end) {
  if (const auto at = cells_.find(begin); at != cells_.end() && at->second.end == end) {
    at->second.written = false;
    return;
  }
  split(end);
  for (auto it = split(begin); it != cells_.end() && it->first < end; ++it) {
    it->second.written = false;
  }
}

}  // namespace ascendc
