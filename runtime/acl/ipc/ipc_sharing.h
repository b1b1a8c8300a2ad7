// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

#include "device_sim/sharing/ipc_broker.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/ipc/ipc_key.h"

namespace acl {

/// What other processes may import from this one, whatever it is.
class IpcSharing final : public Section {
 public:
  explicit IpcSharing(Runtime&) {}

  /// `file` is duplicated; `metadata` is what the importer is told.
  template <class Metadata>
  sim::IpcKey share(IpcKind kind, const Metadata& metadata, const sim::OwnedFd& file,
                    bool everybody) {
    static_assert(std::is_trivially_copyable_v<Metadata>);
    std::vector<std::byte> bytes(sizeof metadata);
    std::memcpy(bytes.data(), &metadata, sizeof metadata);
    return share(kind, std::move(bytes), file, everybody);
  }
  /// Lets more processes import. Raises ACL_ERROR_RT_PARAM_INVALID for a key that this process does
  /// not share, and for numbers that are no processes.
  void allow(sim::IpcKey key, const std::int32_t* pids, std::size_t count, const char* argument);
  void withdraw(sim::IpcKey key) { broker_.withdraw(key); }

  /// The file of what another process shares, and what it says about it. Raises
  /// ACL_ERROR_RT_PARAM_INVALID when there is no such thing, when it is this process's own and when
  /// it is of another kind; ACL_ERROR_RT_NO_PERMISSION when its process has not allowed this one;
  /// ACL_ERROR_RT_FEATURE_NOT_SUPPORT when the processes' versions do not fit.
  template <class Metadata>
  static sim::OwnedFd import(IpcKind kind, sim::IpcKey key, const char* argument,
                             Metadata& metadata) {
    static_assert(std::is_trivially_copyable_v<Metadata>);
    sim::IpcObject object = import(kind, key, argument, sizeof metadata);
    std::memcpy(&metadata, object.metadata.data(), sizeof metadata);
    return std::move(object.file);
  }

  void reset() override { broker_.withdraw_all(); }

 private:
  sim::IpcKey share(IpcKind kind, std::vector<std::byte> metadata, const sim::OwnedFd& file,
                    bool everybody);
  static sim::IpcObject import(IpcKind kind, sim::IpcKey key, const char* argument,
                               std::size_t metadata_size);
  sim::IpcBroker broker_;
};

}  // namespace acl
