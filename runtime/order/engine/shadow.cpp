// SPDX-License-Identifier: Apache-2.0
#include "runtime/order/engine/shadow.h"

#include <algorithm>
#include <iterator>

namespace order {
namespace {

bool same_place(const OpInfo& a, const OpInfo& b) {
  return a.site == b.site && a.what == b.what && a.stream == b.stream;
}

void add(std::vector<Shadow::Conflict>& conflicts, const Shadow::Conflict& found) {
  const Shadow::Touch& earlier = found.earlier;
  for (Shadow::Conflict& known : conflicts) {
    if (known.earlier.write == earlier.write &&
        same_place(known.earlier.op_info, earlier.op_info)) {
      if (known.earlier.when.actor == earlier.when.actor &&
          known.earlier.when.count < earlier.when.count && known.ordered == found.ordered) {
        known = found;
      }
      return;
    }
  }
  conflicts.push_back(found);
}

/// The two may not happen at the same time.
bool clash(const Access& access, const Shadow::Touch& earlier) {
  if (!access.write && !earlier.write) return false;
  const bool ends = access.frees || access.hands_out;
  if (ends || earlier.leaves != Shadow::Leaves::content) return true;
  const AccessKind kind = access.kind, other = earlier.kind;
  if (kind == AccessKind::reduction && other == AccessKind::reduction) {
    const bool known = access.reduction != 0 && earlier.reduction != 0;
    return known && access.reduction != earlier.reduction;
  }
  if (kind != AccessKind::atomic && other != AccessKind::atomic) return true;
  return access.write && earlier.write && kind != other;  // else a word that is polled or set
}

/// As an earlier access both conflict with the same later ones.
bool same_kind(const Shadow::Touch& touch, const Access& access) {
  return touch.kind == access.kind && touch.write == access.write &&
         touch.reduction == access.reduction;
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
  Access bytes = access;
  bytes.begin = begin;
  bytes.size = end - begin;
  const auto look = [&](const Touch& earlier) {
    const bool ordered = known.covers(earlier.when);
    const bool conflict =
        ordered ? earlier.leaves == Leaves::freed && !access.hands_out : clash(access, earlier);
    if (conflict) add(conflicts, {earlier, bytes, ordered});
  };
  if (cell.second.write.when.count != 0) look(cell.second.write);
  for (const Touch& touch : cell.second.since) look(touch);
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

Shadow::Cells::value_type* Shadow::cell_at(std::uintptr_t begin) {
  if (Cells::value_type* const same = remembered(begin)) return same;
  const auto found = cells_.find(begin);
  if (found == cells_.end()) return nullptr;
  remember(*found);
  return &*found;
}

void Shadow::touch(const Access& access, Epoch when, const VectorClock& known,
                   const OpInfo& op_info, std::vector<Conflict>& conflicts) {
  if (access.size == 0) return;
  const std::size_t before = conflicts.size();
  Cells::value_type* const cell = cell_at(access.begin);
  const bool whole = cell && cell->second.end == access.begin + access.size;
  if (whole) {
    conflicts_of(*cell, access, known, conflicts);
  } else {
    look(access, known, conflicts);
  }
  Access made = access;
  // If another operation races with the allocation, that race is the finding: later accesses do not
  // report a use of freed or unwritten bytes too.
  if (access.hands_out && conflicts.size() != before) made.hands_out = made.frees = false;
  if (whole) return record(cell->second, made, when, known, op_info);
  if (!ends_all(made, known)) {
    return for_pieces(made, [&](Cell& piece) { record(piece, made, when, known, op_info); });
  }
  const Epoch content = op_info.declared ? Epoch{} : content_of(made, when);
  erase(made.begin, made.size);
  Cell& fresh = cells_.emplace(made.begin, Cell(made.begin + made.size)).first->second;
  plain_access(fresh, made, when, op_info);
  fresh.write.content = content;
}

Epoch Shadow::content_of(const Cell& cell, Epoch when) noexcept {
  const Touch& write = cell.write;
  if (write.when.count != 0 && write.leaves == Leaves::content) {
    return write.op_info.declared ? write.when : write.content;
  }
  for (const Touch& touch : cell.since) {
    if (touch.write) return touch.when;
  }
  return when;
}

// The content of the first cell that has any: the access may touch only that cell.
Epoch Shadow::content_of(const Access& range, Epoch when) const {
  const std::uintptr_t end = range.begin + range.size;
  for (auto at = first_at(range.begin); at != cells_.end() && at->first < end; ++at) {
    if (has_content(at->second)) return content_of(at->second, when);
  }
  return when;
}

// A wait that does not happen before a plain write of its word may still be under way after it.
bool Shadow::outlasts_write(const Touch& touch, const VectorClock& known) {
  return touch.kind == AccessKind::atomic && !touch.write && !known.covers(touch.when);
}

bool Shadow::ends_all(const Access& access, const VectorClock& known) const {
  if (access.kind != AccessKind::plain || !access.write) return false;
  const std::uintptr_t end = access.begin + access.size;
  for (auto at = first_at(access.begin); at != cells_.end() && at->first < end; ++at) {
    for (const Touch& touch : at->second.since) {
      if (outlasts_write(touch, known)) return false;
    }
  }
  return true;
}

// The last access of one kind and actor conflicts with everything that the actor's earlier ones of
// that kind conflict with. The same holds for accesses of that kind that it is ordered after.
void Shadow::record(Cell& cell, const Access& access, Epoch when, const VectorClock& known,
                    const OpInfo& op_info) {
  if (access.kind != AccessKind::plain) {
    std::erase_if(cell.since, [&](const Touch& earlier) {
      const bool before = earlier.when.actor == when.actor || known.covers(earlier.when);
      return before && same_kind(earlier, access);
    });
    cell.since.push_back(
        {when, op_info, access.kind, access.write, Leaves::content, access.reduction, {}});
    return;
  }
  std::vector<Touch> waits;
  if (access.write) {
    std::copy_if(cell.since.begin(), cell.since.end(), std::back_inserter(waits),
                 [&](const Touch& touch) { return outlasts_write(touch, known); });
  }
  plain_access(cell, access, when, op_info);
  if (!waits.empty()) cell.since = std::move(waits);
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
      at = cells_.emplace_hint(at, next, Cell(hole_end));
    }
    each(at->second);
    next = at->second.end;
  }
}

void Shadow::look(const Access& access, const VectorClock& known,
                  std::vector<Conflict>& conflicts) const {
  const std::uintptr_t end = access.begin + access.size;
  for (auto at = first_at(access.begin); at != cells_.end() && at->first < end; ++at) {
    conflicts_of(*at, access, known, conflicts);
  }
}

bool Shadow::has_content(const Cell& cell) {
  const bool plainly = cell.write.when.count != 0 && cell.write.leaves == Leaves::content;
  return plainly || std::any_of(cell.since.begin(), cell.since.end(),
                                [](const Touch& touch) { return touch.write; });
}

bool Shadow::written(std::uintptr_t begin, std::size_t size) const {
  const std::uintptr_t end = begin + size;
  for (auto at = first_at(begin); begin < end; ++at) {
    if (at == cells_.end() || at->first > begin || !has_content(at->second)) return false;
    begin = at->second.end;
  }
  return true;
}

void Shadow::visit(std::uintptr_t begin, std::size_t size, const Visit& visit) const {
  const std::uintptr_t end = begin + size;
  for (auto at = first_at(begin); at != cells_.end() && at->first < end; ++at) {
    const std::uintptr_t from = std::max(begin, at->first);
    const std::size_t bytes = std::min(end, at->second.end) - from;
    const Touch& write = at->second.write;
    if (write.when.count != 0) visit(write, write.access(from, bytes));
    for (const Touch& touch : at->second.since) visit(touch, touch.access(from, bytes));
  }
}

void Shadow::erase(std::uintptr_t begin, std::size_t size) {
  const auto end = split(begin + size);
  for (auto at = split(begin); at != end;) at = remove(at);
}

}  // namespace order
