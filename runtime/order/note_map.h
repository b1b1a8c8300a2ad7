// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace order {

/// Names an item that ends only when the machine says so: a callback, a wait for a number.
using NoteId = std::uint32_t;

/// What is kept by note. Notes are given out one after the other, so their low bits spread them
/// evenly; what ended last makes room for what comes next. References stay valid until `erase`.
/// A T with `renew()` is made as new by that, with the room that it has; else by T{}.
template <class T>
class NoteMap {
 public:
  T* find(NoteId note) noexcept {
    return const_cast<T*>(std::as_const(*this).find(note));
  }
  const T* find(NoteId note) const noexcept {
    if (heads_.empty()) return nullptr;
    for (std::uint32_t at = heads_[slot(note)]; at != kNone; at = node(at).next) {
      if (node(at).note == note) return &node(at).value;
    }
    return nullptr;
  }

  /// The note has nothing yet. The value is as T{} made it.
  T& add(NoteId note) {
    if (size_ == heads_.size()) spread();
    if (unused_ == kNone) make_nodes();
    const std::uint32_t at = unused_;
    Node& made = node(at);
    unused_ = made.next;
    if constexpr (!kHolds) made.value = T{};
    made.note = note;
    made.next = std::exchange(heads_[slot(note)], at);
    ++size_;
    return made.value;
  }
  T& add(NoteId note, T value) { return add(note) = std::move(value); }

  void erase(NoteId note) {
    if (heads_.empty()) return;
    for (std::uint32_t* link = &heads_[slot(note)]; *link != kNone; link = &node(*link).next) {
      Node& found = node(*link);
      if (found.note != note) continue;
      const std::uint32_t at = std::exchange(*link, found.next);
      if constexpr (requires { found.value.renew(); }) {
        found.value.renew();
      } else if constexpr (kHolds) {
        found.value = T{};
      }
      found.note = 0;
      found.next = std::exchange(unused_, at);
      --size_;
      return;
    }
  }

  /// Calls `visit(note, value)`, which adds and erases nothing here, until it returns true; true if
  /// it did.
  template <class Visit>
  bool any(Visit&& visit) {
    return std::as_const(*this).any(
        [&](NoteId note, const T& value) { return visit(note, const_cast<T&>(value)); });
  }
  template <class Visit>
  bool any(Visit&& visit) const {
    if (size_ == 0) return false;
    for (const std::uint32_t head : heads_) {
      for (std::uint32_t at = head; at != kNone; at = node(at).next) {
        if (visit(node(at).note, node(at).value)) return true;
      }
    }
    return false;
  }

  /// The note of a value that stands here, or stood here once; 0: that has ended.
  static NoteId note_of(const T& value) noexcept {
    const auto* const at = reinterpret_cast<const char*>(&value) - offsetof(Node, value);
    return reinterpret_cast<const Node*>(at)->note;
  }

  std::size_t size() const noexcept { return size_; }

 private:
  // What an ended value holds is let go at once.
  static constexpr bool kHolds = !std::is_trivially_destructible_v<T>;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // What fills a line of the cache stands on one.
  static constexpr std::size_t kLine = 64;
  static constexpr std::size_t kAlign = std::max(alignof(T), alignof(NoteId));
  struct alignas(2 * sizeof(NoteId) + sizeof(T) == kLine ? kLine : kAlign) Node {
    NoteId note = 0;
    std::uint32_t next = kNone;
    T value{};
  };

  static constexpr std::uint32_t kChunk = 64;
  using Chunk = std::array<Node, kChunk>;

  Node& node(std::uint32_t at) noexcept { return (*chunks_[at / kChunk])[at % kChunk]; }
  const Node& node(std::uint32_t at) const noexcept { return (*chunks_[at / kChunk])[at % kChunk]; }

  void make_nodes() {
    const auto first = static_cast<std::uint32_t>(chunks_.size() * kChunk);
    chunks_.push_back(std::make_unique<Chunk>());
    for (std::uint32_t at = first + kChunk; at-- > first;) {
      node(at).next = std::exchange(unused_, at);
    }
  }

  std::size_t slot(NoteId note) const noexcept { return note & (heads_.size() - 1); }

  void spread() {
    std::vector<std::uint32_t> old(heads_.empty() ? 16 : 2 * heads_.size(), kNone);
    heads_.swap(old);
    for (const std::uint32_t head : old) {
      for (std::uint32_t at = head; at != kNone;) {
        const std::uint32_t next = node(at).next;
        node(at).next = std::exchange(heads_[slot(node(at).note)], at);
        at = next;
      }
    }
  }

  std::vector<std::uint32_t> heads_;  // a power of two of them
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::uint32_t unused_ = kNone;
  std::size_t size_ = 0;
};

}  // namespace order
