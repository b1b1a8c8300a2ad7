// SPDX-License-Identifier: Apache-2.0
// Physical memory between processes.
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/ipc/ipc_sharing.h"
#include "runtime/acl/memory/virtual_memory.h"

namespace acl {
namespace {

/// The metadata that the importer receives.
struct SharedPhysical {
  std::uint64_t size;
  std::int32_t device;  // of the machine, or sim::kHostDevice
  std::uint32_t reserved;
  aclrtPhysicalMemProp properties;
};

}  // namespace

sim::IpcKey VirtualMemory::share(void* handle, bool everybody) {
  const sim::LockGuard guard(mutex_);
  const auto pin = find(handle);
  if (pin->memory->adopted()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "handle is {}, memory that another process shares", handle);
  }
  if (pin->shared != 0) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "handle is {}, which was exported before", handle);
  }
  const SharedPhysical told{pin->memory->size(), pin->memory->device(), 0, pin->properties};
  pin->shared =
      runtime_.section<IpcSharing>().share(IpcKind::physical, told, pin->memory->file(), everybody);
  return pin->shared;
}

void* VirtualMemory::import(sim::IpcKey key, int device) {
  SharedPhysical told{};
  sim::OwnedFd file = IpcSharing::import(IpcKind::physical, key, "shareableHandle", told);
  if (told.device == sim::kHostDevice) {
    device = sim::kHostDevice;
  } else {
    require_path(runtime_, told.device, device);
    told.properties.location.id = static_cast<std::uint32_t>(runtime_.logical(device));
  }
  return add(sim::PhysicalMemory::adopt(std::move(file), 0, told.size, device), told.properties);
}

}  // namespace acl
