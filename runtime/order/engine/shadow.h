// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "runtime/order/engine/op_info.h"
#include "runtime/order/engine/vector_clock.h"

namespace order {

/// The accesses to each byte that a later access may conflict with: for every range the last plain
/// write, and since then the last read, reduction and access to a word of each actor.
///
/// Only a plain write replaces the earlier accesses: an access that conflicts with one of them
/// conflicts with the write too, and is ordered after them if it is ordered after the write. No
/// other kind has this property. Two reductions do not conflict, so a reduction does not replace
/// the write before it. A wait for a word conflicts only with the end of the word (a free), so even
/// a plain write replaces only the waits that are ordered before it.
class Shadow {
 public:
  /// The state of the bytes after a plain write.
  enum class Leaves : std::uint8_t { content, freed, handed_out };
  struct Touch {
    Epoch when;
    OpInfo op_info;
    AccessKind kind = AccessKind::plain;
    bool write = false;
    Leaves leaves = Leaves::content;
    std::uint16_t reduction = 0;
    /// For a write that is a guess: the last earlier write that is certain, or else the first guess
    /// after which the bytes hold anything.
    Epoch content;
    /// Changes the touch in place: a new touch that is copied at once would be read back before it
    /// is stored. It remains a plain write or a plain read.
    void set(Epoch moment, const OpInfo& by) noexcept {
      when = moment;
      op_info = by;
    }
    /// The bytes as it accessed them.
    Access access(std::uintptr_t begin, std::size_t size) const noexcept {
      return {begin, size, write, false, false, kind, false, reduction};
    }
  };
  /// An earlier touch that is not ordered before the new one; or that is, and freed the bytes.
  struct Conflict {
    Touch earlier;
    Access bytes;  // that both touch
    bool ordered = false;
    std::size_t access = 0;  // the index of the new access; the caller sets it
    bool stuck = false;      // nothing issued so far lets the earlier operation run; the same
  };

  /// Records an access at `when` by an actor with the clock `known`. Conflicts are appended, at
  /// most one for each pair of operations in this call: the last one of an actor.
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
    plain_access(cell, access, when, op_info);
    return true;
  }
  /// Appends the conflicts that `touch` would; nothing is recorded.
  void look(const Access& access, const VectorClock& known, std::vector<Conflict>& conflicts) const;
  /// True when each byte of the range was written.
  bool written(std::uintptr_t begin, std::size_t size) const;
  /// Calls `visit` for all that is kept of each piece of the range: the plain write first, the
  /// others in the order in which they were recorded.
  using Visit = std::function<void(const Touch&, const Access& bytes)>;
  void visit(std::uintptr_t begin, std::size_t size, const Visit& visit) const;
  /// Forgets the range.
  void erase(std::uintptr_t begin, std::size_t size);
  std::size_t size() const noexcept { return cells_.size(); }

 private:
  struct Cell {
    std::uintptr_t end = 0;
    Touch write;  // the last plain one; count 0: never
    std::vector<Touch> since;

    Cell() noexcept { write.write = true; }
    explicit Cell(std::uintptr_t cell_end) noexcept : Cell() { end = cell_end; }
  };
  using Cells = std::map<std::uintptr_t, Cell>;

  /// True when no access in the cell conflicts with the new plain one: all are the actor's own, or
  /// covered, and the bytes are not freed.
  static bool is_before(const Cell& cell, const Access& access, Actor actor,
                        const VectorClock& known) {
    const auto later = [&](const Touch& touch) {
      return touch.when.actor != actor && !known.covers(touch.when);
    };
    if (later(cell.write)) return false;
    if (cell.write.leaves == Leaves::freed && !access.hands_out) return false;
    for (const Touch& touch : cell.since) {
      const bool matters = access.write || touch.kind == AccessKind::reduction;
      if (matters && later(touch)) return false;
    }
    return true;
  }
  /// A plain access to all of the cell.
  static void plain_access(Cell& cell, const Access& access, Epoch when, const OpInfo& op_info) {
    if (!access.write) return read_of(cell.since, when.actor).set(when, op_info);
    if (!op_info.declared) [[unlikely]]
      cell.write.content = content_of(cell, when);
    cell.write.set(when, op_info);
    cell.write.leaves = leaves(access);
    cell.since.clear();
  }
  /// Which write the bytes hold for sure, before one at `when` that is a guess.
  static Epoch content_of(const Cell& cell, Epoch when) noexcept;
  Epoch content_of(const Access& range, Epoch when) const;
  static Leaves leaves(const Access& access) noexcept {
    return access.hands_out ? Leaves::handed_out : access.frees ? Leaves::freed : Leaves::content;
  }
  /// The element that records the actor's next plain read.
  static Touch& read_of(std::vector<Touch>& since, Actor actor) {
    for (Touch& touch : since) {
      if (touch.when.actor == actor && touch.kind == AccessKind::plain) return touch;
    }
    return since.emplace_back();
  }
  /// Any access to all of the cell.
  static void record(Cell& cell, const Access& access, Epoch when, const VectorClock& known,
                     const OpInfo& op_info);
  static bool has_content(const Cell& cell);
  static bool outlasts_write(const Touch& touch, const VectorClock& known);
  /// True for a plain write that replaces all earlier accesses.
  bool ends_all(const Access& access, const VectorClock& known) const;
  Cells::value_type* cell_at(std::uintptr_t begin);
  Cells::iterator split(std::uintptr_t at);
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
