// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/order/op_info.h"
#include "runtime/order/vector_clock.h"

namespace acl {

/// Host buffers that asynchronous copies read: what was in them when the copy was enqueued. A
/// buffer that is not the same when the copy first happens before the program's next step was
/// changed too early, whenever the copy really ran.
class HostBuffers {
 public:
  struct Buffer {
    const void* begin;
    std::size_t size;
    bool pinned;  // memory of ours: it is there until `forget`
    std::uint64_t sum;
    order::Epoch copied;  // by whom, and when
    order::OpInfo op_info;
  };

  /// When the same actor has just copied the same buffer, and nobody is ordered after that, the two
  /// are one: what changes the buffer changes it for the earlier copy too. `pinned()` is asked of a
  /// new one.
  template <class Covers, class Pinned>
  void add(const void* begin, std::size_t size, order::Epoch copied, const order::OpInfo& op_info,
           Covers&& covers, Pinned&& pinned) {
    if (empty()) any_.store(true, std::memory_order_seq_cst);  // see below
    Buffer* const earlier = recent(begin, size, copied.actor);
    if (earlier && !covers(earlier->copied)) {
      earlier->copied = copied;
      return;
    }
    Buffer& copy = earlier ? *earlier : remember(begin);
    copy = {begin, size, pinned(), 0, copied, op_info};
    copy.sum = sum_of(begin, size, copy.pinned);
  }
  /// Takes out those that `covers` says are over; calls `changed` for each that is not as it was.
  template <class Covers, class Changed>
  void settle(Covers&& covers, Changed&& changed) {
    std::erase_if(buffers_, [&](const Buffer& buffer) {
      if (!covers(buffer.copied)) return false;
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
  /// It has ended, and may have filled what later copies read.
  void function_ends() {
    if (buffers_.size() > kMostLookedAt) return buffers_.clear();
    for (Buffer& buffer : buffers_) buffer.sum = sum_of(buffer.begin, buffer.size, buffer.pinned);
  }
  /// Forgets those that lie in the range.
  void forget(const void* begin, std::size_t size);
  /// What a task writes changes without the host: a race with it is found by its ranges.
  void forget_written(std::span<const order::Access> accesses) {
    for (const order::Access& access : accesses) {
      if (empty()) return;
      if (access.write && access.host) {
        forget(reinterpret_cast<const void*>(access.begin), access.size);
      }
    }
  }
  void clear();
  /// Any thread may ask. Who is ordered after a copy that is kept gets false; a function that wrote
  /// before it asked, and hears true, wrote before later sums are made.
  bool empty() const noexcept { return !any_.load(std::memory_order_seq_cst); }

 private:
  static constexpr std::size_t kMostLookedAt = 256;
  static constexpr std::size_t kSlots = 64;
  static std::size_t slot(const void* begin) noexcept {
    return reinterpret_cast<std::uintptr_t>(begin) / 64 * 0x9E3779B97F4A7C15u >> 58;
  }
  Buffer* recent(const void* begin, std::size_t size, order::Actor actor) {
    const std::uint32_t at = slots_[slot(begin)];
    if (at >= buffers_.size()) return nullptr;
    Buffer& buffer = buffers_[at];
    const bool same =
        buffer.begin == begin && buffer.size == size && buffer.copied.actor == actor;
    return same ? &buffer : nullptr;
  }
  Buffer& remember(const void* begin);
  /// Of all bytes of a small buffer, of samples of a large one. Memory that has gone has the sum 0.
  static std::uint64_t sum_of(const void* begin, std::size_t size, bool pinned);

  std::atomic<bool> any_{false};
  std::vector<Buffer> buffers_;
  std::array<std::uint32_t, kSlots> slots_{};  // where a buffer may be found, by its begin
};

}  // namespace acl
