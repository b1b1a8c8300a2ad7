// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/core/group_memory.h"

#include <cstring>
#include <utility>

namespace ascendc {

void GroupMemory::join(std::uint64_t group, std::byte* ub, std::byte* l1) {
  own_group_ = group;
  const sim::LockGuard guard(mutex_);
  group_ = group;
  ub_ = ub;
  l1_ = l1;
  bytes_.clear();
  received_ = false;
}

void GroupMemory::leave() {
  if (own_group_ != 0) join(0, nullptr, nullptr);
}

std::byte* GroupMemory::memory(std::uint64_t group, Memory memory) const {
  if (group != group_) return nullptr;
  return memory == Memory::ub ? ub_ : memory == Memory::l1 ? l1_ : nullptr;
}

void GroupMemory::receive(std::uint64_t group, const Write& write,
                          const std::function<void(bool same)>& before) {
  const sim::LockGuard guard(mutex_);
  std::byte* const to = memory(group, write.memory);
  if (!to || write.bytes == 0) return;
  if (before) before(std::memcmp(to + write.offset, write.values, write.bytes) == 0);
  std::memcpy(to + write.offset, write.values, write.bytes);
  const std::uint64_t end = write.offset + write.bytes;
  if (!bytes_.empty() && bytes_.back().memory == write.memory &&
      bytes_.back().end == write.offset) {
    bytes_.back().end = end;
  } else {
    bytes_.push_back({write.memory, write.offset, end});
  }
  received_.store(true, std::memory_order_release);
}

std::vector<GroupMemory::Bytes> GroupMemory::take() {
  const sim::LockGuard guard(mutex_);
  received_ = false;
  return std::exchange(bytes_, {});
}

}  // namespace ascendc
