// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/virtual_memory.h"

#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/call_place.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/ipc/ipc_sharing.h"
#include "runtime/acl/memory/freed_memory.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

struct MemoryAttributeRow {
  aclrtMemAttr attribute;
  bool on_device;
  bool on_host;
  std::size_t granularity;
};

constexpr MemoryAttributeRow kMemoryAttributes[] = {
    {ACL_DDR_MEM, false, true, sim::Mappings::kGranularity},
    {ACL_HBM_MEM, true, false, sim::Mappings::kGranularity},
    {ACL_DDR_MEM_HUGE, false, true, sim::Mappings::kGranularity},
    {ACL_DDR_MEM_NORMAL, false, true, sim::Mappings::kGranularity},
    {ACL_HBM_MEM_HUGE, true, false, sim::Mappings::kGranularity},
    {ACL_HBM_MEM_NORMAL, true, false, sim::Mappings::kGranularity},
    {ACL_DDR_MEM_P2P_HUGE, false, true, sim::Mappings::kGranularity},
    {ACL_DDR_MEM_P2P_NORMAL, false, true, sim::Mappings::kGranularity},
    {ACL_HBM_MEM_P2P_HUGE, true, false, sim::Mappings::kGranularity},
    {ACL_HBM_MEM_P2P_NORMAL, true, false, sim::Mappings::kGranularity},
    {ACL_HBM_MEM_HUGE1G, true, false, kGigabyte},
    {ACL_HBM_MEM_P2P_HUGE1G, true, false, kGigabyte},
    {ACL_MEM_NORMAL, true, true, sim::Mappings::kGranularity},
    {ACL_MEM_HUGE, true, true, sim::Mappings::kGranularity},
    {ACL_MEM_HUGE1G, true, true, kGigabyte},
    {ACL_MEM_P2P_NORMAL, true, true, sim::Mappings::kGranularity},
    {ACL_MEM_P2P_HUGE, true, true, sim::Mappings::kGranularity},
    {ACL_MEM_P2P_HUGE1G, true, true, kGigabyte},
};

const MemoryAttributeRow& row_of(aclrtMemAttr attribute) {
  for (const MemoryAttributeRow& row : kMemoryAttributes) {
    if (row.attribute == attribute) return row;
  }
  fail(ACL_ERROR_INVALID_PARAM, "memAttr is {}; expected 0 to {}", static_cast<int>(attribute),
       static_cast<int>(ACL_MEM_P2P_HUGE1G));
}

}  // namespace

int device_of(Runtime& runtime, const aclrtMemLocation& location) {
  switch (location.type) {
    case ACL_MEM_LOCATION_TYPE_DEVICE:
      return runtime.physical(static_cast<int>(location.id), "location.id");
    case ACL_MEM_LOCATION_TYPE_HOST:
    case ACL_MEM_LOCATION_TYPE_HOST_NUMA:
      return sim::kHostDevice;
    default:
      fail(ACL_ERROR_INVALID_PARAM,
           "location.type is {}; expected a device (1), the host (0) or a NUMA node (4)",
           static_cast<int>(location.type));
  }
}

PhysicalKind kind_of(Runtime& runtime, const aclrtPhysicalMemProp& properties) {
  if (properties.handleType != ACL_MEM_HANDLE_TYPE_NONE) {
    fail(ACL_ERROR_INVALID_PARAM, "handleType is {}; expected ACL_MEM_HANDLE_TYPE_NONE",
         static_cast<int>(properties.handleType));
  }
  if (properties.allocationType != ACL_MEM_ALLOCATION_TYPE_PINNED) {
    fail(ACL_ERROR_INVALID_PARAM, "allocationType is {}; expected ACL_MEM_ALLOCATION_TYPE_PINNED",
         static_cast<int>(properties.allocationType));
  }
  const MemoryAttributeRow& row = row_of(properties.memAttr);
  const int device = device_of(runtime, properties.location);
  const bool host = device == sim::kHostDevice;
  if (host ? !row.on_host : !row.on_device) {
    fail(ACL_ERROR_INVALID_PARAM, "memAttr is {}, a kind of memory that the {} does not have",
         static_cast<int>(properties.memAttr), host ? "host" : "device");
  }
  return {device, row.granularity};
}

