// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/launch/global_writes.h"

#include <algorithm>
#include <cstring>

#include "device_sim/base/mutex.h"
#include "runtime/ascendc/launch/block.h"

namespace ascendc {
namespace {

/// The first cell that ends behind `begin`.
template <class Cells>
auto first_from(Cells& cells, std::uint64_t begin) {
  const auto it = cells.upper_bound(begin);
  return it != cells.begin() && std::prev(it)->second.end > begin ? std::prev(it) : it;
}

}  // namespace

void GlobalWrites::write(const Block& block, const GlobalWrite& write) {
  const std::uint64_t begin = write.begin, end = begin + write.bytes;
  sim::UniqueLock lock(mutex_);
  const auto it = first_from(cells_, begin);
  if (it != cells_.end() && it->first < end) {
    // Values are compared, so the writes of other blocks must be complete. Cells may change
    // meanwhile.
    ++waiting_;
    settled_.wait(lock, [this]() REQUIRES(mutex_) { return given_up_ || under_way_ == 0; });
    --waiting_;
    add_write_conflicts(block, write);
  }
  if (!reads_.empty()) add_read_conflicts(block, write);
  const bool flag = may_be_flag(write);
  put(begin, {end, block.unit, write.pipe, write.atomic, flag, write.tick, block.tells, block.time,
              block.seen, write.site, block.told});
  if (flag) {
    if (begin < first_word_) first_word_ = begin;
    if (end > last_word_) last_word_ = end;
  }
  if (write.from) ++under_way_;
}

void GlobalWrites::add_write_conflicts(const Block& block, const GlobalWrite& write) {
  const std::uint64_t begin = write.begin, end = begin + write.bytes;
  for (auto it = first_from(cells_, begin); it != cells_.end() && it->first < end; ++it) {
    const Cell& cell = it->second;
    if (cell.atomic && write.atomic) continue;
    if (block.has_seen(write.seen, cell.unit, cell.pipe, cell.tick)) continue;
    if (!told_.insert({cell.site, write.site, false}).second) continue;
    const std::uint64_t first = std::max(begin, it->first);
    const std::uint64_t last = std::min(end, cell.end);
    const auto* const now = reinterpret_cast<const void*>(first);
    const bool differ =
        !write.same && (write.atomic || cell.atomic || !write.from ||
                        std::memcmp(now, static_cast<const char*>(write.from) + (first - begin),
                                    last - first) != 0);
    conflicts_.push_back(
        {first, last, cell.unit, block.unit, cell.site, write.site, false, differ});
    if (!differ) told_.erase({cell.site, write.site, false});  // others at this place may
  }
}

void GlobalWrites::add_read_conflicts(const Block& block, const GlobalWrite& write) {
  const std::uint64_t begin = write.begin, end = begin + write.bytes;
  const void* const site = write.site;
  for (auto it = first_from(reads_, begin); it != reads_.end() && it->first < end; ++it) {
    for (const Reader& reader : it->second.readers) {
      if (block.has_seen(write.seen, reader.unit, reader.pipe, reader.tick)) continue;
      if (!told_.insert({site, reader.site, true}).second) continue;
      conflicts_.push_back({std::max(begin, it->first), std::min(end, it->second.end), block.unit,
                            reader.unit, site, reader.site, true, true});
    }
  }
}

void GlobalWrites::written() {
  if (--under_way_ != 0 || waiting_ == 0) return;
  const sim::LockGuard guard(mutex_);
  settled_.notify_all();
}

void GlobalWrites::give_up() {
  const sim::LockGuard guard(mutex_);
  given_up_ = true;
  settled_.notify_all();
}

// Contiguous writes of a block without a notification in between share a cell.
void GlobalWrites::put(std::uint64_t begin, const Cell& cell) {
  auto it = cells_.lower_bound(begin);
  if (it != cells_.begin() && std::prev(it)->second.end > begin) {
    const auto before = std::prev(it);
    if (before->second.end > cell.end) {
      it = cells_.emplace_hint(it, cell.end, before->second);
    }
    before->second.end = begin;
  }
  while (it != cells_.end() && it->first < cell.end) {
    if (it->second.end > cell.end) {
      cells_.emplace(cell.end, it->second);
    }
    it = cells_.erase(it);
  }
  if (it != cells_.begin()) {
    Cell& before = std::prev(it)->second;
    if (before.end == begin && before.unit == cell.unit && before.pipe == cell.pipe &&
        before.tells == cell.tells && before.seen == cell.seen && before.site == cell.site &&
        before.atomic == cell.atomic && before.may_be_flag == cell.may_be_flag) {
      before.end = cell.end;
      before.time = cell.time;
      before.over = cell.over;
      return;
    }
  }
  cells_.emplace(begin, cell);
}

void GlobalWrites::read(const Block& block, const std::vector<Read>& reads) {
  const sim::LockGuard guard(mutex_);
  for (const Read& read : reads) {
    for (auto it = first_from(cells_, read.begin); it != cells_.end() && it->first < read.end;
         ++it) {
      const Cell& cell = it->second;
      if (block.has_seen(cell.unit, cell.pipe, cell.tick)) continue;
      if (!told_.insert({cell.site, read.site, true}).second) continue;
      conflicts_.push_back({std::max(it->first, read.begin), std::min(cell.end, read.end),
                            cell.unit, block.unit, cell.site, read.site, true, true});
    }
    put_read(block, read);
  }
}

std::map<std::uint64_t, GlobalWrites::ReadCell>::iterator GlobalWrites::split_reads(
    std::uint64_t at) {
  const auto after = reads_.lower_bound(at);
  if (after == reads_.begin()) return after;
  const auto before = std::prev(after);
  if (before->second.end <= at) return after;
  ReadCell rest = before->second;
  before->second.end = at;
  return reads_.emplace_hint(after, at, std::move(rest));
}

void GlobalWrites::put_read(const Block& block, const Read& read) {
  const Reader now{block.unit, read.pipe, read.tick, read.site};
  split_reads(read.end);
  auto it = split_reads(read.begin);
  for (std::uint64_t next = read.begin; next < read.end; next = it->second.end, ++it) {
    if (it == reads_.end() || it->first != next) {
      const std::uint64_t until = it == reads_.end() ? read.end : std::min(read.end, it->first);
      it = reads_.emplace_hint(it, next, ReadCell{until, {}});
    }
    std::vector<Reader>& readers = it->second.readers;
    const auto known = std::find_if(readers.begin(), readers.end(), [&](const Reader& one) {
      return one.unit == now.unit && one.pipe == now.pipe;
    });
    if (known == readers.end()) {
      readers.push_back(now);
    } else {
      *known = now;
    }
  }
}

std::optional<GlobalWrites::Cell> GlobalWrites::word(const Block& block, std::uint64_t begin,
                                                     std::uint64_t bytes) {
  if (begin >= last_word_ || begin + bytes <= first_word_) return std::nullopt;
  const sim::LockGuard guard(mutex_);
  const auto it = first_from(cells_, begin);
  if (it == cells_.end() || it->first >= begin + bytes) return std::nullopt;
  const Cell& cell = it->second;
  if (!cell.may_be_flag || block.knows(cell.unit, cell.time)) return std::nullopt;
  return cell;
}

}  // namespace ascendc
