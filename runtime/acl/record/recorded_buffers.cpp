// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/record/recorded_buffers.h"

#include <algorithm>
#include <iterator>

namespace acl {
namespace {

constexpr std::size_t kMostHostBlocks = std::size_t{1} << 16;  // then they are named anew
constexpr std::size_t kMostEnded = 4096;                       // then they are forgotten

std::uintptr_t number_of(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

RecordedBuffers::Block& RecordedBuffers::make(std::uintptr_t begin, std::size_t size,
                                              std::uint64_t serial, int device) {
  ended_.erase(begin);
  define_(++last_, device, size);
  return blocks_[begin] = {last_, size, serial};
}

std::uint64_t RecordedBuffers::start(const void* begin, std::size_t size, int device) {
  const auto found = memory_.find(begin);
  return make(number_of(begin), size, found ? found->serial : 0, device).buffer;
}

RecordedBuffers::Piece RecordedBuffers::end(const void* begin) {
  const auto found = blocks_.find(number_of(begin));
  if (found == blocks_.end() || found->second.serial == 0) return {};
  const Piece whole{found->second.buffer, 0, found->second.size};
  blocks_.erase(found);
  if (ended_.size() >= kMostEnded) ended_.clear();
  ended_[number_of(begin)] = whole;
  return whole;
}

RecordedBuffers::Piece RecordedBuffers::ended(const void* begin) const {
  const auto found = ended_.find(number_of(begin));
  return found == ended_.end() ? Piece{} : found->second;
}

void RecordedBuffers::append(const void* begin, std::size_t size, std::vector<Piece>& pieces) {
  if (size == 0) return;
  const std::uintptr_t at = number_of(begin);
  const auto allocation = memory_.find(begin);
  if (!allocation) return append_host(at, at + size, pieces);
  const auto known = blocks_.find(allocation->begin);
  const bool same = known != blocks_.end() && known->second.serial == allocation->serial;
  const Block& block =
      same ? known->second
           : make(allocation->begin, allocation->size, allocation->serial, allocation->device);
  pieces.push_back({block.buffer, at - allocation->begin, size});
}

void RecordedBuffers::append_host(std::uintptr_t at, std::uintptr_t end,
                                  std::vector<Piece>& pieces) {
  forget_host_when_many();
  while (at < end) {
    const auto next = blocks_.upper_bound(at);
    const auto before = next == blocks_.begin() ? blocks_.end() : std::prev(next);
    if (before != blocks_.end() && at - before->first < before->second.size) {
      const std::uint64_t offset = at - before->first;
      const auto size = std::min<std::uint64_t>(end - at, before->second.size - offset);
      pieces.push_back({before->second.buffer, offset, size});
      at += size;
      continue;
    }
    const std::uintptr_t until = next == blocks_.end() ? end : std::min(end, next->first);
    pieces.push_back({make(at, until - at, 0, sim::kHostDevice).buffer, 0, until - at});
    ++host_blocks_;
    at = until;
  }
}

void RecordedBuffers::forget_host_when_many() {
  if (host_blocks_ < kMostHostBlocks) return;
  std::erase_if(blocks_, [](const auto& entry) { return entry.second.serial == 0; });
  host_blocks_ = 0;
}

}  // namespace acl
