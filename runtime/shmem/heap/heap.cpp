// SPDX-License-Identifier: Apache-2.0
#include "runtime/shmem/heap/heap.h"

#include <iterator>
#include <utility>

namespace shmem {
namespace {

constexpr std::size_t round_up(std::size_t value, std::size_t to) {
  return (value + to - 1) / to * to;
}

}  // namespace

Heap::Heap(std::size_t bytes, std::size_t lead)
    : bytes_(bytes / kRounding * kRounding), lead_(lead) {
  if (bytes_ > 0) add_free(0, bytes_, make_entries());
}

Heap::Entries Heap::make_entries() {
  ByOffset by_offset{{0, 0}};
  BySize by_size{{0, 0}};
  return {by_offset.extract(by_offset.begin()), by_size.extract(by_size.begin())};
}

void Heap::add_free(std::size_t offset, std::size_t bytes, Entries entries) noexcept {
  entries.by_offset.key() = offset;
  entries.by_offset.mapped() = bytes;
  entries.by_size.value() = {bytes, offset};
  free_.insert(std::move(entries.by_offset));
  by_size_.insert(std::move(entries.by_size));
  free_bytes_ += bytes;
}

Heap::Entries Heap::drop_free(ByOffset::iterator segment) noexcept {
  free_bytes_ -= segment->second;
  const auto sized = by_size_.find({segment->second, segment->first});
  return {free_.extract(segment), by_size_.extract(sized)};
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
    // Nothing may fail once the tables change.
    std::map<std::size_t, Taken> made;
    made.emplace(at, Taken{wanted, make_entries()});
    Entries more = make_entries();
    Entries segment = drop_free(free_.find(begin));
    const std::size_t rest = size - (at - begin) - wanted;
    if (rest > 0) add_free(at + wanted, rest, std::move(more));
    if (at > begin) add_free(begin, at - begin, std::move(segment));
    taken_.insert(made.extract(at));
    return at;
  }
  return std::nullopt;
}

bool Heap::release(std::size_t offset) {
  const auto it = taken_.find(offset);
  if (it == taken_.end()) return false;
  std::size_t begin = offset;
  std::size_t size = it->second.bytes;
  Entries entries = std::move(it->second.entries);
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
  add_free(begin, size, std::move(entries));
  return true;
}

}  // namespace shmem
