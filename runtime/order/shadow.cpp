// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/shadow.h"

#include <algorithm>

namespace order {
namespace {

bool same_place(const OpInfo& a, const OpInfo& b) {
  return a.site == b.site && a.what == b.what && a.stream == b.stream;
}

void add(std::vector<Shadow::Conflict>& conflicts, const Shadow::Touch& earlier, bool wrote,
         const Access& bytes) {
  for (const Shadow::Conflict& known : conflicts) {
    if (known.earlier_wrote == wrote && same_place(known.earlier.op_info, earlier.op_info)) return;
  }
  conflicts.push_back({earlier, wrote, bytes});
}

bool wrote(const Shadow::Touch& touch, bool as_write) {
  return as_write || touch.kind == AccessKind::reduction;
}

/// The two may not happen at the same time.
bool clash(const Access& access, const Shadow::Touch& earlier, bool earlier_wrote) {
  if (!access.write && !earlier_wrote) return false;
  if (access.frees) return true;
  const AccessKind other = earlier.kind;
  if (access.kind == AccessKind::reduction && other == AccessKind::reduction) return false;
  const bool words = access.kind == AccessKind::atomic && other == AccessKind::atomic;
  const bool some_word = access.kind == AccessKind::atomic || other == AccessKind::atomic;
  return !some_word || (access.write && earlier_wrote && !words);
}

}  // namespace

// Makes a cell border at `at`; returns the first cell that begins there or later.
Shadow::Cells::iterator Shadow::split(std::uintptr_t at) {
  const auto after = cells_.lower_bound(at);
  if (after == cells_.begin() || (after != cells_.end() && after->first == at)) return after;
  const auto before = std::prev(after);
  if (before->second.end <= at) return after;
  Cell tail = before->second;
  before->second.end = at;
  return cells_.emplace_hint(after, at, std::move(tail));
}

Shadow::Cells::const_iterator Shadow::first_at(std::uintptr_t begin) const {
  auto at = cells_.upper_bound(begin);
  if (at != cells_.begin() && std::prev(at)->second.end > begin) --at;
  return at;
}

void Shadow::conflicts_of(const Cells::value_type& cell, const Access& access,
                          const VectorClock& known, std::vector<Conflict>& conflicts) {
  const std::uintptr_t begin = std::max(cell.first, access.begin);
  const std::uintptr_t end = std::min(cell.second.end, access.begin + access.size);
  const Access bytes{begin, end - begin, access.write, access.host};
  const auto look = [&](const Touch& earlier, bool earlier_wrote) {
    if (known.covers(earlier.when) || !clash(access, earlier, earlier_wrote)) return;
    add(conflicts, earlier, earlier_wrote, bytes);
  };
  if (cell.second.write.when.count != 0) look(cell.second.write, true);
  for (const Touch& read : cell.second.reads) look(read, wrote(read, false));
}

// Two to four slots a cell.
void Shadow::remember(Cells::value_type& cell) {
  if (slots_.size() < 2 * cells_.size()) {
    slot_bits_ = slots_.empty() ? 6 : slot_bits_ + 1;
    slots_.assign(std::size_t{1} << slot_bits_, nullptr);
  }
  slots_[slot(cell.first)] = &cell;
}

Shadow::Cells::iterator Shadow::remove(Cells::iterator cell) {
  if (remembered(cell->first)) slots_[slot(cell->first)] = nullptr;
  return cells_.erase(cell);
}

void Shadow::touch(const Access& access, Epoch when, const VectorClock& known,
                   const OpInfo& op_info, std::vector<Conflict>& conflicts) {
  if (access.size == 0) return;
  Cells::value_type* same = remembered(access.begin);
  if (!same) {
    const auto found = cells_.find(access.begin);
    if (found != cells_.end()) remember(*(same = &*found));
  }
  const bool whole = same && same->second.end == access.begin + access.size;
  if (!whole || access.kind != AccessKind::plain) {
    const Touch touch{when, op_info, access.kind, access.frees || access.hands_out};
    return access.write ? write_over(access, touch, known, conflicts)
                        : read_over(access, touch, known, conflicts);
  }
  conflicts_of(*same, access, known, conflicts);
  update_cell(same->second, access, when, op_info);
}

// Reductions that are not ordered all count: who comes later has to be ordered after each of them.
void Shadow::add_reduction(Cell& cell, const Touch& touch, const VectorClock& known) {
  std::erase_if(cell.reads, [&](const Touch& earlier) { return known.covers(earlier.when); });
  if (cell.write.kind == AccessKind::reduction && !known.covers(cell.write.when)) {
    cell.reads.push_back(cell.write);
  }
  cell.write = touch;
}

void Shadow::write_over(const Access& access, const Touch& touch, const VectorClock& known,
                        std::vector<Conflict>& conflicts) {
  look(access, known, conflicts);
  if (access.kind == AccessKind::reduction) return reduce_over(access, touch, known);
  erase(access.begin, access.size);
  cells_.emplace(access.begin, Cell{access.begin + access.size, touch, {}});
}

// Makes the range consist of whole cells.
template <class Do>
void Shadow::for_pieces(const Access& range, Do&& each) {
  const std::uintptr_t end = range.begin + range.size;
  split(end);
  auto at = split(range.begin);
  for (std::uintptr_t next = range.begin; next < end; ++at) {
    if (at == cells_.end() || at->first > next) {
      const std::uintptr_t hole_end = at == cells_.end() ? end : std::min(end, at->first);
      at = cells_.emplace_hint(at, next, Cell{hole_end, {}, {}});
    }
    each(at->second);
    next = at->second.end;
  }
}

void Shadow::reduce_over(const Access& access, const Touch& touch, const VectorClock& known) {
  for_pieces(access, [&](Cell& cell) { add_reduction(cell, touch, known); });
}

void Shadow::read_over(const Access& access, const Touch& touch, const VectorClock& known,
                       std::vector<Conflict>& conflicts) {
  look(access, known, conflicts);
  for_pieces(access, [&](Cell& cell) { read_of(cell.reads, touch.when.actor) = touch; });
}

void Shadow::look(const Access& access, const VectorClock& known,
                  std::vector<Conflict>& conflicts) const {
  const std::uintptr_t end = access.begin + access.size;
  for (auto at = first_at(access.begin); at != cells_.end() && at->first < end; ++at) {
    conflicts_of(*at, access, known, conflicts);
  }
}

bool Shadow::written(std::uintptr_t begin, std::size_t size) const {
  const std::uintptr_t end = begin + size;
  for (auto at = first_at(begin); begin < end; ++at) {
    if (at == cells_.end() || at->first > begin) return false;
    const Touch& write = at->second.write;
    if (write.when.count == 0 || write.leaves_nothing) return false;
    begin = at->second.end;
  }
  return true;
}

void Shadow::visit(std::uintptr_t begin, std::size_t size, const Visit& visit) const {
  const std::uintptr_t end = begin + size;
  for (auto at = first_at(begin); at != cells_.end() && at->first < end; ++at) {
    const std::uintptr_t from = std::max(begin, at->first);
    const std::size_t bytes = std::min(end, at->second.end) - from;
    if (at->second.write.when.count != 0) visit(at->second.write, {from, bytes, true});
    for (const Touch& read : at->second.reads) visit(read, {from, bytes, wrote(read, false)});
  }
}

void Shadow::erase(std::uintptr_t begin, std::size_t size) {
  const auto end = split(begin + size);
  for (auto at = split(begin); at != end;) at = remove(at);
}

}  // namespace order
