// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "runtime/order/op_info.h"
#include "runtime/order/vector_clock.h"

namespace order {

/// The last accesses to each byte: for every range the last write, and each actor's last read
/// since.
class Shadow {
 public:
  struct Touch {
    Epoch when;
    OpInfo op_info;
    AccessKind kind = AccessKind::plain;
    bool leaves_nothing = false;  // of a write: afterwards the bytes count as uninitialised
    /// In place: a touch that is made and copied at once is read back before it is stored.
    void set(Epoch moment, const OpInfo& by, bool leaves) noexcept {
      when = moment;
      op_info = by;
      kind = AccessKind::plain;
      leaves_nothing = leaves;
    }
  };
  /// An earlier touch that is not ordered before the new one.
  struct Conflict {
    Touch earlier;
    bool earlier_wrote;
    Access bytes;  // that both touch
  };

  /// Records an access at `when` by an actor with the clock `known`. Conflicts are appended, at
  /// most one for each pair of operations in this call.
  void touch(const Access& access, Epoch when, const VectorClock& known, const OpInfo& op_info,
             std::vector<Conflict>& conflicts);
  /// The same for a range that is accessed again as a whole, after all its earlier accesses; else
  /// false, and nothing is recorded.
  [[gnu::always_inline]] bool touch_again(const Access& access, Epoch when,
                                          const VectorClock& known, const OpInfo& op_info) {
    Cells::value_type* const same = remembered(access.begin);
    if (!same || access.kind != AccessKind::plain) return false;
    Cell& cell = same->second;
    const bool whole = cell.end == access.begin + access.size;
    if (!whole || !is_before(cell, access, when.actor, known)) return false;
    update_cell(cell, access, when, op_info);
    return true;
  }
  /// Appends the conflicts that `touch` would; nothing is recorded.
  void look(const Access& access, const VectorClock& known, std::vector<Conflict>& conflicts) const;
  /// True when each byte of the range was written.
  bool written(std::uintptr_t begin, std::size_t size) const;
  /// Calls `visit` for the last write and the last reads of each piece of the range, the write
  /// first.
  using Visit = std::function<void(const Touch&, const Access& bytes)>;
  void visit(std::uintptr_t begin, std::size_t size, const Visit& visit) const;
  /// Forgets the range.
  void erase(std::uintptr_t begin, std::size_t size);
  std::size_t size() const noexcept { return cells_.size(); }

 private:
  struct Cell {
    std::uintptr_t end = 0;
    Touch write;  // count 0: never
    std::vector<Touch> reads;  // and reductions that are not ordered before the write
  };
  using Cells = std::map<std::uintptr_t, Cell>;

  /// True when no access in the cell conflicts with the new one: all are the actor's own, or
  /// covered.
  static bool is_before(const Cell& cell, const Access& access, Actor actor,
                        const VectorClock& known) {
    const auto later = [&](const Touch& touch) {
      return touch.when.actor != actor && !known.covers(touch.when);
    };
    if (later(cell.write)) return false;
    for (const Touch& read : cell.reads) {
      const bool matters = access.write || read.kind == AccessKind::reduction;
      if (matters && later(read)) return false;
    }
    return true;
  }
  /// A plain access to all of the cell.
  static void update_cell(Cell& cell, const Access& access, Epoch when, const OpInfo& op_info) {
    if (!access.write) return read_of(cell.reads, when.actor).set(when, op_info, false);
    cell.write.set(when, op_info, access.frees || access.hands_out);
    cell.reads.clear();
  }
  /// Where the actor's next read is recorded.
  static Touch& read_of(std::vector<Touch>& reads, Actor actor) {
    for (Touch& read : reads) {
      if (read.when.actor == actor && read.kind != AccessKind::reduction) return read;
    }
    return reads.emplace_back();
  }
  Cells::iterator split(std::uintptr_t at);
  void write_over(const Access& access, const Touch& touch, const VectorClock& known,
                  std::vector<Conflict>& conflicts);
  void read_over(const Access& access, const Touch& touch, const VectorClock& known,
                 std::vector<Conflict>& conflicts);
  void reduce_over(const Access& access, const Touch& touch, const VectorClock& known);
  static void add_reduction(Cell& cell, const Touch& touch, const VectorClock& known);
  template <class Do>
  void for_pieces(const Access& range, Do&& each);
  Cells::const_iterator first_at(std::uintptr_t begin) const;
  static void conflicts_of(const Cells::value_type& cell, const Access& access,
                           const VectorClock& known, std::vector<Conflict>& conflicts);

  /// A cache of cells by their begin. A slot may be empty or hold another cell.
  Cells::value_type* remembered(std::uintptr_t begin) const noexcept {
    if (slots_.empty()) return nullptr;
    Cells::value_type* const cell = slots_[slot(begin)];
    return cell && cell->first == begin ? cell : nullptr;
  }
  void remember(Cells::value_type& cell);
  Cells::iterator remove(Cells::iterator cell);
  /// The high bits of a product depend on all bits of the address.
  std::size_t slot(std::uintptr_t begin) const noexcept {
    return (begin * 0x9e3779b97f4a7c15U) >> (64 - slot_bits_);
  }

  Cells cells_;
  std::vector<Cells::value_type*> slots_;
  int slot_bits_ = 0;
};

}  // namespace order
