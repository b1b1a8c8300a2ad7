// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/recorded_buffers.h"

#include <algorithm>
#include <iterator>

namespace acl {
namespace {

constexpr std::size_t kMostHostBuffers = std::size_t{1} << 16;  // at this number all are forgotten
constexpr std::size_t kMostEnded = 4096;                        // likewise

std::uintptr_t number_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

RecordedBuffers::Buffer& RecordedBuffers::make(std::uintptr_t begin, std::size_t size,
                                               std::uint64_t serial, int device) {
  forget(buffers_, begin, size);
  forget(ended_, begin, size);
  define_(++last_number_, device, size);
  return buffers_[begin] = {last_number_, size, serial};
}

void RecordedBuffers::forget(Buffers& buffers, std::uintptr_t begin, std::size_t size) {
  auto at = buffers.upper_bound(begin);
  if (at != buffers.begin() && begin - std::prev(at)->first < std::prev(at)->second.size) --at;
  while (at != buffers.end() && at->first < begin + size) at = buffers.erase(at);
}

std::uint64_t RecordedBuffers::start(const void* begin, std::size_t size, int device) {
  const auto found = memory_.find(begin);
  return make(number_of(begin), size, found ? found->serial : 0, device).number;
}

std::vector<RecordedBuffers::Segment> RecordedBuffers::end(const void* begin, std::size_t size) {
  std::vector<Segment> gone;
  auto at = buffers_.find(number_of(begin));
  if (at == buffers_.end() || at->second.serial == 0) return gone;
  const std::uint64_t serial = at->second.serial;
  if (ended_.size() >= kMostEnded) ended_.clear();
  while (at != buffers_.end() && at->first - number_of(begin) < size) {
    const std::uintptr_t first = at->first;
    const Buffer buffer = at->second;
    if (buffer.serial != serial || (!gone.empty() && !buffer.part)) break;
    const auto same = [&](const Segment& one) { return one.buffer == buffer.number; };
    if (std::none_of(gone.begin(), gone.end(), same)) {
      gone.push_back({buffer.number, 0, buffer.size});
    }
    ended_[first] = buffer;
    at = buffers_.erase(at);
  }
  return gone;
}

void RecordedBuffers::split(Buffers& buffers, std::uintptr_t at) {
  const auto next = buffers.upper_bound(at);
  if (next == buffers.begin()) return;
  auto& [begin, buffer] = *std::prev(next);
  const std::size_t head = at - begin;
  if (head == 0 || head >= buffer.size) return;
  Buffer tail = buffer;
  tail.size -= head;
  tail.offset += head;
  tail.part = true;
  buffer.size = head;
  buffers[at] = tail;
}

RecordedBuffers::Reuse RecordedBuffers::reuse(const void* begin, std::size_t size) {
  Reuse made{};
  append(begin, size, made.before);
  const auto allocation = memory_.find(begin);
  const std::uintptr_t at = number_of(begin);
  split(buffers_, at);
  split(buffers_, at + size);
  Buffer& buffer = make(at, size, allocation ? allocation->serial : 0,
                        allocation ? allocation->device : sim::kHostDevice);
  buffer.part = true;
  made.number = buffer.number;
  return made;
}

std::vector<RecordedBuffers::Segment> RecordedBuffers::end_host(const void* begin,
                                                                std::size_t size) {
  std::vector<Segment> gone;
  const std::uintptr_t end = number_of(begin) + size;
  for (auto at = buffers_.lower_bound(number_of(begin)); at != buffers_.end() && at->first < end;) {
    const bool own = at->second.serial == 0;
    if (own) gone.push_back({at->second.number, 0, at->second.size});
    at = own ? buffers_.erase(at) : std::next(at);
  }
  return gone;
}

RecordedBuffers::Segment RecordedBuffers::ended(const void* begin) const {
  const auto found = ended_.find(number_of(begin));
  if (found == ended_.end()) return {};
  return {found->second.number, 0, found->second.size};
}

RecordedBuffers::Buffers::const_iterator RecordedBuffers::known(
    const Buffers& buffers, std::uintptr_t at, std::optional<std::uint64_t> serial) {
  const auto next = buffers.upper_bound(at);
  if (next == buffers.begin()) return buffers.end();
  const auto found = std::prev(next);
  const bool holds = at - found->first < found->second.size;
  return holds && (!serial || found->second.serial == *serial) ? found : buffers.end();
}

RecordedBuffers::Piece RecordedBuffers::holding(std::uintptr_t at,
                                                const sim::Allocation& allocation) {
  for (const Buffers* const buffers : {&buffers_, &ended_}) {
    const auto found = known(*buffers, at, allocation.serial);
    if (found == buffers->end()) continue;
    const Buffer& buffer = found->second;
    return {found->first, buffer.size, buffer.number, buffer.offset};
  }
  return make_gap(at, allocation);
}

/// The bytes of the allocation around `at` that no buffer has.
RecordedBuffers::Piece RecordedBuffers::make_gap(std::uintptr_t at,
                                                 const sim::Allocation& allocation) {
  std::uintptr_t begin = allocation.begin, end = allocation.begin + allocation.size;
  for (auto next = buffers_.lower_bound(begin); next != buffers_.end() && next->first < end;) {
    const auto& [first, buffer] = *next++;
    if (buffer.serial != allocation.serial) continue;
    if (first > at) {
      end = first;
    } else {
      begin = first + buffer.size;
    }
  }
  const Buffer& made = make(begin, end - begin, allocation.serial, allocation.device);
  return {begin, made.size, made.number, 0};
}

RecordedBuffers::Piece RecordedBuffers::holding(const void* address) {
  const auto allocation = memory_.find(address);
  return allocation ? holding(number_of(address), *allocation) : Piece{};
}

/// Bytes of an access after the end of the allocation belong to its last buffer.
void RecordedBuffers::append(const void* begin, std::size_t size, std::vector<Segment>& segments) {
  if (size == 0) return;
  const std::uintptr_t end = number_of(begin) + size;
  std::uintptr_t at = number_of(begin);
  if (const auto allocation = memory_.find(begin)) {
    const std::uintptr_t last = allocation->begin + allocation->size;
    while (at < end) {
      const Piece piece = holding(at, *allocation);
      const std::uintptr_t until = piece.begin + piece.size;
      const std::size_t bytes = until >= last ? end - at : std::min(end, until) - at;
      segments.push_back({piece.number, at - piece.begin + piece.offset, bytes});
      at += bytes;
    }
    return;
  }
  const bool reserved = memory_.space_of(begin) || memory_.mappings().holds(begin);
  const auto gone = reserved ? known(ended_, at, std::nullopt) : ended_.end();
  if (gone == ended_.end()) return append_host(at, end, segments);
  segments.push_back({gone->second.number, at - gone->first + gone->second.offset, size});
}

void RecordedBuffers::append_host(std::uintptr_t at, std::uintptr_t end,
                                  std::vector<Segment>& segments) {
  forget_host_when_many();
  while (at < end) {
    const auto next = buffers_.upper_bound(at);
    const auto before = next == buffers_.begin() ? buffers_.end() : std::prev(next);
    if (before != buffers_.end() && at - before->first < before->second.size) {
      const std::uint64_t from = at - before->first;
      const auto size = std::min<std::uint64_t>(end - at, before->second.size - from);
      segments.push_back({before->second.number, from + before->second.offset, size});
      at += size;
      continue;
    }
    const std::uintptr_t until = next == buffers_.end() ? end : std::min(end, next->first);
    segments.push_back({make(at, until - at, 0, sim::kHostDevice).number, 0, until - at});
    ++host_buffers_;
    at = until;
  }
}

void RecordedBuffers::forget_host_when_many() {
  if (host_buffers_ < kMostHostBuffers) return;
  std::erase_if(buffers_, [](const auto& entry) { return entry.second.serial == 0; });
  host_buffers_ = 0;
}

}  // namespace acl
