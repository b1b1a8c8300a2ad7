// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/order/deed.h"
#include "runtime/order/vector_clock.h"

namespace acl {

/// Host buffers that asynchronous copies read: what was in them when the copy was enqueued. A buffer
/// that is not the same when the program first knows that the copy is over was changed too early,
/// whenever the copy really ran.
class HostBuffers {
 public:
  struct Buffer {
    const void* begin;
    std::size_t size;
    bool pinned;  // memory of ours: it is there until `forget`
    std::uint64_t sum;
    order::Epoch copied;  // by whom, and when
    order::Deed deed;
  };

  /// `copy` without its sum. When the same actor has just copied the same buffer, and the bytes are
  /// still the same, the two are one; calls `changed` for the earlier one when they are not and it is
  /// not over, as far as `knows` says.
  template <class Knows, class Changed>
  void add(Buffer copy, Knows&& knows, Changed&& changed) {
    if (empty()) any_.store(true, std::memory_order_seq_cst);  // see below
    copy.sum = sum_of(copy.begin, copy.size, copy.pinned);
    Buffer* const earlier = recent(copy);
    if (!earlier) return buffers_.push_back(copy);
    if (copy.sum != earlier->sum && !knows(earlier->copied)) changed(*earlier);
    *earlier = copy;
  }
  /// Takes out those that `knows` says are over; calls `changed` for each that is not as it was.
  template <class Knows, class Changed>
  void settle(Knows&& knows, Changed&& changed) {
    std::erase_if(buffers_, [&](const Buffer& buffer) {
      if (!knows(buffer.copied)) return false;
      if (sum_of(buffer.begin, buffer.size, buffer.pinned) != buffer.sum) changed(buffer);
      return true;
    });
    any_.store(!buffers_.empty(), std::memory_order_relaxed);
  }
  /// A function of the program begins: calls `changed` for each that is not as it was.
  template <class Changed>
  void function_begins(Changed&& changed) {
    if (buffers_.size() > kMostLookedAt) return buffers_.clear();
    for (Buffer& buffer : buffers_) {
      const std::uint64_t sum = sum_of(buffer.begin, buffer.size, buffer.pinned);
      if (sum == std::exchange(buffer.sum, sum)) continue;
      changed(buffer);
    }
  }
  /// It has ended, and may have filled what copies behind it read.
  void function_ends() {
    if (buffers_.size() > kMostLookedAt) return buffers_.clear();
    for (Buffer& buffer : buffers_) buffer.sum = sum_of(buffer.begin, buffer.size, buffer.pinned);
  }
  /// Forgets those that lie in the range.
  void forget(const void* begin, std::size_t size);
  /// What a task writes changes without the host: a race with it is told by its ranges.
  void forget_written(std::span<const order::Access> accesses) {
    for (const order::Access& access : accesses) {
      if (empty()) return;
      if (access.write && access.host) {
        forget(reinterpret_cast<const void*>(access.begin), access.size);
      }
    }
  }
  void clear();
  /// Any thread may ask. Who is behind a copy that is kept hears false; a function that wrote before
  /// it asked, and hears true, wrote before later sums are made.
  bool empty() const noexcept { return !any_.load(std::memory_order_seq_cst); }

 private:
  static constexpr std::size_t kMostLookedAt = 256;
  /// Of all bytes of a small buffer, of samples of a large one. Memory that has gone has the sum 0.
  Buffer* recent(const Buffer& copy);
  static std::uint64_t sum_of(const void* begin, std::size_t size, bool pinned);

  std::vector<Buffer> buffers_;
  std::atomic<bool> any_{false};
};

}  // namespace acl
