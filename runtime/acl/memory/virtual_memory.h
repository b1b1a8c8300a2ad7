// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "device_sim/memory/mappings.h"
#include "device_sim/sharing/ipc_protocol.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/base/section.h"

namespace acl {

inline constexpr std::size_t kGigabyte = std::size_t{1} << 30;

/// Physical memory that has a handle.
struct PhysicalAllocation final : sim::RefCounted<PhysicalAllocation> {
  sim::Ref<sim::PhysicalMemory> memory;
  aclrtPhysicalMemProp properties{};
  void* handle = nullptr;   // null when it was freed and the memory is still mapped
  int references = 0;       // of the handle
  sim::IpcKey shared = 0;   // under which other processes import it, or 0
  bool was_mapped = false;  // anywhere, so far: only the checker asks
};

using PhysicalTable = HandleTable<PhysicalAllocation, HandleKind::physical_memory>;

/// The device of memory with some properties, and the granularity of its sizes.
struct PhysicalKind {
  int device;  // of the machine, or sim::kHostDevice
  std::size_t granularity;
};

/// Raises ACL_ERROR_INVALID_PARAM for properties that do not fit together, and
/// ACL_ERROR_RT_INVALID_DEVICEID.
PhysicalKind kind_of(Runtime& runtime, const aclrtPhysicalMemProp& properties);
/// A device id of the machine, or sim::kHostDevice. Raises ACL_ERROR_INVALID_PARAM for places that
/// hold no physical memory, and ACL_ERROR_RT_INVALID_DEVICEID.
int device_of(Runtime& runtime, const aclrtMemLocation& location);

/// Physical memory by handle, and its mappings.
class VirtualMemory final : public Section {
 public:
  explicit VirtualMemory(Runtime& runtime) : runtime_(runtime) {}

  void* allocate(std::size_t size, const aclrtPhysicalMemProp& properties);
  /// A handle with one reference.
  void* add(sim::Ref<sim::PhysicalMemory> memory, const aclrtPhysicalMemProp& properties);
  /// Drops a reference; memory goes with the last one and the last mapping.
  void free(void* handle);
  /// Adds a reference to the memory that is mapped at `address`; a handle that was freed is made
  /// anew.
  void* retain(const void* address);
  /// Raises ACL_ERROR_RT_INVALID_HANDLE.
  PhysicalTable::Pin find(const void* handle);

  void map(void* at, std::size_t size, void* handle, const sim::Mappings::Rights& rights,
           const void* caller,
           sim::Mappings::Neighbours neighbours = sim::Mappings::Neighbours::alike);
  /// Maps what is mapped at `source` at `at` as well.
  void map_again(void* at, std::size_t size, const void* source, const void* caller);
  void unmap(void* at);

  // --- between processes (physical_sharing.cpp) ---
  /// A key for other processes. All of them may import if `everybody`, else the ones that
  /// IpcSharing::allow names. Raises ACL_ERROR_RT_PARAM_INVALID for memory that is shared already,
  /// or was imported.
  sim::IpcKey share(void* handle, bool everybody);
  /// A handle with one reference to memory that another process shares, as memory of `device`.
  void* import(sim::IpcKey key, int device);

  void reset() override;
  void device_ends(int device) override;
  std::size_t live_handles() const override;

 private:
  using Records = std::map<const sim::PhysicalMemory*, sim::Ref<PhysicalAllocation>>;
  void give_handle(PhysicalAllocation& allocation) REQUIRES(mutex_);
  void end_handle(PhysicalAllocation& allocation) REQUIRES(mutex_);
  void forget_if_unused(const sim::PhysicalMemory* memory) REQUIRES(mutex_);
  void tell_of_mapping(const void* at, PhysicalAllocation& allocation) REQUIRES(mutex_);
  void end_mappings(int device) REQUIRES(mutex_);
  bool take_ended_handle(const void* handle) REQUIRES(mutex_);

  Runtime& runtime_;
  mutable sim::Mutex mutex_;
  PhysicalTable handles_;
  Records records_ GUARDED_BY(mutex_);  // memory that has a handle or is mapped
  // What the last reset of a device ended. Programs may free and unmap it afterwards, once.
  std::map<const void*, int> ended_handles_ GUARDED_BY(mutex_);  // and how many references each had
  std::set<std::uintptr_t> ended_mappings_ GUARDED_BY(mutex_);   // where they began
};

}  // namespace acl
