// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "device_sim/memory/memory.h"

namespace acl {

/// Names for memory that stay the same from run to run: numbers of buffers, and offsets in them. A
/// buffer is an allocation; of memory that only the host knows, as many bytes as were named
/// together first.
class RecordedBuffers {
 public:
  struct Piece {
    std::uint64_t buffer;
    std::uint64_t offset;
    std::uint64_t size;
  };
  /// Told of each new buffer; `device` is the machine's, or sim::kHostDevice.
  using Define = std::function<void(std::uint64_t buffer, int device, std::size_t size)>;

  RecordedBuffers(const sim::Memory& memory, Define define)
      : memory_(memory), define_(std::move(define)) {}

  /// A new allocation, whatever was there before.
  std::uint64_t start(const void* begin, std::size_t size, int device);
  /// The buffer that begins there goes; size 0 when there is none.
  Piece end(const void* begin);
  /// The buffer that began there last and has gone; size 0 when that is not known.
  Piece ended(const void* begin) const;
  /// What the bytes are called; several pieces only where the host's memory is named anew.
  void append(const void* begin, std::size_t size, std::vector<Piece>& pieces);

 private:
  struct Block {
    std::uint64_t buffer;
    std::size_t size;
    std::uint64_t serial;  // of the allocation; 0: the host's own memory
  };
  using Blocks = std::map<std::uintptr_t, Block>;

  Block& make(std::uintptr_t begin, std::size_t size, std::uint64_t serial, int device);
  void append_host(std::uintptr_t begin, std::uintptr_t end, std::vector<Piece>& pieces);
  void forget_host_when_many();

  const sim::Memory& memory_;
  const Define define_;
  Blocks blocks_;  // they do not overlap
  std::map<std::uintptr_t, Piece> ended_;
  std::size_t host_blocks_ = 0;
  std::uint64_t last_ = 0;  // number that was given
};

}  // namespace acl
