// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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

  void add(const void* begin, std::size_t size, bool pinned, order::Epoch copied,
           const order::Deed& deed);
  /// Takes out those that `knows` says are over; calls `changed` for each that is not as it was.
  template <class Knows, class Changed>
  void settle(Knows&& knows, Changed&& changed) {
    std::erase_if(buffers_, [&](const Buffer& buffer) {
      if (!knows(buffer.copied)) return false;
      if (sum_of(buffer.begin, buffer.size, buffer.pinned) != buffer.sum) changed(buffer);
      return true;
    });
  }
  /// Forgets those that lie in the range.
  void forget(const void* begin, std::size_t size);
  bool empty() const noexcept { return buffers_.empty(); }

 private:
  /// Of all bytes of a small buffer, of samples of a large one. Memory that has gone has the sum 0.
  static std::uint64_t sum_of(const void* begin, std::size_t size, bool pinned);

  std::vector<Buffer> buffers_;
};

}  // namespace acl
