// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/transfer.h"

#include "runtime/acl/error.h"
#include "runtime/acl/runtime.h"

namespace acl {

Place locate(Runtime& runtime, const void* address, std::size_t size, const char* argument) {
  sim::Memory& memory = runtime.memory();
  Place place{memory.find(address)};
  if (!place.allocation) {
    if (const sim::AddressSpace* const space = memory.space_of(address)) {
      const bool host = space->device() == sim::kHostDevice;
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "{} is {}, in {} memory{} where no allocation is live (freed, or past the end of one)",
           argument, address, host ? "pinned host" : "device",
           host ? "" : fmt::format(" of device {}", runtime.logical(space->device())));
    }
    return place;
  }
  const auto offset = reinterpret_cast<std::uintptr_t>(address) - place.allocation->begin;
  if (size > place.allocation->size - offset) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "{} is byte {} of an allocation of {} bytes (allocation {}): {} bytes from there pass its "
         "end",
         argument, offset, place.allocation->size, place.allocation->serial, size);
  }
  return place;
}

void require_access(Runtime& runtime, const Place& dst, const Place& src) {
  if (!dst.on_device() || !src.on_device() || dst.device() == src.device()) return;
  if (runtime.links().open_both_ways(dst.device(), src.device())) return;
  const int to = runtime.logical(dst.device());
  const int from = runtime.logical(src.device());
  fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
       "a copy from device {} to device {} needs peer access in both directions; expected "
       "aclrtDeviceEnablePeerAccess({}) with device {} current and ({}) with device {} current",
       from, to, from, to, to, from);
}

void check_copy_arguments(const void* dst, std::size_t dest_max, const void* src,
                          std::size_t count, aclrtMemcpyKind kind) {
  if (!dst) fail(ACL_ERROR_INVALID_PARAM, "dst is null");
  if (!src) fail(ACL_ERROR_INVALID_PARAM, "src is null");
  if (kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE) {
    fail(ACL_ERROR_INVALID_PARAM, "kind is {}; expected 0 to 5", static_cast<int>(kind));
  }
  if (dest_max == 0 || count > dest_max) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "count is {} and destMax {}; expected count <= destMax", count,
         dest_max);
  }
}

void check_direction(aclrtMemcpyKind kind, const Place& dst, const Place& src) {
  if (!dst.on_device() && !src.on_device()) {
    fail(kind == ACL_MEMCPY_HOST_TO_HOST || kind == ACL_MEMCPY_DEFAULT
             ? ACL_ERROR_RT_FEATURE_NOT_SUPPORT
             : ACL_ERROR_RT_PARAM_INVALID,
         "kind is {}, and both dst and src are host memory: an asynchronous copy needs a device",
         static_cast<int>(kind));
  }
  // Memory that ACL knows corrects the kind; memory that it does not know is the host's.
  const bool to_device = kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  const bool from_device = kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  if (to_device && dst.pageable()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "kind is {} (to a device), but dst is ordinary host memory",
         static_cast<int>(kind));
  }
  if (from_device && src.pageable()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "kind is {} (from a device), but src is ordinary host memory",
         static_cast<int>(kind));
  }
}

}  // namespace acl
