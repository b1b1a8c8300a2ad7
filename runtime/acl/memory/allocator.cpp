// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/allocator.h"

#include "device_sim/base/mutex.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

void Allocators::lend(void* stream, const Registration& registration) {
  forget_ended_streams();
  const sim::LockGuard guard(mutex_);
  by_stream_[stream] = registration;
}

void Allocators::take_back(void* stream) {
  const sim::LockGuard guard(mutex_);
  by_stream_.erase(stream);
}

std::optional<Allocators::Registration> Allocators::of(void* stream) const {
  const sim::LockGuard guard(mutex_);
  const auto it = by_stream_.find(stream);
  return it == by_stream_.end() ? std::nullopt : std::optional(it->second);
}

// A handle is never given twice, so the allocator of a stream that has ended cannot be found any
// more.
void Allocators::forget_ended_streams() {
  const sim::LockGuard guard(mutex_);
  std::erase_if(by_stream_,
                [&](const auto& entry) { return !runtime_.streams().find(entry.first); });
}

void Allocators::reset() {
  table_.for_each([&](const AllocatorTable::Pin& desc) { table_.remove(desc); });
  const sim::LockGuard guard(mutex_);
  by_stream_.clear();
}

}  // namespace acl
