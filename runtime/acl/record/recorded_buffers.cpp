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
  ended_.erase(begin);
  define_(++last_number_, device, size);
  return buffers_[begin] = {last_number_, size, serial};
}

std::uint64_t RecordedBuffers::start(const void* begin, std::size_t size, int device) {
  const auto found = memory_.find(begin);
  return make(number_of(begin), size, found ? found->serial : 0, device).number;
}

RecordedBuffers::Segment RecordedBuffers::end(const void* begin) {
  const auto found = buffers_.find(number_of(begin));
  if (found == buffers_.end() || found->second.serial == 0) return {};
  const Segment whole{found->second.number, 0, found->second.size};
  buffers_.erase(found);
  if (ended_.size() >= kMostEnded) ended_.clear();
  ended_[number_of(begin)] = whole;
  return whole;
}

RecordedBuffers::Segment RecordedBuffers::ended(const void* begin) const {
  const auto found = ended_.find(number_of(begin));
  return found == ended_.end() ? Segment{} : found->second;
}

void RecordedBuffers::append(const void* begin, std::size_t size, std::vector<Segment>& segments) {
  if (size == 0) return;
  const std::uintptr_t at = number_of(begin);
  const auto allocation = memory_.find(begin);
  if (!allocation) return append_host(at, at + size, segments);
  const auto known = buffers_.find(allocation->begin);
  const bool same = known != buffers_.end() && known->second.serial == allocation->serial;
  const Buffer& buffer =
      same ? known->second
           : make(allocation->begin, allocation->size, allocation->serial, allocation->device);
  segments.push_back({buffer.number, at - allocation->begin, size});
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
