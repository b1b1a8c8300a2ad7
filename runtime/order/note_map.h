// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <type_traits>
#include <utility>
#include <vector>

namespace order {

/// Names an item that ends only when the machine says so: a callback, a wait for a number.
using NoteId = std::uint32_t;

/// What is kept by note. Notes are given out one after the other, so their low bits spread them
/// evenly; what ended last makes room for what comes next. References stay valid until `erase`.
template <class T>
class NoteMap {
 public:
  T* find(NoteId note) noexcept {
    return const_cast<T*>(std::as_const(*this).find(note));
  }
  const T* find(NoteId note) const noexcept {
    if (heads_.empty()) return nullptr;
    for (std::uint32_t at = heads_[slot(note)]; at != kNone; at = nodes_[at].next) {
      if (nodes_[at].note == note) return &nodes_[at].value;
    }
    return nullptr;
  }

  /// The note has nothing yet. The value is as T{} made it.
  T& add(NoteId note) {
    if (size_ == heads_.size()) spread();
    if (unused_ == kNone) {
      unused_ = static_cast<std::uint32_t>(nodes_.size());
      nodes_.emplace_back();
    }
    const std::uint32_t at = unused_;
    Node& node = nodes_[at];
    unused_ = node.next;
    if constexpr (!kHolds) node.value = T{};
    node.note = note;
    node.next = std::exchange(heads_[slot(note)], at);
    ++size_;
    return node.value;
  }
  T& add(NoteId note, T value) { return add(note) = std::move(value); }

  void erase(NoteId note) {
    if (heads_.empty()) return;
    for (std::uint32_t* link = &heads_[slot(note)]; *link != kNone; link = &nodes_[*link].next) {
      if (nodes_[*link].note != note) continue;
      const std::uint32_t at = *link;
      *link = nodes_[at].next;
      if constexpr (kHolds) nodes_[at].value = T{};
      nodes_[at].next = std::exchange(unused_, at);
      --size_;
      return;
    }
  }

  /// Calls `visit(note, value)`, which changes nothing here, until it returns true; true if it did.
  template <class Visit>
  bool any(Visit&& visit) const {
    if (size_ == 0) return false;
    for (const std::uint32_t head : heads_) {
      for (std::uint32_t at = head; at != kNone; at = nodes_[at].next) {
        if (visit(nodes_[at].note, nodes_[at].value)) return true;
      }
    }
    return false;
  }

  std::size_t size() const noexcept { return size_; }

 private:
  // What an ended value holds is let go at once.
  static constexpr bool kHolds = !std::is_trivially_destructible_v<T>;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Node {
    NoteId note = 0;
    std::uint32_t next = kNone;
    T value{};
  };

  std::size_t slot(NoteId note) const noexcept { return note & (heads_.size() - 1); }

  void spread() {
    std::vector<std::uint32_t> old(heads_.empty() ? 16 : 2 * heads_.size(), kNone);
    heads_.swap(old);
    for (const std::uint32_t head : old) {
      for (std::uint32_t at = head; at != kNone;) {
        const std::uint32_t next = nodes_[at].next;
        nodes_[at].next = std::exchange(heads_[slot(nodes_[at].note)], at);
        at = next;
      }
    }
  }

  std::vector<std::uint32_t> heads_;  // a power of two of them
  std::deque<Node> nodes_;
  std::uint32_t unused_ = kNone;
  std::size_t size_ = 0;
};

}  // namespace order
