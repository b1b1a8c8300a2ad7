// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "acl/acl_rt.h"
#include "device_sim/sharing/ipc_protocol.h"

namespace acl {

/// The kind of a shared object; part of every key except the plain numbers.
enum class IpcKind : std::uint32_t {
  memory = 1,  // by aclrtIpcMemGetExportKey
  physical,    // by aclrtMemExportToShareableHandle
  notify,
  event,
};

/// Length of a key as text, the terminating zero included.
inline constexpr std::size_t kIpcKeyText = 65;

/// A key as programs pass it on. All forms carry kind, version and a checksum.
std::string ipc_text_of(IpcKind kind, sim::IpcKey key);
aclrtMemFabricHandle ipc_fabric_of(IpcKind kind, sim::IpcKey key);

/// The reverse. Both raise ACL_ERROR_RT_PARAM_INVALID for a key that is cut off, damaged, or of
/// another kind, and ACL_ERROR_RT_FEATURE_NOT_SUPPORT for a key of another version.
sim::IpcKey ipc_key_of(IpcKind kind, const char* text, const char* argument);
sim::IpcKey ipc_key_of(IpcKind kind, const aclrtMemFabricHandle& handle, const char* argument);

}  // namespace acl
