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

/// Names an item that is complete only when the machine reports it: a callback, a wait on a value.
using CompletionId = std::uint32_t;

/// Values by completion id. Ids are given out one after the other, so their low bits spread them
/// evenly; the node erased last is reused first. References stay valid until `erase`. An erased T
/// is reset by its `renew()`, which may keep capacity, or else by T{}.
template <class T>
class CompletionMap {
 public:
  [[gnu::always_inline]] T* find(CompletionId completion_id) noexcept {
    return const_cast<T*>(std::as_const(*this).find(completion_id));
  }
  [[gnu::always_inline]] const T* find(CompletionId completion_id) const noexcept {
    if (heads_.empty()) return nullptr;
    for (std::uint32_t at = heads_[slot(completion_id)]; at != kNone; at = node(at).next) {
      if (node(at).completion_id == completion_id) return &node(at).value;
    }
    return nullptr;
  }

  /// The id has no value yet. The value is as T{} made it.
  T& add(CompletionId completion_id) {
    if (size_ == heads_.size()) spread();
    if (unused_ == kNone) make_nodes();
    const std::uint32_t at = unused_;
    Node& made = node(at);
    unused_ = made.next;
    if constexpr (!kHolds) made.value = T{};
    made.completion_id = completion_id;
    made.next = std::exchange(heads_[slot(completion_id)], at);
    ++size_;
    return made.value;
  }
  T& add(CompletionId completion_id, T value) { return add(completion_id) = std::move(value); }

  void erase(CompletionId completion_id) {
    if (heads_.empty()) return;
    for (std::uint32_t* link = &heads_[slot(completion_id)]; *link != kNone;
         link = &node(*link).next) {
      Node& found = node(*link);
      if (found.completion_id != completion_id) continue;
      const std::uint32_t at = std::exchange(*link, found.next);
      if constexpr (requires { found.value.renew(); }) {
        found.value.renew();
      } else if constexpr (kHolds) {
        found.value = T{};
      }
      found.completion_id = 0;
      found.next = std::exchange(unused_, at);
      --size_;
      return;
    }
  }

  /// Calls `visit(completion_id, value)`, which adds and erases nothing here, until it returns
  /// true; true if it did.
  template <class Visit>
  bool any(Visit&& visit) {
    return std::as_const(*this).any([&](CompletionId completion_id, const T& value) {
      return visit(completion_id, const_cast<T&>(value));
    });
  }
  template <class Visit>
  bool any(Visit&& visit) const {
    if (size_ == 0) return false;
    for (const std::uint32_t head : heads_) {
      for (std::uint32_t at = head; at != kNone; at = node(at).next) {
        if (visit(node(at).completion_id, node(at).value)) return true;
      }
    }
    return false;
  }

  /// The id of the value that is here, or was here once; 0: that has ended.
  static CompletionId id_of(const T& value) noexcept {
    const auto* const at = reinterpret_cast<const char*>(&value) - offsetof(Node, value);
    return reinterpret_cast<const Node*>(at)->completion_id;
  }

  std::size_t size() const noexcept { return size_; }

 private:
  // An erased value releases its resources at once.
  static constexpr bool kHolds = !std::is_trivially_destructible_v<T>;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  // A node that fills a cache line is aligned to one.
  static constexpr std::size_t kLine = 64;
  static constexpr std::size_t kAlign = std::max(alignof(T), alignof(CompletionId));
  struct alignas(2 * sizeof(CompletionId) + sizeof(T) == kLine ? kLine : kAlign) Node {
    CompletionId completion_id = 0;
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

  std::size_t slot(CompletionId completion_id) const noexcept {
    return completion_id & (heads_.size() - 1);
  }

  void spread() {
    std::vector<std::uint32_t> old(heads_.empty() ? 16 : 2 * heads_.size(), kNone);
    heads_.swap(old);
    for (const std::uint32_t head : old) {
      for (std::uint32_t at = head; at != kNone;) {
        const std::uint32_t next = node(at).next;
        node(at).next = std::exchange(heads_[slot(node(at).completion_id)], at);
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
