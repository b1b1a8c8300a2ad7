// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "device_sim/sharing/ipc_protocol.h"
#include "runtime/acl/base/section.h"

namespace sim {
class AddressSpace;
}

namespace acl {

/// Device memory that processes share by key.
class IpcMemory final : public Section {
 public:
  explicit IpcMemory(Runtime& runtime) : runtime_(runtime) {}

  /// A key for [address, address + size), which must be inside one allocation or mapping of a
  /// device. The allocation's memory is not used again until the key is closed, even if it is
  /// freed.
  std::string share(void* address, std::size_t size, bool everybody);
  /// The address of memory that another process shares; the same for each further import of the
  /// key.
  void* import(sim::IpcKey key, bool enable_peers, const void* caller);
  /// Undoes one import, or the export. Raises ACL_ERROR_RT_PARAM_INVALID.
  void close(sim::IpcKey key);
  /// Raises ACL_ERROR_RT_PARAM_INVALID unless this process exported the key.
  void require_exported(sim::IpcKey key) const;

  void reset() override;
  void device_ends(int device) override;
  std::size_t live_handles() const override;

 private:
  struct Export {
    int device;
    std::size_t size;
    sim::AddressSpace* space;  // keeps the allocation; null for mapped memory
    const void* address;
  };
  struct Import {
    int device;
    void* reservation;
    void* address;
    int count;
  };
  void end(sim::IpcKey key, const Export& shared);
  void end(const Import& imported);

  Runtime& runtime_;
  mutable sim::Mutex mutex_;
  std::map<sim::IpcKey, Export> exports_ GUARDED_BY(mutex_);
  std::map<sim::IpcKey, Import> imports_ GUARDED_BY(mutex_);
};

}  // namespace acl
