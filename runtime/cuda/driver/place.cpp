// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/place.h"

#include <atomic>
#include <cstdio>

#include "acl/acl.h"
#include "runtime/cuda/base/guard.h"
#include "runtime/cuda/base/settings.h"
#include "runtime/cuda/driver/address_space.h"

namespace cuda {
namespace {

bool allows(CUmemAccess_flags access, Role role) {
  return role == Role::read ? access != CU_MEM_ACCESS_FLAGS_PROT_NONE
                            : access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
}

void require_access(const Mapping& mapping, Role role, int device, const char* argument) {
  if (allows(mapping.access_of(device), role)) return;
  const MemoryRef& memory = mapping.handle->memory;
  if (memory && allows(mapping.access_of(memory->on_device() ? memory->device() : -1), role)) {
    return;
  }
  refuse("{}: device {} may not {} the mapping at {:#x}; give it access with cuMemSetAccess",
         argument, device, role == Role::read ? "read" : "write", mapping.begin);
}

Copy copy_in(const MemoryRef& memory, std::size_t offset) {
  return {memory->bytes() + offset, memory->shown(offset), memory};
}

std::string list_of(const std::vector<int>& devices) {
  std::string text;
  for (const int device : devices) text += fmt::format("{}{}", text.empty() ? "" : ", ", device);
  return text;
}

void say_once(std::atomic<bool>& said, const char* text) {
  if (!said.exchange(true)) std::fprintf(stderr, "aclsim: %s\n", text);
}

// ---- multicast ----

// Undefined on hardware, where only multimem instructions may read there.
void add_replica_to_read(Side& side, const ReplicatedSegment& piece, const MappedPart& part,
                         int device) {
  if (settings().refuse_reads) {
    refuse(
        "a copy reads through the address of a multicast object, which hardware leaves undefined "
        "(ACLSIM_CUDA_MULTICAST_READS=refuse)");
  }
  static std::atomic<bool> said{false};
  say_once(said,
           "a copy reads through the address of a multicast object, which hardware leaves "
           "undefined; it gets what the current device has, or else the first of the team");
  const Replica* chosen = nullptr;
  for (const Replica& replica : piece.replicas) {
    if (!chosen || replica.device == device) chosen = &replica;
  }
  if (!chosen) {
    fail(CUDA_ERROR_ILLEGAL_ADDRESS,
         "nothing is bound at offset {} of the multicast object at {:#x}", piece.offset,
         part.mapping->begin);
  }
  side.extents.push_back({piece.size, {copy_in(chosen->memory, chosen->offset)}});
}

void add_replicas(Side& side, const ReplicatedSegment& piece, const MappedPart& part) {
  if (!piece.unbound.empty()) {
    if (!settings().lenient_stores) {
      fail(CUDA_ERROR_ILLEGAL_ADDRESS,
           "device {} of the team has no memory bound at offset {} of the multicast object at "
           "{:#x}; "
           "nothing was written",
           list_of(piece.unbound), piece.offset, part.mapping->begin);
    }
    static std::atomic<bool> said{false};
    say_once(said,
             "a store through a multicast object left out devices without memory there "
             "(ACLSIM_CUDA_UNBOUND=lenient)");
  }
  Extent extent{piece.size, {}};
  for (const Replica& replica : piece.replicas) {
    extent.copies.push_back(copy_in(replica.memory, replica.offset));
  }
  side.extents.push_back(std::move(extent));
}

void add_multicast(Side& side, const MappedPart& part, Role role, int device) {
  side.multicast = true;
  for (const auto& piece : part.mapping->handle->multicast->resolve(part.offset, part.size)) {
    if (role == Role::read) {
      add_replica_to_read(side, piece, part, device);
    } else {
      add_replicas(side, piece, part);
    }
  }
}

// ---- everything else ----

Side in_host_memory(CUdeviceptr address, std::size_t size) {
  Side side;
  side.pageable = true;
  side.extents.push_back({size, {{reinterpret_cast<std::byte*>(address), nullptr, nullptr}}});
  return side;
}

void require_allocation(CUdeviceptr address, std::size_t size, bool of_device,
                        const char* argument) {
  void* base = nullptr;
  std::size_t bytes = 0;
  void* const pointer = reinterpret_cast<void*>(address);
  if (aclrtMemGetAddressRange(pointer, &base, &bytes) != ACL_SUCCESS) {
    if (!of_device) return;  // registered memory of the host
    refuse("{} is {:#x}, where nothing is allocated", argument, address);
  }
  const std::size_t inner = address - reinterpret_cast<CUdeviceptr>(base);
  if (size > bytes - inner) {
    refuse("{} is {:#x} and {} bytes, but its allocation ends after {}", argument, address, size,
           bytes - inner);
  }
}

Side outside_of_mappings(CUdeviceptr address, std::size_t size, Expected expected,
                         const char* argument) {
  void* const pointer = reinterpret_cast<void*>(address);
  if (address == 0) refuse("{} is null", argument);
  aclrtPtrAttributes found{};
  if (aclrtPointerGetAttributes(pointer, &found) != ACL_SUCCESS ||
      address_space::reserved(address)) {
    refuse("{} is {:#x}, where nothing is allocated or mapped", argument, address);
  }
  const bool of_device = found.location.type == ACL_MEM_LOCATION_TYPE_DEVICE;
  if (expected == Expected::device && !Machine::get().runtime().owns_addresses(pointer, 1) &&
      found.location.type == ACL_MEM_LOCATION_TYPE_UNREGISTERED) {
    refuse("{} is {:#x}, which is no memory of a device", argument, address);
  }
  if (!of_device && found.location.type == ACL_MEM_LOCATION_TYPE_UNREGISTERED) {
    if (size > ~address)
      refuse("{} is {:#x} and {} bytes, past the last address", argument, address, size);
    if (Machine::get().runtime().owns_addresses(pointer, size)) {
      refuse(
          "{} is {:#x} and {} bytes, in the address range of devices, where nothing is allocated",
          argument, address, size);
    }
    return in_host_memory(address, size);
  }
  require_allocation(address, size, of_device, argument);
  Side side;
  auto* const bytes = static_cast<std::byte*>(Machine::get().runtime().engine(pointer));
  side.extents.push_back({size, {{bytes, pointer, nullptr}}});
  return side;
}

}  // namespace

Side locate(CUdeviceptr address, std::size_t size, Role role, Expected expected,
            const Context& context, const char* argument) {
  const auto parts = address_space::parts(address, size, argument);
  if (parts.empty()) return outside_of_mappings(address, size, expected, argument);
  Side side;
  for (const MappedPart& part : parts) {
    require_access(*part.mapping, role, context.device, argument);
    if (part.mapping->handle->multicast) {
      add_multicast(side, part, role, context.device);
    } else {
      side.extents.push_back({part.size, {copy_in(part.mapping->handle->memory, part.offset)}});
    }
  }
  return side;
}

}  // namespace cuda
