// SPDX-License-Identifier: Apache-2.0
// Eight devices, one multicast object: one copy writes the memory of all devices, and one load adds
// up their values.
#include "common.h"

#include <cuda/multimem.h>

#include <numeric>

int main() {
  int count = 0;
  CHECK(cuInit(0));
  CHECK(cuDeviceGetCount(&count));
  std::vector<int> devices(static_cast<size_t>(count));
  std::iota(devices.begin(), devices.end(), 0);
  CUcontext context;
  CHECK(cuDevicePrimaryCtxRetain(&context, 0));
  CHECK(cuCtxSetCurrent(context));

  // The object, with all devices in its team.
  CUmulticastObjectProp prop{};
  prop.numDevices = static_cast<unsigned>(count);
  size_t size = 0;
  CHECK(cuMulticastGetGranularity(&size, &prop, CU_MULTICAST_GRANULARITY_RECOMMENDED));
  prop.size = size;
  CUmemGenericAllocationHandle object;
  CHECK(cuMulticastCreate(&object, &prop));
  for (const int device : devices) CHECK(cuMulticastAddDevice(object, device));

  // Memory on each device, bound to the object and with an address of its own.
  std::vector<CUmemGenericAllocationHandle> memory;
  std::vector<CUdeviceptr> replica;
  for (const int device : devices) {
    memory.push_back(create_memory(device, size));
    CHECK(cuMulticastBindMem(object, 0, memory.back(), 0, size, 0));
    replica.push_back(map(memory.back(), size, devices));
  }
  const CUdeviceptr all = map(object, size, devices);

  // One copy; then every replica is checked.
  std::vector<unsigned> values(1024);
  std::iota(values.begin(), values.end(), 1u);
  const size_t bytes = values.size() * sizeof values[0];
  CHECK(cuMemcpyHtoD(all, values.data(), bytes));
  for (const CUdeviceptr address : replica) {
    std::vector<unsigned> found(values.size());
    CHECK(cuMemcpyDtoH(found.data(), address, bytes));
    if (found != values) return 1;
  }

  // The host function does the work of a kernel with multimem.ld_reduce.
  const auto* const numbers = reinterpret_cast<const unsigned*>(all);
  const unsigned sum = aclsim::multimem_ld_reduce_add(numbers + 9);
  std::printf("%d devices have %u each, together %u\n", count, values[9], sum);

  unmap(all, size);
  for (const int device : devices) {
    CHECK(cuMulticastUnbind(object, device, 0, size));
    unmap(replica[static_cast<size_t>(device)], size);
    CHECK(cuMemRelease(memory[static_cast<size_t>(device)]));
  }
  CHECK(cuMemRelease(object));
  CHECK(cuDevicePrimaryCtxRelease(0));
  return sum == values[9] * static_cast<unsigned>(count) ? 0 : 1;
}
