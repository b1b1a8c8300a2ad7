// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "acl/acl.h"
#include "acl/acl_sim.h"
#include "runtime/cuda/base/settings.h"
#include "runtime/cuda/capi/entry.h"

using namespace cuda;

#undef cuDeviceGetUuid  // the older function beside the newer one

namespace {

constexpr int kPciBus = 0x10;  // of device 0

void copy_text(const std::string& text, char* out, int length, const char* argument) {
  require_out(out, argument);
  if (length <= 0) refuse("len is {}; expected room for a text", length);
  const auto room = static_cast<std::size_t>(length) - 1;
  const std::size_t size = std::min(room, text.size());
  std::memcpy(out, text.data(), size);
  out[size] = '\0';
}

aclsimMachine machine_facts() {
  aclsimMachine facts{};
  facts.size = sizeof facts;
  require_acl(aclsimGetMachine(&facts), "the machine");
  return facts;
}

std::string bus_id(int device) { return fmt::format("0000:{:02x}:00.0", kPciBus + device); }

int attribute_of(CUdevice_attribute attribute, int device) {
  switch (static_cast<int>(attribute)) {
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
      return 32;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return static_cast<int>(machine_facts().aiCores);
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
      return kPciBus + device;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return 9;
    case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
    case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS:
    case CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED:
      return 1;
    case CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED:
      return settings().fabric ? 1 : 0;
    case CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED:
      return settings().multicast ? 1 : 0;
    default:
      return 0;
  }
}

void uuid_of(CUuuid* out, int device) {
  require_out(out, "uuid");
  Machine::get().require_device(device);
  aclrtUuid uuid{};
  require_acl(aclrtDeviceGetUuid(device, &uuid), "the uuid");
  static_assert(sizeof uuid == sizeof *out);
  std::memcpy(out, &uuid, sizeof *out);
}

bool reach_each_other(int a, int b) {
  std::int32_t can = 0;
  require_acl(aclrtDeviceCanAccessPeer(&can, a, b), "the link");
  return can != 0;
}

}  // namespace

CUDA_ENTRY(cuDeviceGet, (CUdevice * device, int ordinal), {
  Machine& machine = Machine::get();
  CUdevice& out = require_out(device, "device");
  machine.require_device(ordinal);
  out = ordinal;
});

CUDA_ENTRY(cuDeviceGetCount, (int* count),
           { require_out(count, "count") = Machine::get().device_count(); });

CUDA_ENTRY(cuDeviceGetName, (char* name, int length, CUdevice device), {
  Machine::get().require_device(device);
  copy_text(fmt::format("aclsim {}", machine_facts().socName), name, length, "name");
});

CUDA_ENTRY(cuDeviceGetUuid, (CUuuid * uuid, CUdevice device), { uuid_of(uuid, device); });
CUDA_ENTRY(cuDeviceGetUuid_v2, (CUuuid * uuid, CUdevice device), { uuid_of(uuid, device); });

CUDA_ENTRY(cuDeviceTotalMem_v2, (size_t * bytes, CUdevice device), {
  Machine::get().require_device(device);
  require_out(bytes, "bytes") = machine_facts().memoryBytes;
});

CUDA_ENTRY(cuDeviceGetAttribute, (int* value, CUdevice_attribute attribute, CUdevice device), {
  Machine::get().require_device(device);
  int& out = require_out(value, "pi");
  if (attribute <= 0 || attribute >= CU_DEVICE_ATTRIBUTE_MAX) {
    refuse("attrib is {}; expected 1 to {}", static_cast<int>(attribute),
           static_cast<int>(CU_DEVICE_ATTRIBUTE_MAX) - 1);
  }
  out = attribute_of(attribute, device);
});

CUDA_ENTRY(cuDeviceGetPCIBusId, (char* id, int length, CUdevice device), {
  Machine::get().require_device(device);
  copy_text(bus_id(device), id, length, "pciBusId");
});

CUDA_ENTRY(cuDeviceGetByPCIBusId, (CUdevice * device, const char* id), {
  CUdevice& out = require_out(device, "dev");
  require_input(id, "pciBusId");
  for (int i = 0; i < Machine::get().device_count(); ++i) {
    if (bus_id(i) == id) {
      out = i;
      return;
    }
  }
  fail(CUDA_ERROR_INVALID_DEVICE, "pciBusId is '{}', which no device has", id);
});

CUDA_ENTRY(cuDeviceCanAccessPeer, (int* can, CUdevice device, CUdevice peer), {
  Machine::get().require_device(device);
  Machine::get().require_device(peer);
  require_out(can, "canAccessPeer") = device != peer && reach_each_other(device, peer) ? 1 : 0;
});

CUDA_ENTRY(cuDeviceGetP2PAttribute,
           (int* value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to), {
             Machine::get().require_device(from);
             Machine::get().require_device(to);
             int& out = require_out(value, "value");
             if (from == to) fail(CUDA_ERROR_INVALID_DEVICE, "both devices are {}", from);
             const bool reach = reach_each_other(from, to);
             const bool rank = attribute == CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK;
             out = reach && !rank ? 1 : 0;
           });
