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

RecordedBuffers::Segment RecordedBuffers::end(const void* begin) {
  const auto found = buffers_.find(number_of(begin));
  if (found == buffers_.end() || found->second.serial == 0) return {};
  const Buffer gone = found->second;
  buffers_.erase(found);
  if (ended_.size() >= kMostEnded) ended_.clear();
  ended_[number_of(begin)] = gone;
  return {gone.number, 0, gone.size};
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

RecordedBuffers::Whole RecordedBuffers::holding(std::uintptr_t at,
                                                const sim::Allocation& allocation) {
  for (const Buffers* const buffers : {&buffers_, &ended_}) {
    const auto found = known(*buffers, at, allocation.serial);
    if (found != buffers->end()) return {found->first, found->second.size, found->second.number};
  }
  const Buffer& made =
      make(allocation.begin, allocation.size, allocation.serial, allocation.device);
  return {allocation.begin, made.size, made.number};
}

RecordedBuffers::Whole RecordedBuffers::holding(const void* address) {
  const auto allocation = memory_.find(address);
  return allocation ? holding(number_of(address), *allocation) : Whole{};
}

void RecordedBuffers::append(const void* begin, std::size_t size, std::vector<Segment>& segments) {
  if (size == 0) return;
  const std::uintptr_t at = number_of(begin);
  if (const auto allocation = memory_.find(begin)) {
    const Whole buffer = holding(at, *allocation);
    segments.push_back({buffer.number, at - buffer.begin, size});
    return;
  }
  const bool reserved = memory_.space_of(begin) || memory_.mappings().holds(begin);
  const auto gone = reserved ? known(ended_, at, std::nullopt) : ended_.end();
  if (gone == ended_.end()) return append_host(at, at + size, segments);
  segments.push_back({gone->second.number, at - gone->first, size});
}

void RecordedBuffers::append_host(std::uintptr_t at, std::uintptr_t end,
                                  std::vector<Segment>& segments) {
  forget_host_when_many();
  while (at < end) {
    const auto next = buffers_.upper_bound(at);
    const auto before = next == buffers_.begin() ? buffers_.end() : std::prev(next);
    if (before != buffers_.end() && at - before->first < before->second.size) {
      const std::uint64_t offset = at - before->first;
      const auto size = std::min<std::uint64_t>(end - at, before->second.size - offset);
      segments.push_back({before->second.number, offset, size});
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
