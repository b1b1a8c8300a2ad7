// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstring>
#include <type_traits>
#include <vector>

#include "device_sim/sharing/ipc_broker.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/ipc/ipc_key.h"

namespace acl {

/// Objects of any kind that other processes may import from this one.
class IpcSharing final : public Section {
 public:
  explicit IpcSharing(Runtime&) {}

  /// `file` is duplicated; the importer receives `metadata`.
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

  /// The file and the metadata of an object that another process shares. Raises
  /// ACL_ERROR_RT_PARAM_INVALID if no such object exists, if this process owns it, or if it is of
  /// another kind; ACL_ERROR_RT_NO_PERMISSION if the owner has not allowed this process;
  /// ACL_ERROR_RT_FEATURE_NOT_SUPPORT if the processes' versions do not fit.
  template <class Metadata>
  static sim::OwnedFd import(IpcKind kind, sim::IpcKey key, const char* argument,
                             Metadata& metadata) {
    static_assert(std::is_trivially_copyable_v<Metadata>);
    sim::IpcObject object = import(kind, key, argument, sizeof metadata);
    std::memcpy(&metadata, object.metadata.data(), sizeof metadata);
    return std::move(object.file);
  }

  void reset() override { broker_.withdraw_all(); }

  /// Other processes have, or had, memory of this process, or it has memory of theirs.
  static bool used() noexcept { return used_.load(std::memory_order_relaxed); }
  /// The same by other ways than keys.
  static void set_used() noexcept { used_.store(true, std::memory_order_relaxed); }

 private:
  sim::IpcKey share(IpcKind kind, std::vector<std::byte> metadata, const sim::OwnedFd& file,
                    bool everybody);
  static sim::IpcObject import(IpcKind kind, sim::IpcKey key, const char* argument,
                               std::size_t metadata_size);
  static inline std::atomic<bool> used_{false};
  sim::IpcBroker broker_;
};

}  // namespace acl
