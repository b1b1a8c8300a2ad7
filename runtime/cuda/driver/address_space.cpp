// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/address_space.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>

#include "acl/acl.h"
#include "device_sim/base/mutex.h"
#include "runtime/cuda/base/guard.h"
#include "runtime/cuda/base/settings.h"
#include "runtime/cuda/driver/raw_access.h"

namespace cuda::address_space {
namespace {

struct Reservation {
  std::size_t size = 0;
  void* acl = nullptr;  // where ACL's begins
};

struct Space {
  sim::SharedMutex mutex;
  std::map<CUdeviceptr, Reservation> reservations GUARDED_BY(mutex);
  std::map<CUdeviceptr, std::shared_ptr<Mapping>> mappings GUARDED_BY(mutex);
  std::atomic<std::uint64_t> epoch{1};
};

Space& space() {
  static Space& made = *new Space;
  return made;
}

void* pointer(CUdeviceptr address) { return reinterpret_cast<void*>(address); }

const Reservation* reservation_of(CUdeviceptr begin, std::size_t size)
    REQUIRES_SHARED(space().mutex) {
  auto& all = space().reservations;
  auto it = all.upper_bound(begin);
  if (it == all.begin()) return nullptr;
  --it;
  const std::size_t inner = begin - it->first;
  return inner < it->second.size && size <= it->second.size - inner ? &it->second : nullptr;
}

std::shared_ptr<Mapping> mapping_of(CUdeviceptr address) REQUIRES_SHARED(space().mutex) {
  auto& all = space().mappings;
  auto it = all.upper_bound(address);
  if (it == all.begin()) return nullptr;
  --it;
  return address - it->first < it->second->size ? it->second : nullptr;
}

bool overlaps_mapping(CUdeviceptr begin, std::size_t size) REQUIRES_SHARED(space().mutex) {
  auto& all = space().mappings;
  const auto it = all.lower_bound(begin);
  return mapping_of(begin) != nullptr || (it != all.end() && it->first - begin < size);
}

int device_of(const CUmemLocation& location) {
  switch (location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
      Machine::get().require_device(location.id);
      return location.id;
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
      return -1;
    default:
      refuse("location.type is {}; expected a device (1), the host (2) or a NUMA node (3, 4)",
             static_cast<int>(location.type));
  }
}

aclrtMemAccessDesc acl_desc(int device, CUmemAccess_flags flags) {
  aclrtMemAccessDesc desc{};
  desc.flags = static_cast<aclrtMemAccessFlags>(flags);
  desc.location.type = device < 0 ? ACL_MEM_LOCATION_TYPE_HOST : ACL_MEM_LOCATION_TYPE_DEVICE;
  desc.location.id = device < 0 ? 0 : static_cast<std::uint32_t>(device);
  return desc;
}

// The mappings that follow each other from `begin` and end at `begin + size`.
std::vector<std::shared_ptr<Mapping>> whole_mappings(CUdeviceptr begin, std::size_t size,
                                                     const char* call) REQUIRES(space().mutex) {
  std::vector<std::shared_ptr<Mapping>> found;
  const CUdeviceptr end = begin + size;
  CUdeviceptr at = begin;
  while (at != end) {
    const auto it = space().mappings.find(at);
    if (it == space().mappings.end() || it->second->size > end - at) {
      refuse("{}: {} bytes from {:#x} on are not exactly one or several mappings", call, size,
             begin);
    }
    found.push_back(it->second);
    at += it->second->size;
  }
  return found;
}

void require_granularity(CUdeviceptr begin, std::size_t size) {
  if (begin % multicast::kGranularity != 0) {
    refuse("address is {:#x}; expected a multiple of {}", begin, multicast::kGranularity);
  }
  if (size == 0 || size % multicast::kGranularity != 0) {
    refuse("size is {}; expected a multiple of {} bytes", size, multicast::kGranularity);
  }
}

void end_mapping(const Mapping& mapping) {
  if (mapping.handle->memory) {
    mapping.handle->memory->not_seen_at(mapping.begin);
    aclrtUnmapMem(pointer(mapping.begin));
  } else {
    raw_access::forget(mapping.begin);
  }
}

}  // namespace

// ---- reservations ----

CUdeviceptr reserve(std::size_t size, std::size_t alignment, CUdeviceptr wanted) {
  Machine::get();
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  if (size == 0 || size % page != 0) {
    refuse("size is {}; expected a multiple of a page ({} bytes)", size, page);
  }
  if (alignment != 0 && !std::has_single_bit(alignment)) {
    refuse("alignment is {}; expected 0 or a power of two", alignment);
  }
  if (wanted % page != 0) refuse("addr is {:#x}; expected a multiple of a page", wanted);
  const std::size_t step = std::max<std::size_t>(alignment, multicast::kGranularity);
  const std::size_t slack = step > multicast::kGranularity ? step : 0;
  if (size + slack < size) fail(CUDA_ERROR_OUT_OF_MEMORY, "size is {}", size);
  void* at = nullptr;
  aclError error = ACL_ERROR_RT_PARAM_INVALID;
  if (wanted != 0 && wanted % step == 0) {  // only a hint
    error = aclrtReserveMemAddress(&at, size, 0, pointer(wanted), 0);
  }
  if (error != ACL_SUCCESS) error = aclrtReserveMemAddress(&at, size + slack, 0, nullptr, 0);
  require_acl(error, "addresses");
  const auto begin = (reinterpret_cast<CUdeviceptr>(at) + step - 1) / step * step;
  try {
    const sim::UniqueLock guard(space().mutex);
    space().reservations[begin] = {size, at};
  } catch (...) {
    aclrtReleaseMemAddress(at);
    throw;
  }
  return begin;
}

void release(CUdeviceptr begin, std::size_t size) {
  Machine::get();
  const sim::UniqueLock guard(space().mutex);
  const auto it = space().reservations.find(begin);
  if (it == space().reservations.end() || it->second.size != size) {
    refuse("{:#x} and size {} are not start and size of a reservation", begin, size);
  }
  if (overlaps_mapping(begin, size)) refuse("something is still mapped at {:#x}", begin);
  require_acl(aclrtReleaseMemAddress(it->second.acl), "the addresses");
  space().reservations.erase(it);
}

// ---- mappings ----

void map(Caller caller, CUdeviceptr begin, std::size_t size, std::size_t offset,
         CUmemGenericAllocationHandle value) {
  Machine::get();
  const HandleRef handle = handles::find(value);
  require_granularity(begin, size);
  if (offset != 0) refuse("offset is {}; it must be 0", offset);
  if (size > handle->size()) {
    refuse("size is {}, more than the {} bytes of the handle", size, handle->size());
  }
  if (handle->memory && size != handle->size()) {
    refuse("size is {}; memory is mapped as a whole, {} bytes", size, handle->size());
  }
  const auto require_free = [&]() REQUIRES_SHARED(space().mutex) {
    if (!reservation_of(begin, size)) {
      refuse("{} bytes from {:#x} on are not inside one reservation", size, begin);
    }
    if (overlaps_mapping(begin, size)) refuse("something is mapped at {:#x} already", begin);
  };
  {
    const sim::SharedLock guard(space().mutex);
    require_free();
  }
  if (handle->multicast) {
    may_fail("map");
    handle->multicast->wait_until_complete("cuMemMap");
  }
  // Nothing may fail once the memory is mapped.
  auto mapping = std::make_shared<Mapping>();
  mapping->begin = begin;
  mapping->size = size;
  mapping->handle = handle;
  std::map<CUdeviceptr, std::shared_ptr<Mapping>> made;
  made.emplace(begin, std::move(mapping));
  const sim::UniqueLock guard(space().mutex);
  require_free();
  if (handle->memory) {
    require(Machine::get().runtime().map(caller, pointer(begin), size, handle->memory->acl()),
            "the mapping");
    handle->memory->seen_at(begin);
  } else {
    // Memory that was unmapped here before may have left open pages.
    mprotect(pointer(begin), size, PROT_NONE);
    raw_access::watch(
        begin, size,
        fmt::format("multicast object {:016x} of {} bytes, team {}", handle->multicast->name(),
                    handle->multicast->size(), handle->multicast->team()));
  }
  space().mappings.insert(made.extract(begin));
  space().epoch.fetch_add(1);
}

void unmap(CUdeviceptr begin, std::size_t size) {
  Machine::get();
  std::vector<std::shared_ptr<Mapping>> ended;  // their memory may end, outside of the lock
  {
    const sim::UniqueLock guard(space().mutex);
    ended = whole_mappings(begin, size, "cuMemUnmap");
    if (ended.empty()) refuse("size is 0");
    for (const auto& mapping : ended) {
      end_mapping(*mapping);
      space().mappings.erase(mapping->begin);
    }
    space().epoch.fetch_add(1);
  }
}

// ---- rights ----

void set_access(CUdeviceptr begin, std::size_t size, const CUmemAccessDesc* desc,
                std::size_t count) {
  Machine::get();
  if (count == 0) refuse("count is 0");
  AccessTable named;  // the last entry of a device counts
  for (std::size_t i = 0; i < count; ++i) {
    const CUmemAccess_flags flags = desc[i].flags;
    if (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE && flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
        flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
      refuse("desc[{}].flags is {}; expected none (0), read (1) or read and write (3)", i,
             static_cast<int>(flags));
    }
    named[device_of(desc[i].location)] = flags;
  }
  const sim::UniqueLock guard(space().mutex);
  const auto found = whole_mappings(begin, size, "cuMemSetAccess");
  if (found.empty()) refuse("size is 0");
  for (const auto& mapping : found) {
    if (!mapping->handle->multicast) continue;
    for (const auto& [device, flags] : named) {
      if (device >= 0 && mapping->handle->multicast->has(device)) continue;
      fail(CUDA_ERROR_ILLEGAL_STATE, "{} is not in the team of the multicast object at {:#x} ({})",
           device < 0 ? "the host" : fmt::format("device {}", device), mapping->begin,
           mapping->handle->multicast->team());
    }
  }
  std::vector<aclrtMemAccessDesc> of_acl;
  for (const auto& [device, flags] : named) of_acl.push_back(acl_desc(device, flags));
  // A thread that has looked up a mapping keeps the old object.
  std::vector<std::shared_ptr<Mapping>> changed;
  for (const auto& mapping : found) {
    changed.push_back(std::make_shared<Mapping>(*mapping));
    for (const auto& [device, flags] : named) changed.back()->access[device] = flags;
  }
  for (auto& mapping : changed) {
    if (mapping->handle->memory) {
      require_acl(
          aclrtMemSetAccess(pointer(mapping->begin), mapping->size, of_acl.data(), of_acl.size()),
          "the rights");
    }
    const auto at = space().mappings.find(mapping->begin);
    at->second = std::move(mapping);
  }
  space().epoch.fetch_add(1);
}

CUmemAccess_flags access(CUdeviceptr address, const CUmemLocation& location) {
  const int device = device_of(location);
  const auto mapping = find(address);
  if (!mapping) refuse("nothing is mapped at {:#x}", address);
  return mapping->access_of(device);
}

// ---- look-ups ----

std::shared_ptr<const Mapping> find(CUdeviceptr address) {
  const sim::SharedLock guard(space().mutex);
  return mapping_of(address);
}

std::vector<MappedPart> parts(CUdeviceptr begin, std::size_t size, const char* argument) {
  std::vector<MappedPart> found;
  const sim::SharedLock guard(space().mutex);
  CUdeviceptr at = begin;
  std::size_t left = size;
  do {
    const auto mapping = mapping_of(at);
    if (!mapping) {
      if (found.empty()) return found;
      refuse("{}: {} bytes from {:#x} on pass the end of what is mapped", argument, size, begin);
    }
    const std::size_t inner = at - mapping->begin;
    const std::size_t part = std::min(left, mapping->size - inner);
    found.push_back({mapping, inner, part});
    at += part;
    left -= part;
  } while (left != 0);
  return found;
}

bool reserved(CUdeviceptr address) {
  const sim::SharedLock guard(space().mutex);
  return reservation_of(address, 1) != nullptr;
}

std::uint64_t epoch() noexcept { return space().epoch.load(); }

}  // namespace cuda::address_space
