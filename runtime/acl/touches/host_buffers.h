// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/order/engine/op_info.h"
#include "runtime/order/engine/vector_clock.h"

namespace acl {

/// Checksums of host buffers that asynchronous copies read, taken when the copy was enqueued. If
/// the sum differs at the first moment at which the copy happens before the host thread, the
/// program changed the buffer too early, whenever the copy really ran.
class HostBuffers {
 public:
  struct Buffer {
    const void* begin;
    std::size_t size;
    bool pinned;  // allocated by ACL: mapped until `forget`
    std::uint64_t sum;
    order::Epoch copied;  // of the copy
    order::OpInfo op_info;
  };

  /// Merges with the same actor's last copy of the same buffer, when no host thread is ordered
  /// after that: a change of the buffer affects both. `pinned()` is called for new buffers.
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
  /// Removes the buffers whose copies are complete (`covers(epoch)`), and calls `changed` for each
  /// of these whose content has changed.
  template <class Covers, class Changed>
  void settle(Covers&& covers, Changed&& changed) {
    std::erase_if(buffers_, [&](const Buffer& buffer) {
      if (!covers(buffer.copied)) return false;
      if (sum_of(buffer.begin, buffer.size, buffer.pinned) != buffer.sum) changed(buffer);
      return true;
    });
    any_.store(!buffers_.empty(), std::memory_order_relaxed);
  }
  /// A function of the program begins: calls `changed` for each buffer whose content has changed.
  template <class Changed>
  void function_begins(Changed&& changed) {
    if (buffers_.size() > kMostLookedAt) return buffers_.clear();
    for (Buffer& buffer : buffers_) {
      const std::uint64_t sum = sum_of(buffer.begin, buffer.size, buffer.pinned);
      if (sum == std::exchange(buffer.sum, sum)) continue;
      changed(buffer);
    }
  }
  /// The function has ended. It may have filled buffers for later copies: takes the sums again.
  void function_ends() {
    if (buffers_.size() > kMostLookedAt) return buffers_.clear();
    for (Buffer& buffer : buffers_) buffer.sum = sum_of(buffer.begin, buffer.size, buffer.pinned);
  }
  /// Forgets the buffers in the range.
  void forget(const void* begin, std::size_t size);
  /// Forgets buffers that a task writes. Races with the task are found by its ranges.
  void forget_written(std::span<const order::Access> accesses) {
    for (const order::Access& access : accesses) {
      if (empty()) return;
      if (access.write && access.host) {
        forget(reinterpret_cast<const void*>(access.begin), access.size);
      }
    }
  }
  void clear();
  /// Callable from any thread, without the lock. False for a thread that is ordered after a kept
  /// copy. If it is true, all sums that are taken later contain the earlier writes of the thread.
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
    const bool same = buffer.begin == begin && buffer.size == size && buffer.copied.actor == actor;
    return same ? &buffer : nullptr;
  }
  Buffer& remember(const void* begin);
  /// The sum of all bytes of a small buffer, or of samples of a large one; 0 if it is not mapped.
  static std::uint64_t sum_of(const void* begin, std::size_t size, bool pinned);

  std::atomic<bool> any_{false};
  std::vector<Buffer> buffers_;
  std::array<std::uint32_t, kSlots> slots_{};  // where a buffer may be found, by its begin
};

}  // namespace acl
