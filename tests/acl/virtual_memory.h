// SPDX-License-Identifier: Apache-2.0
// Words for the tests of virtual memory, for as long as a scope.
#pragma once

#include "tests/acl/world.h"

namespace world {

inline aclrtPhysicalMemProp on_device(std::uint32_t device) {
  aclrtPhysicalMemProp prop{};
  prop.handleType = ACL_MEM_HANDLE_TYPE_NONE;
  prop.allocationType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  prop.memAttr = ACL_HBM_MEM_HUGE;
  prop.location = {device, ACL_MEM_LOCATION_TYPE_DEVICE};
  return prop;
}

class Reservation {
 public:
  explicit Reservation(std::size_t size, std::uint64_t flags = 0) {
    REQUIRE_ACL(aclrtReserveMemAddress(&address_, size, 0, nullptr, flags));
  }
  ~Reservation() { aclrtReleaseMemAddress(address_); }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  void* at(std::size_t offset) const { return static_cast<char*>(address_) + offset; }

 private:
  void* address_ = nullptr;
};

/// A piece of 2 MiB.
class Physical {
 public:
  static constexpr std::size_t kSize = std::size_t{2} << 20;
  explicit Physical(const aclrtPhysicalMemProp& prop = on_device(0)) {
    REQUIRE_ACL(aclrtMallocPhysical(&handle_, kSize, &prop, 0));
  }
  ~Physical() {
    if (handle_ != nullptr) aclrtFreePhysical(handle_);
  }
  Physical(const Physical&) = delete;
  Physical& operator=(const Physical&) = delete;
  operator aclrtDrvMemHandle() const { return handle_; }
  aclrtDrvMemHandle handle() const { return handle_; }
  aclrtDrvMemHandle release() { return std::exchange(handle_, nullptr); }

 private:
  aclrtDrvMemHandle handle_ = nullptr;
};

/// A piece of 2 MiB that is mapped. Declare it after the reservation.
class Mapped {
 public:
  explicit Mapped(void* at, const aclrtPhysicalMemProp& prop = on_device(0))
      : memory_(prop), address_(at) {
    REQUIRE_ACL(aclrtMapMem(at, Physical::kSize, 0, memory_, 0));
  }
  ~Mapped() { aclrtUnmapMem(address_); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  void* at(std::size_t offset) const { return static_cast<char*>(address_) + offset; }
  aclrtDrvMemHandle handle() const { return memory_.handle(); }

 private:
  const Physical memory_;
  void* const address_;
};

}  // namespace world

namespace vmmtest {

using namespace world;

inline constexpr std::size_t kPiece = std::size_t{2} << 20;

inline aclrtPhysicalMemProp changed(void (*change)(aclrtPhysicalMemProp&)) {
  aclrtPhysicalMemProp prop = on_device(0);
  change(prop);
  return prop;
}

inline std::uint64_t used_bytes(int device) {
  std::uint64_t used = 0;
  std::uint64_t total = 0;
  REQUIRE_ACL(aclsimGetDeviceMemory(device, &used, &total));
  return used;
}

inline aclError set_access(void* at, aclrtMemAccessFlags flags, std::uint32_t device,
                           std::size_t size = kPiece) {
  aclrtMemAccessDesc desc{};
  desc.flags = flags;
  desc.location = {device, ACL_MEM_LOCATION_TYPE_DEVICE};
  return aclrtMemSetAccess(at, size, &desc, 1);
}

inline std::uint64_t access_of(void* at, aclrtMemLocation location) {
  std::uint64_t flag = 99;
  REQUIRE_ACL(aclrtMemGetAccess(at, &location, &flag));
  return flag;
}

inline std::uint64_t access_of(void* at, std::uint32_t device) {
  return access_of(at, aclrtMemLocation{device, ACL_MEM_LOCATION_TYPE_DEVICE});
}

inline aclError read_from(const void* at) {
  int value = 0;
  return aclrtMemcpy(&value, sizeof value, at, sizeof value, ACL_MEMCPY_DEVICE_TO_HOST);
}

inline aclError write_to(void* at) {
  const int value = 1;
  return aclrtMemcpy(at, sizeof value, &value, sizeof value, ACL_MEMCPY_HOST_TO_DEVICE);
}

}  // namespace vmmtest
