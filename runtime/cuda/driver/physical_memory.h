// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "acl/acl_rt.h"
#include "cuda/cuda_multicast.h"

#include "device_sim/base/mutex.h"

namespace cuda {

/// Memory of cuMemCreate, or of another process: physical memory of ACL. Handles, mappings and
/// bindings share it; it goes with the last of them.
class PhysicalMemory {
 public:
  static std::shared_ptr<PhysicalMemory> create(std::size_t size, const CUmemAllocationProp& prop);
  /// Imports memory of another process by its key.
  static std::shared_ptr<PhysicalMemory> import(std::uint64_t key, std::size_t size,
                                                const CUmemAllocationProp& prop);
  /// The one of this process with that name; null when it has none.
  static std::shared_ptr<PhysicalMemory> find(std::uint64_t name);
  ~PhysicalMemory();
  PhysicalMemory(const PhysicalMemory&) = delete;
  PhysicalMemory& operator=(const PhysicalMemory&) = delete;

  std::size_t size() const noexcept { return size_; }
  const CUmemAllocationProp& properties() const noexcept { return properties_; }
  bool shareable() const noexcept { return properties_.requestedHandleTypes != 0; }
  bool on_device() const noexcept {
    return properties_.location.type == CU_MEM_LOCATION_TYPE_DEVICE;
  }
  /// As this process counts.
  int device() const noexcept { return properties_.location.id; }
  aclrtDrvMemHandle acl() const noexcept { return acl_; }

  /// By which other processes import it.
  std::uint64_t key();
  /// The name in bindings: the key of shareable memory, otherwise a number of this process.
  std::uint64_t name();
  /// The address at which the machine accesses the memory. It does not depend on the program's
  /// mappings.
  std::byte* bytes();

  /// The program's own mapping of it, for reports: set by the address space. 0: none.
  void seen_at(CUdeviceptr address);
  void not_seen_at(CUdeviceptr address);
  /// The address of the byte at `offset` in reports.
  const void* shown(std::size_t offset);

 private:
  friend void reclaim_memory() noexcept;
  PhysicalMemory(aclrtDrvMemHandle acl, std::size_t size, const CUmemAllocationProp& prop)
      : acl_(acl), size_(size), properties_(prop) {}
  static std::shared_ptr<PhysicalMemory> own(PhysicalMemory* memory);
  void publish(const std::shared_ptr<PhysicalMemory>& self, std::uint64_t name) REQUIRES(mutex_);
  std::byte* map_bytes() REQUIRES(mutex_);

  const aclrtDrvMemHandle acl_;
  const std::size_t size_;
  const CUmemAllocationProp properties_;
  std::weak_ptr<PhysicalMemory> self_;
  PhysicalMemory* next_unowned_ = nullptr;  // used after the last owner has gone
  sim::Mutex mutex_;
  std::uint64_t key_ GUARDED_BY(mutex_) = 0;
  std::uint64_t name_ GUARDED_BY(mutex_) = 0;
  void* alias_ GUARDED_BY(mutex_) = nullptr;  // a mapping of our own
  CUdeviceptr seen_at_ GUARDED_BY(mutex_) = 0;
};

using MemoryRef = std::shared_ptr<PhysicalMemory>;

/// Gives back memory whose last owner has gone. That may have been work of a stream, in a thread
/// that may call nothing of ACL: so it is done by the next call of the program.
void reclaim_memory() noexcept;

/// Raises the errors of cuMemCreate. Returns the granularity of sizes in bytes.
std::size_t require_properties(const CUmemAllocationProp& prop);

}  // namespace cuda
