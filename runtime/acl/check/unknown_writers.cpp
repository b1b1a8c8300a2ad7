// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/check/unknown_writers.h"

#include <algorithm>
#include <vector>

#include "device_sim/memory/memory.h"
#include "device_sim/streams/op.h"
#include "runtime/acl/kernel/given.h"

namespace acl {

void UnknownWriters::add_kernel(const sim::Op& op, std::span<const order::Access> accessed) {
  std::vector<std::uintptr_t> given;
  any_given(memory_, op, [&](const void* at) {
    if (const auto found = memory_.find(at)) given.push_back(found->begin);
    return false;
  });
  const auto was_given = [&](const order::Access& access) {
    const auto found = memory_.find(reinterpret_cast<const void*>(access.begin));
    return !found || std::find(given.begin(), given.end(), found->begin) != given.end();
  };
  if (given.empty() || !std::all_of(accessed.begin(), accessed.end(), was_given)) anywhere_ = true;
  given_.insert(given.begin(), given.end());
}

void UnknownWriters::map(const sim::PhysicalMemory* memory, bool fresh) {
  if (fresh) {
    mapped_again_.erase(memory);
  } else {
    mapped_again_.insert(memory);
  }
}

void UnknownWriters::forget(std::uintptr_t allocation) {
  shared_.erase(allocation);
  given_.erase(allocation);
}

void UnknownWriters::clear() {
  anywhere_ = false;
  shared_.clear();
  given_.clear();
  mapped_again_.clear();
}

bool UnknownWriters::none_to(const sim::Allocation& allocation) const {
  return !anywhere_ && !shared_.contains(allocation.begin) && !given_.contains(allocation.begin);
}

bool UnknownWriters::is_private(std::uintptr_t address) const {
  const auto found = memory_.find(reinterpret_cast<const void*>(address));
  return found && found->device != sim::kHostDevice && !found->restricted && none_to(*found) &&
         mapped_again_.empty();
}

bool UnknownWriters::holds_earlier_bytes(std::uintptr_t address) const {
  const auto* const at = reinterpret_cast<const void*>(address);
  return mapped_again_.contains(memory_.mappings().memory_at(at).get());
}

}  // namespace acl
