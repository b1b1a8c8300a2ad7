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

std::uint64_t mix(std::uint64_t sum, const unsigned char* bytes, std::size_t size) {
  while (size >= 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes, 8);
    sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
    sum ^= sum >> 29;
    bytes += 8;
    size -= 8;
  }
  for (; size != 0; --size) sum = (sum ^ *bytes++) * 0x100000001B3u;
  return sum;
}

}  // namespace

void HostBuffers::add(const void* begin, std::size_t size, order::Epoch copied,
                      const order::Deed& deed) {
  buffers_.push_back({begin, size, sum_of(begin, size), copied, deed});
}

// The kernel reads: the memory may have been unmapped meanwhile.
std::uint64_t HostBuffers::sum_of(const void* begin, std::size_t size) {
  std::array<unsigned char, kWhole> bytes;
  std::array<iovec, kPieces> pieces;
  auto* const first = static_cast<unsigned char*>(const_cast<void*>(begin));
  std::size_t count = 0;
  std::size_t total = 0;
  if (size <= kWhole) {
    pieces[count++] = {first, size};
    total = size;
  } else {
    for (; count < kPieces; ++count) {
      pieces[count] = {first + (size - kPieceBytes) / (kPieces - 1) * count, kPieceBytes};
      total += kPieceBytes;
    }
  }
  const iovec to{bytes.data(), total};
  const ssize_t got = process_vm_readv(getpid(), &to, 1, pieces.data(), count, 0);
  if (got < 0 || static_cast<std::size_t>(got) != total) return 0;
  return mix(size | 1, bytes.data(), total);
}

void HostBuffers::forget(const void* begin, std::size_t size) {
  const auto from = reinterpret_cast<std::uintptr_t>(begin);
  std::erase_if(buffers_, [&](const Buffer& buffer) {
    const auto at = reinterpret_cast<std::uintptr_t>(buffer.begin);
    return at < from + size && from < at + buffer.size;
  });
}

}  // namespace acl
