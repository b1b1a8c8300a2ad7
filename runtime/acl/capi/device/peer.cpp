// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/capi/guard.h"
#include "runtime/acl/memory/peer_maps.h"
#include "runtime/acl/watch/registry.h"

using namespace acl;

extern "C" {

aclError aclrtDeviceCanAccessPeer(int32_t* canAccessPeer, int32_t deviceId, int32_t peerDeviceId) {
  return guarded(__func__, [&](Runtime& runtime) {
    int32_t& out = require_out(canAccessPeer, "canAccessPeer", ACL_ERROR_RT_PARAM_INVALID);
    out = 0;
    if (deviceId == peerDeviceId) {
      fail(ACL_ERROR_INVALID_PARAM, "deviceId and peerDeviceId are both {}", deviceId);
    }
    const int device = runtime.physical(deviceId);
    const int peer = runtime.physical(peerDeviceId, "peerDeviceId");
    out = runtime.links().reachable(device, peer) ? 1 : 0;
  });
}

aclError aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags) {
  return guarded(__func__, [&](Runtime& runtime) {
    if (flags != 0) {
      fail(ACL_ERROR_FEATURE_UNSUPPORTED, "flags is {:#x}; it is reserved and must be 0", flags);
    }
    const int device = current_context(runtime).device();
    if (runtime.logical(device) == peerDeviceId) {
      fail(ACL_ERROR_INVALID_PARAM, "peerDeviceId is {}, the current device", peerDeviceId);
    }
    const int peer = runtime.physical(peerDeviceId, "peerDeviceId");
    switch (runtime.links().enable(device, peer)) {
      case sim::Links::EnableResult::ok:
        return;
      case sim::Links::EnableResult::unreachable:
        fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR,
             "device {} has no path to device {}; aclrtDeviceCanAccessPeer tells",
             runtime.logical(device), peerDeviceId);
      case sim::Links::EnableResult::too_many_peers:
        fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "device {} has {} peers enabled, which is its limit",
             runtime.logical(device), runtime.config().system.peer_limit);
    }
  });
}

aclError aclrtDeviceDisablePeerAccess(int32_t peerDeviceId) {
  return guarded(__func__, [&](Runtime& runtime) {
    const int device = current_context(runtime).device();
    if (runtime.logical(device) == peerDeviceId) {
      fail(ACL_ERROR_INVALID_PARAM, "peerDeviceId is {}, the current device", peerDeviceId);
    }
    const int peer = runtime.physical(peerDeviceId, "peerDeviceId");
    if (auto* const listener = watch::listener()) listener->peer_access_ending(device, peer);
    if (!runtime.links().disable(device, peer)) {
      fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "access from device {} to device {} is not enabled",
           runtime.logical(device), peerDeviceId);
    }
  });
}

aclError aclrtDevicePeerAccessStatus(int32_t deviceId, int32_t peerDeviceId, int32_t* status) {
  return guarded(__func__, [&](Runtime& runtime) {
    int32_t& out = require_out(status, "status");
    const auto valid = [&](int32_t id) { return id >= 0 && id < runtime.visible_devices(); };
    out = valid(deviceId) && valid(peerDeviceId) && deviceId != peerDeviceId &&
                  runtime.links().open_both_ways(runtime.physical(deviceId),
                                                 runtime.physical(peerDeviceId))
              ? 1
              : 0;
  });
}

aclError aclrtMemP2PMap(void* devPtr, size_t size, int32_t dstDevId, uint64_t flags) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(devPtr, "devPtr");
    if (size == 0) fail(ACL_ERROR_INVALID_PARAM, "size is 0");
    if (flags != 0) {
      fail(ACL_ERROR_INVALID_PARAM, "flags is {:#x}; it is reserved and must be 0", flags);
    }
    const MemoryLocation place = locate(runtime, devPtr, size, "devPtr");
    if (!place.allocation || place.device() == sim::kHostDevice) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "devPtr is {}; expected device memory", devPtr);
    }
    const int peer = runtime.physical(dstDevId, "dstDevId");
    if (peer == place.device()) {
      fail(ACL_ERROR_INVALID_PARAM, "dstDevId is {}, the device that the memory is on", dstDevId);
    }
    if (!runtime.links().reachable(place.device(), peer)) {
      fail(ACL_ERROR_RT_DRV_INTERNAL_ERROR, "device {} has no path to device {}",
           runtime.logical(place.device()), dstDevId);
    }
    runtime.section<PeerMaps>().add(*place.allocation, peer);
  });
}

}  // extern "C"
