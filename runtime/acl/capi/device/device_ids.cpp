// SPDX-License-Identifier: Apache-2.0
// The names of a device: numbers, a place on the bus, a UUID; and the connection between two
// devices. A "user" id counts the devices that the process sees, and a "phy" id the devices of the
// machine. A "logic" id counts as a "user" id when it is translated from or to a "phy" id: programs
// pass the number of aclrtSetDevice. It counts as a "phy" id when it is translated from or to a
// "user" id.
#include "runtime/acl/base/device_ids.h"

#include <cstring>

#include "runtime/acl/capi/guard.h"

using namespace acl;

namespace {

aclError user_to_machine(const char* function, std::int32_t user, std::int32_t* result,
                         const char* argument, const char* output) {
  return guarded(function, [&](Runtime& runtime) {
    std::int32_t& out = require_out(result, output);
    out = runtime.physical(user, argument);
  });
}

void require_machine_id(Runtime& runtime, std::int32_t id, const char* argument) {
  const int devices = runtime.config().system.devices;
  if (id < 0 || id >= devices) {
    fail(ACL_ERROR_RT_INVALID_DEVICEID, "{} is {}; expected 0 to {}", argument, id, devices - 1);
  }
}

aclError machine_to_user(const char* function, std::int32_t id, std::int32_t* result,
                         const char* argument, const char* output) {
  return guarded(function, [&](Runtime& runtime) {
    std::int32_t& out = require_out(result, output);
    require_machine_id(runtime, id, argument);
    const int user = runtime.logical(id);
    if (user < 0) {
      fail(ACL_ERROR_RT_INVALID_DEVICEID, "{} is {}, a device that this process does not see",
           argument, id);
    }
    out = user;
  });
}

}  // namespace

extern "C" {

aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t* const logicDevId) {
  return user_to_machine(__func__, userDevid, logicDevId, "userDevid", "logicDevId");
}

aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId, int32_t* const phyDevId) {
  return user_to_machine(__func__, userDevId, phyDevId, "userDevId", "phyDevId");
}

aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId, int32_t* const userDevid) {
  return machine_to_user(__func__, logicDevId, userDevid, "logicDevId", "userDevid");
}

aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId, int32_t* const userDevId) {
  return machine_to_user(__func__, phyDevId, userDevId, "phyDevId", "userDevId");
}

aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId, int32_t* const logicDevId) {
  return machine_to_user(__func__, phyDevId, logicDevId, "phyDevId", "logicDevId");
}

aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t* const phyDevId) {
  return user_to_machine(__func__, logicDevId, phyDevId, "logicDevId", "phyDevId");
}

aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid) {
  return guarded(__func__, [&](Runtime& runtime) {
    aclrtUuid& out = require_out(uuid, "uuid");
    out = device_uuid(runtime.physical(deviceId));
  });
}

aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char* pciBusId, int32_t len) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_out(pciBusId, "pciBusId");
    const std::string text = pci_bus_id(runtime.physical(deviceId));
    if (len <= 0 || static_cast<std::size_t>(len) <= text.size()) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "len is {}; expected {} or more", len, text.size() + 1);
    }
    std::memcpy(pciBusId, text.c_str(), text.size() + 1);
  });
}

aclError aclrtDeviceGetByPCIBusId(const char* pciBusId, int32_t* deviceId) {
  return guarded(__func__, [&](Runtime& runtime) {
    int32_t& out = require_out(deviceId, "deviceId");
    require_input(pciBusId, "pciBusId");
    const auto device = device_at(pciBusId);
    if (!device) {
      fail(ACL_ERROR_RT_PARAM_INVALID, "pciBusId is '{}'; expected a place such as {}", pciBusId,
           pci_bus_id(0));
    }
    const int user = runtime.logical(*device);
    if (user < 0) {
      fail(ACL_ERROR_RT_INVALID_DEVICEID, "pciBusId is '{}', where this process sees no device",
           pciBusId);
    }
    out = user;
  });
}

aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    uint64_t& out = require_out(value, "value");
    const int device = runtime.physical(static_cast<int>(deviceId));
    const int other = runtime.physical(static_cast<int>(otherDeviceId), "otherDeviceId");
    out = static_cast<uint64_t>(runtime.links().kind(device, other));
  });
}

}  // extern "C"
