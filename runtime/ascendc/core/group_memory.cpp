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

void GroupMemory::receive(std::uint64_t group, Memory where, std::uint64_t offset,
                          const std::byte* from, std::uint64_t bytes) {
  const sim::LockGuard guard(mutex_);
  std::byte* const to = memory(group, where);
  if (!to || bytes == 0) return;
  std::memcpy(to + offset, from, bytes);
  if (!bytes_.empty() && bytes_.back().memory == where && bytes_.back().end == offset) {
    bytes_.back().end += bytes;
  } else {
    bytes_.push_back({where, offset, offset + bytes});
  }
  received_.store(true, std::memory_order_release);
}

bool GroupMemory::holds(std::uint64_t group, Memory where, std::uint64_t offset,
                        const std::byte* values, std::uint64_t bytes) {
  const sim::LockGuard guard(mutex_);
  const std::byte* const at = memory(group, where);
  return at && std::memcmp(at + offset, values, bytes) == 0;
}

std::vector<GroupMemory::Bytes> GroupMemory::take() {
  const sim::LockGuard guard(mutex_);
  received_ = false;
  return std::exchange(bytes_, {});
}

}  // namespace ascendc