// ---- handles ----

void* VirtualMemory::allocate(std::size_t size, const aclrtPhysicalMemProp& properties) {
  const auto [device, granularity] = kind_of(runtime_, properties);
  if (size % granularity != 0) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "size is {}; expected a multiple of {} bytes", size,
         granularity);
  }
  if (auto* const intervener = watch::intervener()) intervener->before_allocation(device);
  sim::Memory& memory = runtime_.memory();
  sim::AddressSpace& space = device == sim::kHostDevice ? memory.host() : memory.device(device);
  return add(runtime_.section<FreedMemory>().with_room(
                 [&] { return sim::PhysicalMemory::allocate(space, size); }),
             properties);
}

void* VirtualMemory::add(sim::Ref<sim::PhysicalMemory> memory,
                         const aclrtPhysicalMemProp& properties) {
  auto allocation = sim::make_ref<PhysicalAllocation>();
  allocation->memory = std::move(memory);
  allocation->properties = properties;
  const sim::LockGuard guard(mutex_);
  give_handle(*allocation);
  void* const handle = allocation->handle;
  records_.emplace(allocation->memory.get(), std::move(allocation));
  return handle;
}

void VirtualMemory::give_handle(PhysicalAllocation& allocation) {
  allocation.handle = handles_.add(sim::Ref<PhysicalAllocation>::share(&allocation));
  if (!allocation.handle) {
    fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "the process has too many pieces of physical memory");
  }
  allocation.references = 1;
}

void VirtualMemory::end_handle(PhysicalAllocation& allocation) {
  if (const auto pin = handles_.find(allocation.handle)) handles_.remove(pin);
  allocation.handle = nullptr;
  allocation.references = 0;
  if (const sim::IpcKey key = std::exchange(allocation.shared, 0)) {
    runtime_.section<IpcSharing>().withdraw(key);
  }
}

void VirtualMemory::forget_if_unused(const sim::PhysicalMemory* memory) {
  const auto it = records_.find(memory);
  if (it == records_.end()) return;
  if (!it->second->handle && it->second->memory->unique()) records_.erase(it);
}

PhysicalTable::Pin VirtualMemory::find(const void* handle) {
  auto pin = handles_.find(handle);
  if (!pin) {
    fail_for_handle(
        handle, ACL_ERROR_RT_INVALID_HANDLE,
        "handle is {}, which is no live physical memory (freed, or another kind of handle)",
        handle);
  }
  return pin;
}

void VirtualMemory::free(void* handle) {
  const sim::LockGuard guard(mutex_);
  if (take_ended_handle(handle)) return;
  const auto pin = find(handle);
  if (--pin->references > 0) return;
  end_handle(*pin);
  forget_if_unused(pin->memory.get());
}

bool VirtualMemory::take_ended_handle(const void* handle) {
  const auto it = ended_handles_.find(handle);
  if (it == ended_handles_.end()) return false;
  if (--it->second == 0) ended_handles_.erase(it);
  return true;
}

void* VirtualMemory::retain(const void* address) {
  const sim::LockGuard guard(mutex_);
  const auto memory = runtime_.memory().mappings().memory_at(address);
  const auto it = records_.find(memory.get());
  if (it == records_.end()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "virPtr is {}, where no physical memory is mapped", address);
  }
  PhysicalAllocation& allocation = *it->second;
  if (allocation.handle) {
    ++allocation.references;
  } else {
    give_handle(allocation);
  }
  return allocation.handle;
}

// ---- mappings ----

