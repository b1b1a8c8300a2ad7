// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/physical_memory.h"

#include <atomic>
#include <map>
#include <utility>

#include "acl/acl.h"
#include "device_sim/base/mutex.h"
#include "runtime/cuda/base/guard.h"
#include "runtime/cuda/base/settings.h"
#include "runtime/cuda/driver/machine.h"
#include "runtime/cuda/multicast/table.h"

namespace cuda {
namespace {

struct Names {
  sim::Mutex mutex;
  std::map<std::uint64_t, std::weak_ptr<PhysicalMemory>> by_name GUARDED_BY(mutex);
  std::uint64_t last GUARDED_BY(mutex) = 0;
};

Names& names() {
  static Names& made = *new Names;
  return made;
}

/// Memory without an owner, which reclaim_memory releases. The list needs no allocation, because
/// destructors add to it.
struct Unowned {
  sim::Mutex mutex;
  std::atomic<bool> any{false};
  PhysicalMemory* first GUARDED_BY(mutex) = nullptr;
};

Unowned& unowned() {
  static Unowned& made = *new Unowned;
  return made;
}

// Keys of ACL have a process in their upper bits, so small numbers are free.
std::uint64_t new_local_name() {
  const sim::LockGuard guard(names().mutex);
  return ++names().last;
}

bool on_host(const CUmemAllocationProp& prop) {
  return prop.location.type == CU_MEM_LOCATION_TYPE_HOST ||
         prop.location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
         prop.location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
}

aclrtPhysicalMemProp acl_properties(const CUmemAllocationProp& prop) {
  aclrtPhysicalMemProp of_acl{};
  of_acl.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  of_acl.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  of_acl.memAttr = ACL_MEM_NORMAL;
  of_acl.location.type = on_host(prop) ? ACL_MEM_LOCATION_TYPE_HOST : ACL_MEM_LOCATION_TYPE_DEVICE;
  of_acl.location.id = on_host(prop) ? 0 : static_cast<std::uint32_t>(prop.location.id);
  return of_acl;
}

}  // namespace

std::size_t require_properties(const CUmemAllocationProp& prop) {
  if (prop.type != CU_MEM_ALLOCATION_TYPE_PINNED) {
    fail(CUDA_ERROR_NOT_SUPPORTED, "prop->type is {}; expected CU_MEM_ALLOCATION_TYPE_PINNED (1)",
         static_cast<int>(prop.type));
  }
  constexpr unsigned kKnown = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR | CU_MEM_HANDLE_TYPE_FABRIC;
  const auto types = static_cast<unsigned>(prop.requestedHandleTypes);
  if ((types & ~kKnown) != 0) {
    fail(CUDA_ERROR_NOT_SUPPORTED,
         "prop->requestedHandleTypes is {:#x}; expected bits of file descriptors (1) and fabric "
         "handles (8)",
         types);
  }
  if ((types & CU_MEM_HANDLE_TYPE_FABRIC) != 0 && !settings().fabric) {
    fail(CUDA_ERROR_NOT_PERMITTED, "fabric handles are switched off (ACLSIM_CUDA_FABRIC)");
  }
  switch (prop.location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
      Machine::get().require_device(prop.location.id);
      break;
    case CU_MEM_LOCATION_TYPE_HOST:
      if (types != 0) refuse("memory of the host (location HOST) cannot be shared");
      break;
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
      break;
    default:
      refuse("prop->location.type is {}; expected a device (1), the host (2) or a NUMA node (3, 4)",
             static_cast<int>(prop.location.type));
  }
  return multicast::kGranularity;
}

// ---- life ----

std::shared_ptr<PhysicalMemory> PhysicalMemory::own(PhysicalMemory* memory) {
  std::shared_ptr<PhysicalMemory> owner(memory, [](PhysicalMemory* last) {
    const sim::LockGuard guard(unowned().mutex);
    last->next_unowned_ = std::exchange(unowned().first, last);
    unowned().any = true;
  });
  owner->self_ = owner;
  return owner;
}

void reclaim_memory() noexcept {
  if (!unowned().any.load()) return;
  PhysicalMemory* gone = nullptr;
  {
    const sim::LockGuard guard(unowned().mutex);
    gone = std::exchange(unowned().first, nullptr);
    unowned().any = false;
  }
  while (gone) delete std::exchange(gone, gone->next_unowned_);
}

std::shared_ptr<PhysicalMemory> PhysicalMemory::create(std::size_t size,
                                                       const CUmemAllocationProp& prop) {
  const std::size_t granularity = require_properties(prop);
  if (size == 0 || size % granularity != 0) {
    refuse("size is {}; expected a multiple of {} bytes (cuMemGetAllocationGranularity)", size,
           granularity);
  }
  if (!on_host(prop)) Machine::get().hold(prop.location.id);
  reclaim_memory();
  const aclrtPhysicalMemProp of_acl = acl_properties(prop);
  aclrtDrvMemHandle handle = nullptr;
  require_acl(aclrtMallocPhysical(&handle, size, &of_acl, 0), "the memory");
  auto made = own(new PhysicalMemory(handle, size, prop));
  return made;
}

std::shared_ptr<PhysicalMemory> PhysicalMemory::import(std::uint64_t key, std::size_t size,
                                                       const CUmemAllocationProp& prop) {
  if (auto known = find(key)) return known;
  const int device = on_host(prop) ? 0 : prop.location.id;
  Machine::get().hold(device);
  aclrtDrvMemHandle handle = nullptr;
  const KeepAclContext keep;
  require_acl(aclrtSetDevice(device), "the device");
  const aclError error = aclrtMemImportFromShareableHandle(key, device, &handle);
  aclrtResetDevice(device);
  if (error != ACL_SUCCESS) {
    const char* const text = aclGetRecentErrMsg();
    refuse("the memory of another process cannot be had: {}", text ? text : "no reason");
  }
  auto made = own(new PhysicalMemory(handle, size, prop));
  const sim::LockGuard guard(made->mutex_);
  made->key_ = key;
  made->publish(made, key);
  return made;
}

PhysicalMemory::~PhysicalMemory() {
  if (name_ != 0) {
    const sim::LockGuard guard(names().mutex);
    const auto it = names().by_name.find(name_);
    if (it != names().by_name.end() && it->second.expired()) names().by_name.erase(it);
  }
  if (alias_) {
    aclrtUnmapMem(alias_);
    aclrtReleaseMemAddress(alias_);
  }
  aclrtFreePhysical(acl_);
}

std::shared_ptr<PhysicalMemory> PhysicalMemory::find(std::uint64_t name) {
  const sim::LockGuard guard(names().mutex);
  const auto it = names().by_name.find(name);
  return it == names().by_name.end() ? nullptr : it->second.lock();
}

void PhysicalMemory::publish(const std::shared_ptr<PhysicalMemory>& self, std::uint64_t name) {
  name_ = name;
  const sim::LockGuard guard(names().mutex);
  names().by_name[name] = self;
}

// ---- names ----

std::uint64_t PhysicalMemory::key() {
  const sim::LockGuard guard(mutex_);
  if (key_ == 0) {
    require_acl(
        aclrtMemExportToShareableHandle(acl_, ACL_MEM_HANDLE_TYPE_NONE,
                                        ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION, &key_),
        "the export");
  }
  return key_;
}

std::uint64_t PhysicalMemory::name() {
  const std::uint64_t wanted = shareable() ? key() : 0;
  const sim::LockGuard guard(mutex_);
  if (name_ == 0) publish(self_.lock(), wanted != 0 ? wanted : new_local_name());
  return name_;
}

// ---- bytes ----

std::byte* PhysicalMemory::map_bytes() {
  if (!alias_) {
    void* at = nullptr;
    require_acl(aclrtReserveMemAddress(&at, size_, 0, nullptr, 0), "addresses");
    const aclError error = aclrtMapMem(at, size_, 0, acl_, 0);
    if (error != ACL_SUCCESS) aclrtReleaseMemAddress(at);
    require_acl(error, "a mapping");
    alias_ = at;
  }
  return static_cast<std::byte*>(alias_);
}

std::byte* PhysicalMemory::bytes() {
  const sim::LockGuard guard(mutex_);
  return static_cast<std::byte*>(Machine::get().runtime().engine(map_bytes()));
}

void PhysicalMemory::seen_at(CUdeviceptr address) {
  const sim::LockGuard guard(mutex_);
  if (seen_at_ == 0) seen_at_ = address;
}

void PhysicalMemory::not_seen_at(CUdeviceptr address) {
  const sim::LockGuard guard(mutex_);
  if (seen_at_ == address) seen_at_ = 0;
}

const void* PhysicalMemory::shown(std::size_t offset) {
  const sim::LockGuard guard(mutex_);
  if (seen_at_ != 0) return reinterpret_cast<const std::byte*>(seen_at_) + offset;
  return map_bytes() + offset;
}

}  // namespace cuda
