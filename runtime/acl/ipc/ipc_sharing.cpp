// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/ipc/ipc_sharing.h"

#include <unistd.h>

#include <utility>

#include "runtime/acl/base/error.h"
#include "runtime/acl/watch/registry.h"

namespace acl {
namespace {

aclError code_of(sim::IpcStatus status) {
  switch (status) {
    case sim::IpcStatus::not_allowed:
    case sim::IpcStatus::foreign:
      return ACL_ERROR_RT_NO_PERMISSION;
    case sim::IpcStatus::version:
      return ACL_ERROR_RT_FEATURE_NOT_SUPPORT;
    case sim::IpcStatus::broken:
    case sim::IpcStatus::busy:
      return ACL_ERROR_RT_DRV_INTERNAL_ERROR;
    default:
      return ACL_ERROR_RT_PARAM_INVALID;
  }
}

bool not_shared(sim::IpcStatus status) {
  return status == sim::IpcStatus::unknown || status == sim::IpcStatus::not_allowed ||
         status == sim::IpcStatus::gone;
}

}  // namespace

sim::IpcKey IpcSharing::share(IpcKind kind, std::vector<std::byte> metadata,
                              const sim::OwnedFd& file, bool everybody) {
  set_used();
  try {
    const sim::IpcKey key = broker_.export_object(
        {static_cast<std::uint32_t>(kind), std::move(metadata), file.duplicate()});
    if (everybody) broker_.allow_everybody(key);
    if (auto* const listener = watch::listener()) listener->key_exported(key);
    return key;
  } catch (const sim::IpcError& error) {
    fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "nothing can be shared: {}", error.what());
  }
}

void IpcSharing::allow(sim::IpcKey key, const std::int32_t* pids, std::size_t count,
                       const char* argument) {
  for (std::size_t i = 0; i < count; ++i) {
    if (pids[i] <= 0) {
      fail(ACL_ERROR_RT_PARAM_INVALID,
           "pid[{}] is {}; expected what aclrtDeviceGetBareTgid says in that process", i, pids[i]);
    }
  }
  if (!broker_.allow(key, {pids, count})) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} names nothing that this process shares", argument);
  }
}

sim::IpcObject IpcSharing::import(IpcKind kind, sim::IpcKey key, const char* argument,
                                  std::size_t metadata_size) {
  set_used();
  if (sim::parts_of(key).pid == getpid()) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "{} was exported by this process; it is for other processes",
         argument);
  }
  try {
    sim::IpcObject object = sim::IpcBroker::import_object(key);
    if (object.kind != static_cast<std::uint32_t>(kind)) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "{} names another kind of object ({}, expected {})",
           argument, object.kind, static_cast<std::uint32_t>(kind));
    }
    if (object.metadata.size() != metadata_size) {
      fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
           "{} is described in {} bytes by its process, expected {}: another version of the "
           "library",
           argument, object.metadata.size(), metadata_size);
    }
    if (auto* const listener = watch::listener()) listener->key_imported(key);
    return object;
  } catch (const sim::IpcError& error) {
    if (auto* const listener = watch::listener(); listener && not_shared(error.status())) {
      listener->import_refused(error.what());
    }
    fail(code_of(error.status()), "{} cannot be imported: {}", argument, error.what());
  }
}

}  // namespace acl
