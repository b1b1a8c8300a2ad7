// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "device_sim/memory/memory.h"

namespace acl {

/// Names for memory that stay the same from run to run: numbers of buffers, and offsets in them. A
/// buffer is an allocation, or a range of the host's own memory: all bytes of the range that was
/// named first. Callers hold the recorder's lock.
class RecordedBuffers {
 public:
  struct Segment {
    std::uint64_t buffer;
    std::uint64_t offset;
    std::uint64_t size;
  };
  struct Piece {  // a buffer, or the rest of one
    std::uintptr_t begin;
    std::size_t size;
    std::uint64_t number;
    std::uint64_t offset;  // in the buffer
  };
  struct Reuse {
    std::vector<Segment> before;  // the names that the bytes had
    std::uint64_t number;         // of the buffer that they are now
  };
  /// Called for each new buffer; `device` is the machine's number, or sim::kHostDevice.
  using Define = std::function<void(std::uint64_t buffer, int device, std::size_t size)>;

  RecordedBuffers(const sim::Memory& memory, Define define)
      : memory_(memory), define_(std::move(define)) {}

  /// Names a new allocation. It replaces a buffer that began at the same address.
  std::uint64_t start(const void* begin, std::size_t size, int device);
  /// Ends the buffer that begins at `begin`, and the buffers in these bytes of the same allocation.
  std::vector<Segment> end(const void* begin, std::size_t size = 1);
  /// The bytes get a buffer of their own, which begins at `begin`.
  Reuse reuse(const void* begin, std::size_t size);
  /// Ends the buffers in these bytes of the host's own memory.
  std::vector<Segment> end_host(const void* begin, std::size_t size);
  /// The buffer that began at `begin` and has ended last; size 0 if it is not known.
  Segment ended(const void* begin) const;
  /// The buffer that holds a byte of the machine's memory.
  Piece holding(const void* address);
  /// Appends the names of the bytes. Only host memory that spans several buffers gives several
  /// segments. Bytes of memory that has ended have the names that they had before.
  void append(const void* begin, std::size_t size, std::vector<Segment>& segments);

 private:
  struct Buffer {
    std::uint64_t number;
    std::size_t size;
    std::uint64_t serial;  // of the allocation; 0: the host's own memory
    std::uint64_t offset = 0;
    bool part = false;  // follows on a buffer of the same allocation or block
  };
  using Buffers = std::map<std::uintptr_t, Buffer>;  // by first address; they do not overlap

  Buffer& make(std::uintptr_t begin, std::size_t size, std::uint64_t serial, int device);
  /// The buffer of the allocation that holds the byte; the end if none does. A pool has several
  /// buffers in one allocation.
  static Buffers::const_iterator known(const Buffers& buffers, std::uintptr_t at,
                                       std::optional<std::uint64_t> serial);
  Piece holding(std::uintptr_t at, const sim::Allocation& allocation);
  Piece make_gap(std::uintptr_t at, const sim::Allocation& allocation);
  static void split(Buffers& buffers, std::uintptr_t at);
  static void forget(Buffers& buffers, std::uintptr_t begin, std::size_t size);
  void append_host(std::uintptr_t begin, std::uintptr_t end, std::vector<Segment>& segments);
  void forget_host_when_many();

  const sim::Memory& memory_;
  const Define define_;
  Buffers buffers_;
  Buffers ended_;  // whose bytes no later buffer has
  std::size_t host_buffers_ = 0;
  std::uint64_t last_number_ = 0;
};

}  // namespace acl