void VirtualMemory::map(void* at, std::size_t size, void* handle,
                        const sim::Mappings::Rights& rights, const void* caller,
                        sim::Mappings::Neighbours neighbours) {
  const sim::LockGuard guard(mutex_);
  const auto pin = find(handle);
  if (size != pin->memory->size()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "size is {}; expected that of the physical memory, {}", size,
         pin->memory->size());
  }
  runtime_.memory().mappings().map(at, pin->memory, rights, place_to_keep(caller), 0, size,
                                   neighbours);
  tell_of_mapping(at, *pin);
}

// Writes of other processes, or at an earlier mapping, are not known here, so such memory is not
// fresh.
void VirtualMemory::tell_of_mapping(const void* at, PhysicalAllocation& allocation) {
  const bool fresh = !allocation.was_mapped && !allocation.memory->adopted();
  allocation.was_mapped = true;
  const auto begin = reinterpret_cast<std::uintptr_t>(at);
  ended_mappings_.erase(ended_mappings_.lower_bound(begin),
                        ended_mappings_.lower_bound(begin + allocation.memory->size()));
  if (auto* const listener = watch::listener()) {
    listener->mapped(at, allocation.memory->size(), allocation.memory.get(), fresh);
  }
}

void VirtualMemory::map_again(void* at, std::size_t size, const void* source, const void* caller) {
  const sim::LockGuard guard(mutex_);
  sim::Mappings& mappings = runtime_.memory().mappings();
  const auto found = mappings.find(source);
  const auto memory = mappings.memory_at(source);
  if (records_.count(memory.get()) == 0 ||
      found->begin != reinterpret_cast<std::uintptr_t>(source) || found->size != size) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "virPtrSrc is {} and size {}; expected start and size of mapped physical memory", source,
         size);
  }
  mappings.map(at, memory, {}, caller);
  tell_of_mapping(at, *records_.find(memory.get())->second);
}

void VirtualMemory::unmap(void* at) {
  const sim::LockGuard guard(mutex_);
  sim::Mappings& mappings = runtime_.memory().mappings();
  sim::Ref<sim::PhysicalMemory> memory = mappings.memory_at(at);
  if (records_.count(memory.get()) == 0) {
    if (ended_mappings_.erase(reinterpret_cast<std::uintptr_t>(at)) != 0) return;
    fail(ACL_ERROR_RT_PARAM_INVALID, "virPtr is {}, where no physical memory is mapped", at);
  }
  if (auto* const listener = watch::listener()) {
    const auto mapped = runtime_.memory().find(at);
    if (mapped) listener->freeing(at, mapped->size, watch::Freed::mapped);
  }
  mappings.unmap(at);
  const sim::PhysicalMemory* const name = memory.get();
  memory = nullptr;
  forget_if_unused(name);
}

// ---- ends ----

void VirtualMemory::device_ends(int device) {
  const sim::LockGuard guard(mutex_);
  end_mappings(device);
  for (auto it = records_.begin(); it != records_.end();) {
    PhysicalAllocation& allocation = *it->second;
    if (allocation.memory->device() != device) {
      ++it;
      continue;
    }
    if (allocation.handle) ended_handles_.emplace(allocation.handle, allocation.references);
    end_handle(allocation);
    it = records_.erase(it);
  }
}

void VirtualMemory::end_mappings(int device) {
  sim::Mappings& mappings = runtime_.memory().mappings();
  for (const sim::Allocation& mapping : mappings.live()) {
    if (mapping.device == device) ended_mappings_.insert(mapping.begin);
  }
  mappings.unmap_all(device);
}

void VirtualMemory::reset() {
  const sim::LockGuard guard(mutex_);
  runtime_.memory().mappings().clear();
  for (const auto& [memory, allocation] : records_) end_handle(*allocation);
  records_.clear();
  ended_handles_.clear();
  ended_mappings_.clear();
}

std::size_t VirtualMemory::live_handles() const {
  return handles_.count() + runtime_.memory().mappings().reservation_count();
}

}  // namespace acl
