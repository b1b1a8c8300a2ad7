// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/managed_memory.h"

#include <algorithm>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/memory/transfer.h"

namespace acl {
namespace {

constexpr std::size_t kPage = 4096;

std::int32_t id_of(const aclrtMemManagedLocation& location) {
  return location.type == ACL_MEM_LOCATIONTYPE_DEVICE ? location.id : ManagedMemory::kHostId;
}

void add_reader(std::vector<std::int32_t>& readers, std::int32_t id) {
  const auto at = std::lower_bound(readers.begin(), readers.end(), id);
  if (at == readers.end() || *at != id) readers.insert(at, id);
}

void apply(ManagedMemory::Page& page, aclrtMemManagedAdviseType advice,
           const aclrtMemManagedLocation& location) {
  switch (advice) {
    case ACL_MEM_ADVISE_SET_READ_MOSTLY:
      page.read_mostly = true;
      return;
    case ACL_MEM_ADVISE_UNSET_READ_MOSTLY:
      page.read_mostly = false;
      return;
    case ACL_MEM_ADVISE_SET_PREFERRED_LOCATION:
      page.preferred = location;
      return;
    case ACL_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
      page.preferred = {ACL_MEM_LOCATIONTYPE_INVALID, 0};
      return;
    case ACL_MEM_ADVISE_SET_ACCESSED_BY:
      add_reader(page.accessed_by, id_of(location));
      return;
    case ACL_MEM_ADVISE_UNSET_ACCESSED_BY:
      std::erase(page.accessed_by, id_of(location));
      return;
  }
}

}  // namespace

ManagedMemory::Range ManagedMemory::range(const void* address, std::size_t size,
                                          const char* argument) const {
  const MemoryLocation place = locate(runtime_, address, size, argument);
  if (!place.managed() || place.variable) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} is {}, which is no memory of aclrtMemAllocManaged",
         argument, address);
  }
  const std::size_t first = reinterpret_cast<std::uintptr_t>(address) - place.allocation->begin;
  return {place.allocation->serial, first / kPage * kPage,
          (first + size + kPage - 1) / kPage * kPage};
}

void ManagedMemory::check_location(const aclrtMemManagedLocation& location,
                                   const char* argument) const {
  switch (location.type) {
    case ACL_MEM_LOCATIONTYPE_DEVICE:
      runtime_.physical(location.id, argument);
      return;
    case ACL_MEM_LOCATIONTYPE_HOST:
    case ACL_MEM_LOCATIONTYPE_HOST_NUMA_CURRENT:
      return;
    case ACL_MEM_LOCATIONTYPE_HOST_NUMA:
      if (location.id >= 0) return;
      break;
    default:
      break;
  }
  fail(ACL_ERROR_RT_PARAM_INVALID,
       "{} is of type {} with id {}; expected a device, the host or a "
       "node of it",
       argument, static_cast<int>(location.type), location.id);
}

ManagedMemory::Pages::iterator ManagedMemory::split(Pages& pages, std::size_t at) {
  const auto it = std::prev(pages.upper_bound(at));
  return it->first == at ? it : pages.emplace_hint(std::next(it), at, it->second);
}

template <class F>
void ManagedMemory::change(const Range& range, F&& f) {
  const sim::LockGuard guard(mutex_);
  Pages& pages = known_.try_emplace(range.serial, Pages{{0, Page{}}}).first->second;
  const auto end = split(pages, range.last);
  for (auto it = split(pages, range.first); it != end; ++it) f(it->second);
}

void ManagedMemory::advise(const Range& range, aclrtMemManagedAdviseType advice,
                           const aclrtMemManagedLocation& location) {
  change(range, [&](Page& page) { apply(page, advice, location); });
}

void ManagedMemory::set_prefetched(const Range& range, const aclrtMemManagedLocation& location) {
  change(range, [&](Page& page) { page.last_prefetch = location; });
}

std::vector<ManagedMemory::Page> ManagedMemory::pages(const Range& range) const {
  const sim::LockGuard guard(mutex_);
  const auto known = known_.find(range.serial);
  if (known == known_.end()) return {Page{}};
  const Pages& pages = known->second;
  std::vector<Page> result;
  for (auto it = std::prev(pages.upper_bound(range.first));
       it != pages.end() && it->first < range.last; ++it) {
    result.push_back(it->second);
  }
  return result;
}

void ManagedMemory::forget(std::uint64_t serial) {
  const sim::LockGuard guard(mutex_);
  known_.erase(serial);
}

void ManagedMemory::reset() {
  const sim::LockGuard guard(mutex_);
  known_.clear();
}

}  // namespace acl
