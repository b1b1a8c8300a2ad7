// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/heap/heap.h"

#include <iterator>

namespace shmem {
namespace {

constexpr std::size_t round_up(std::size_t value, std::size_t to) {
  return (value + to - 1) / to * to;
}

}  // namespace

Heap::Heap(std::size_t bytes, std::size_t lead)
    : bytes_(bytes / kRounding * kRounding), lead_(lead) {
  if (bytes_ > 0) add_free(0, bytes_);
}

void Heap::add_free(std::size_t offset, std::size_t bytes) {
  free_.emplace(offset, bytes);
  by_size_.emplace(bytes, offset);
  free_bytes_ += bytes;
}

void Heap::drop_free(std::map<std::size_t, std::size_t>::iterator segment) {
  by_size_.erase({segment->second, segment->first});
  free_bytes_ -= segment->second;
  free_.erase(segment);
}

std::optional<std::size_t> Heap::allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes == 0 || bytes > free_bytes_) return std::nullopt;
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > bytes_) {
    return std::nullopt;
  }
  if (alignment < kRounding) alignment = kRounding;
  const std::size_t wanted = round_up(bytes, kRounding);
  for (auto it = by_size_.lower_bound({wanted, 0}); it != by_size_.end(); ++it) {
    const auto [size, begin] = *it;
    const std::size_t at = round_up(lead_ + begin, alignment) - lead_;
    if (at - begin > size - wanted) continue;
    drop_free(free_.find(begin));
    if (at > begin) add_free(begin, at - begin);
    const std::size_t rest = size - (at - begin) - wanted;
    if (rest > 0) add_free(at + wanted, rest);
    taken_.emplace(at, wanted);
    return at;
  }
  return std::nullopt;
}

bool Heap::release(std::size_t offset) {
  const auto it = taken_.find(offset);
  if (it == taken_.end()) return false;
  std::size_t begin = offset;
  std::size_t size = it->second;
  taken_.erase(it);
  const auto next = free_.lower_bound(offset);
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == begin) {
      begin = before->first;
      size += before->second;
      drop_free(before);
    }
  }
  if (next != free_.end() && next->first == begin + size) {
    size += next->second;
    drop_free(next);
  }
  add_free(begin, size);
  return true;
}

}  // namespace shmem
