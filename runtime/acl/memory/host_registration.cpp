// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/host_registration.h"

#include <sys/mman.h>

#include <algorithm>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

constexpr std::size_t kHostPage = 4096;

// Asks the kernel, some pages at a time.
bool is_mapped(std::uintptr_t begin, std::size_t size) {
  constexpr std::size_t kStep = std::size_t{64} << 20;
  std::vector<unsigned char> pages(std::min(size, kStep) / kHostPage);
  for (std::size_t done = 0; done < size; done += kStep) {
    void* const at = reinterpret_cast<void*>(begin + done);
    if (mincore(at, std::min(size - done, kStep), pages.data()) != 0) return false;
  }
  return true;
}

}  // namespace

HostRegistrations::Ranges::const_iterator HostRegistrations::holder(std::uintptr_t address) const {
  auto it = ranges_.upper_bound(address);
  if (it == ranges_.begin()) return ranges_.end();
  --it;
  return address - it->first < it->second.size ? it : ranges_.end();
}

void HostRegistrations::require_host_memory(const void* begin, std::size_t size) const {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  if (first % kHostPage != 0 || size % kHostPage != 0 || first + size < first) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "ptr is {} and size {}; expected multiples of {}", begin, size,
         kHostPage);
  }
  const sim::AddressSpace* const space = runtime_.memory().space_of(begin);
  if (space && space->device() != sim::kHostDevice) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "ptr is {}, in device memory; expected host memory", begin);
  }
  if (!is_mapped(first, size)) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "ptr is {} and size {}: not all of that is memory of this process", begin, size);
  }
}

void HostRegistrations::add(void* begin, std::size_t size, std::uint32_t flags, int device) {
  require_host_memory(begin, size);
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const sim::LockGuard guard(mutex_);
  const auto next = ranges_.lower_bound(first);
  if (holder(first) != ranges_.end() || (next != ranges_.end() && next->first - first < size)) {
    fail(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
         "ptr is {} and size {}: part of that is registered already", begin, size);
  }
  ranges_.emplace(first, Range{size, flags, device});
  count.store(ranges_.size(), std::memory_order_release);
}

void HostRegistrations::remove(const void* begin) {
  const sim::LockGuard guard(mutex_);
  const auto found = ranges_.find(reinterpret_cast<std::uintptr_t>(begin));
  if (found == ranges_.end()) {
    fail(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, "ptr is {}, where no registered memory starts",
         begin);
  }
  if (auto* const listener = watch::listener()) {
    listener->freeing(begin, found->second.size, watch::Freed::registered_host);
  }
  ranges_.erase(found);
  count.store(ranges_.size(), std::memory_order_release);
}

bool HostRegistrations::covers(const void* begin, std::size_t size) const {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const sim::LockGuard guard(mutex_);
  const auto it = holder(first);
  return it != ranges_.end() && size <= it->second.size - (first - it->first);
}

void* HostRegistrations::device_pointer(void* host) const {
  constexpr std::uint32_t kMapped =
      ACL_HOST_REG_MAPPED | ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY;
  const sim::LockGuard guard(mutex_);
  const auto it = holder(reinterpret_cast<std::uintptr_t>(host));
  if (it == ranges_.end()) {
    fail(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED,
         "pHost is {}, which no aclrtHostRegister made known to a device", host);
  }
  if ((it->second.flags & kMapped) == 0) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "pHost is {}, registered with flags {:#x}; expected ACL_HOST_REG_MAPPED among them", host,
         it->second.flags);
  }
  return host;
}

void HostRegistrations::reset() {
  const sim::LockGuard guard(mutex_);
  ranges_.clear();
  count.store(0, std::memory_order_release);
}

void HostRegistrations::device_ends(int device) {
  const sim::LockGuard guard(mutex_);
  std::erase_if(ranges_, [&](const auto& entry) { return entry.second.device == device; });
  count.store(ranges_.size(), std::memory_order_release);
}

std::size_t HostRegistrations::live_handles() const {
  const sim::LockGuard guard(mutex_);
  return ranges_.size();
}

}  // namespace acl
