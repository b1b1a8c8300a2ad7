// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory/physical_memory.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdio>
#include <string>
#include <utility>

#include "device_sim/base/error.h"
#include "device_sim/memory/address_space.h"

namespace sim {

PhysicalMemory::PhysicalMemory(AddressSpace* owner, OwnedFd file, std::size_t offset,
                               std::size_t size, int device)
    : owner_(owner), file_(std::move(file)), offset_(offset), size_(size), device_(device) {}

PhysicalMemory::~PhysicalMemory() {
  if (owner_) owner_->refund(size_);
}

Ref<PhysicalMemory> PhysicalMemory::allocate(AddressSpace& owner, std::size_t size) {
  owner.charge(size);
  try {
    char name[40];
    std::snprintf(name, sizeof name, "npu%d-physical", owner.device());
    return Ref<PhysicalMemory>::adopt(
        new PhysicalMemory(&owner, make_memory_file(name, size), 0, size, owner.device()));
  } catch (...) {
    owner.refund(size);
    throw;
  }
}

Ref<PhysicalMemory> PhysicalMemory::adopt(OwnedFd file, std::size_t offset, std::size_t size,
                                          int device) {
  struct stat status {};
  const int seals = fcntl(file.get(), F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0 || fstat(file.get(), &status) != 0) {
    throw MachineError(Error::invalid_argument, "what was sent is not memory of a device");
  }
  const auto bytes = static_cast<std::size_t>(status.st_size);
  if (offset % 4096 != 0 || size == 0 || offset > bytes || size > bytes - offset) {
    throw MachineError(Error::invalid_argument,
                       "bytes " + std::to_string(offset) + " to " + std::to_string(offset + size) +
                           " were promised of memory that has " + std::to_string(bytes));
  }
  return Ref<PhysicalMemory>::adopt(
      new PhysicalMemory(nullptr, std::move(file), offset, size, device));
}

}  // namespace sim
