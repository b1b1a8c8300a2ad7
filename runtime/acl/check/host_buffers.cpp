// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/host_buffers.h"

#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace acl {
namespace {

constexpr std::size_t kWhole = 4096;  // buffers up to this are summed byte by byte
constexpr std::size_t kPieces = 16;   // of a larger one, spread evenly
constexpr std::size_t kPieceBytes = kWhole / kPieces;

/// Sums and sums of sums of words (Fletcher), two at a time in a vector unit.
class Sum {
 public:
  void add(const unsigned char* bytes, std::size_t size) {
    for (; size >= kBlock; bytes += kBlock, size -= kBlock) add_block(bytes);
    if (size == 0) return;
    unsigned char rest[kBlock] = {};
    std::memcpy(rest, bytes, size);
    add_block(rest);
  }
  std::uint64_t result(std::size_t size) const {
    std::uint64_t all = size | 1;
    for (const Words& words : {even_, odd_, evens_, odds_}) {
      for (const std::uint64_t word : {words[0], words[1]}) {
        all = (all ^ word) * 0x9E3779B97F4A7C15u;
        all ^= all >> 29;
      }
    }
    return all;
  }

 private:
  // What a register of every processor holds: wider ones would live in memory.
  using Words = std::uint64_t __attribute__((vector_size(16)));
  static constexpr std::size_t kBlock = 2 * sizeof(Words);

  void add_block(const unsigned char* bytes) {
    Words even, odd;
    std::memcpy(&even, bytes, sizeof even);
    std::memcpy(&odd, bytes + sizeof even, sizeof odd);
    even_ += even;
    odd_ += odd;
    evens_ += even_;
    odds_ += odd_;
  }

  Words even_{}, odd_{};
  Words evens_{}, odds_{};  // sums of the sums
};

struct Pieces {
  std::array<iovec, kPieces> at;
  std::size_t count = 0;
  std::size_t bytes = 0;
};

Pieces pieces_of(const void* begin, std::size_t size) {
  Pieces pieces;
  auto* const first = static_cast<unsigned char*>(const_cast<void*>(begin));
  if (size <= kWhole) {
    pieces.at[pieces.count++] = {first, size};
    pieces.bytes = size;
    return pieces;
  }
  for (; pieces.count < kPieces; ++pieces.count) {
    pieces.at[pieces.count] = {first + (size - kPieceBytes) / (kPieces - 1) * pieces.count,
                               kPieceBytes};
    pieces.bytes += kPieceBytes;
  }
  return pieces;
}

// The kernel reads: the program may have unmapped the memory meanwhile.
std::uint64_t sum_of_any(const Pieces& pieces, std::size_t size) {
  std::array<unsigned char, kWhole> bytes;
  const iovec to{bytes.data(), pieces.bytes};
  const ssize_t got = process_vm_readv(getpid(), &to, 1, pieces.at.data(), pieces.count, 0);
  if (got < 0 || static_cast<std::size_t>(got) != pieces.bytes) return 0;
  Sum sum;
  sum.add(bytes.data(), pieces.bytes);
  return sum.result(size);
}

}  // namespace

void HostBuffers::add(const void* begin, std::size_t size, bool pinned, order::Epoch copied,
                      const order::Deed& deed) {
  buffers_.push_back({begin, size, pinned, sum_of(begin, size, pinned), copied, deed});
}

std::uint64_t HostBuffers::sum_of(const void* begin, std::size_t size, bool pinned) {
  const Pieces pieces = pieces_of(begin, size);
  if (!pinned) return sum_of_any(pieces, size);
  Sum sum;
  for (std::size_t i = 0; i < pieces.count; ++i) {
    sum.add(static_cast<const unsigned char*>(pieces.at[i].iov_base), pieces.at[i].iov_len);
  }
  return sum.result(size);
}

void HostBuffers::forget(const void* begin, std::size_t size) {
  const auto from = reinterpret_cast<std::uintptr_t>(begin);
  std::erase_if(buffers_, [&](const Buffer& buffer) {
    const auto at = reinterpret_cast<std::uintptr_t>(buffer.begin);
    return at < from + size && from < at + buffer.size;
  });
}

}  // namespace acl
