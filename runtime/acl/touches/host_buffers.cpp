// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/touches/host_buffers.h"

#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace acl {
namespace {

constexpr std::size_t kWhole = 4096;  // buffers up to this are summed byte by byte
constexpr std::size_t kPieces = 16;   // of a larger one, spread evenly
constexpr std::size_t kPieceBytes = kWhole / kPieces;
constexpr std::uint64_t kNothing = 0x243F6A8885A308D3u;  // the sum of zeros
constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15u;

using Sse = std::uint64_t __attribute__((vector_size(16)));
using Avx = std::uint64_t __attribute__((vector_size(32)));
using Avx512 = std::uint64_t __attribute__((vector_size(64)));

/// Sums and sums of sums of words (Fletcher), in chains that do not wait for each other.
template <class Words>
[[gnu::always_inline]] inline std::uint64_t fletcher(const unsigned char* bytes, std::size_t size) {
  constexpr std::size_t kChains = 4;  // the registers of a vector unit hold so many
  constexpr std::size_t kBlock = kChains * sizeof(Words);
  Words sums[kChains] = {}, sums_of_sums[kChains] = {};
  unsigned char rest[kBlock] = {};
  for (bool last = false; !last;) {
    last = size < kBlock;
    if (last) std::memcpy(rest, bytes, size);
    const unsigned char* const block = last ? rest : bytes;
#pragma GCC unroll 4  // or the sums would live in memory
    for (std::size_t i = 0; i < kChains; ++i) {
      Words words;
      std::memcpy(&words, block + i * sizeof words, sizeof words);
      sums[i] += words;
      sums_of_sums[i] += sums[i];
    }
    if (!last) {
      bytes += kBlock;
      size -= kBlock;
    }
  }
  const Words all_sums = sums[0] + 3 * sums[1] + 5 * sums[2] + 9 * sums[3];
  const Words all_of_sums =
      sums_of_sums[0] + 3 * sums_of_sums[1] + 5 * sums_of_sums[2] + 9 * sums_of_sums[3];
  std::uint64_t result = kNothing;
  for (std::size_t word = 0; word < sizeof(Words) / 8; ++word) {
    result +=
        all_sums[word] * (kOdd * (4 * word + 1)) + all_of_sums[word] * (kOdd * (4 * word + 3));
  }
  return result;
}

std::uint64_t sum_sse(const unsigned char* bytes, std::size_t size) {
  return fletcher<Sse>(bytes, size);
}

#ifdef __x86_64__
[[gnu::target("avx2")]] std::uint64_t sum_avx(const unsigned char* bytes, std::size_t size) {
  return fletcher<Avx>(bytes, size);
}

[[gnu::target("avx512f")]] std::uint64_t sum_avx512(const unsigned char* bytes, std::size_t size) {
  return fletcher<Avx512>(bytes, size);
}
#endif

std::uint64_t sum(const void* begin, std::size_t size) {
  const auto* const bytes = static_cast<const unsigned char*>(begin);
#ifdef __x86_64__
  static const bool avx = __builtin_cpu_supports("avx2") != 0;
  static const bool avx512 = __builtin_cpu_supports("avx512f") != 0;
  if (avx512) return sum_avx512(bytes, size);
  if (avx) return sum_avx(bytes, size);
#endif
  return sum_sse(bytes, size);
}

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
std::uint64_t sum_of_any(const Pieces& pieces) {
  std::array<unsigned char, kWhole> bytes;
  const iovec to{bytes.data(), pieces.bytes};
  const ssize_t got = process_vm_readv(getpid(), &to, 1, pieces.at.data(), pieces.count, 0);
  if (got < 0 || static_cast<std::size_t>(got) != pieces.bytes) return 0;
  return sum(bytes.data(), pieces.bytes);
}

}  // namespace

HostBuffers::Buffer& HostBuffers::remember(const void* begin) {
  slots_[slot(begin)] = static_cast<std::uint32_t>(buffers_.size());
  return buffers_.emplace_back();
}

std::uint64_t HostBuffers::sum_of(const void* begin, std::size_t size, bool pinned) {
  const Pieces pieces = pieces_of(begin, size);
  if (!pinned) return sum_of_any(pieces);
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < pieces.count; ++i) {
    all = all * kOdd ^ sum(pieces.at[i].iov_base, pieces.at[i].iov_len);
  }
  return all;
}

void HostBuffers::forget(const void* begin, std::size_t size) {
  const auto from = reinterpret_cast<std::uintptr_t>(begin);
  std::erase_if(buffers_, [&](const Buffer& buffer) {
    const auto at = reinterpret_cast<std::uintptr_t>(buffer.begin);
    return at < from + size && from < at + buffer.size;
  });
  any_.store(!buffers_.empty(), std::memory_order_relaxed);
}

void HostBuffers::clear() {
  buffers_.clear();
  any_.store(false, std::memory_order_relaxed);
}

}  // namespace acl
