// SPDX-License-Identifier: Apache-2.0
// An all-reduce in two steps: each device adds up its part of the data of all devices, with loads
// that reduce, and stores the sums to all devices at once. The kernels are host functions.
#include "common.h"

#include <acl/acl_sim.h>
#include <cuda/multimem.h>

#include <cmath>

namespace {

constexpr int kDevices = 4;
constexpr size_t kNumbers = 1 << 12;

struct Part {
  const float* from;
  float* to;
  size_t begin;
  size_t end;
};

// On hardware: multimem.ld_reduce and multimem.st.
void reduce_part(void* data) {
  const Part& part = *static_cast<const Part*>(data);
  for (size_t i = part.begin; i < part.end; ++i) {
    aclsim::multimem_st(part.to + i, aclsim::multimem_ld_reduce_add(part.from + i));
  }
}

// Each device takes a quarter. All devices must finish before the host reads the sums.
void reduce(const std::vector<CUcontext>& context, CUdeviceptr numbers, CUdeviceptr sums) {
  std::vector<Part> parts;
  for (size_t i = 0; i < context.size(); ++i) {
    const size_t begin = kNumbers / kDevices * i;
    parts.push_back({reinterpret_cast<const float*>(numbers), reinterpret_cast<float*>(sums), begin,
                     begin + kNumbers / kDevices});
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    CHECK(cuCtxSetCurrent(context[i]));
    CHECK(cuLaunchHostFunc(nullptr, reduce_part, &parts[i]));
  }
  for (const CUcontext one : context) {
    CHECK(cuCtxSetCurrent(one));
    CHECK(cuCtxSynchronize());
  }
}

}  // namespace

int main() {
  int count = 0;
  CHECK(cuInit(0));
  CHECK(cuDeviceGetCount(&count));
  if (count < kDevices) return 0;
  const std::vector<int> devices = {0, 1, 2, 3};
  CUmulticastObjectProp prop{};
  prop.numDevices = kDevices;
  size_t size = 0;
  CHECK(cuMulticastGetGranularity(&size, &prop, CU_MULTICAST_GRANULARITY_MINIMUM));
  prop.size = 2 * size;  // the summands, and the sums
  CUmemGenericAllocationHandle object;
  CHECK(cuMulticastCreate(&object, &prop));
  for (const int device : devices) CHECK(cuMulticastAddDevice(object, device));

  std::vector<CUcontext> context(kDevices);
  std::vector<CUdeviceptr> replica;
  std::vector<double> expected(kNumbers);
  for (const int device : devices) {
    const auto index = static_cast<size_t>(device);
    CHECK(cuDevicePrimaryCtxRetain(&context[index], device));
    CHECK(cuCtxSetCurrent(context[index]));
    const CUmemGenericAllocationHandle memory = create_memory(device, prop.size);
    CHECK(cuMulticastBindMem(object, 0, memory, 0, prop.size, 0));
    replica.push_back(map(memory, prop.size, devices));
    CHECK(cuMemRelease(memory));  // the mapping keeps it
    std::vector<float> numbers(kNumbers);
    for (size_t i = 0; i < kNumbers; ++i) {
      numbers[i] = std::sin(static_cast<float>(i + 1) * static_cast<float>(device + 1));
      expected[i] += numbers[i];
    }
    CHECK(cuMemcpyHtoD(replica.back(), numbers.data(), kNumbers * sizeof(float)));
  }
  const CUdeviceptr all = map(object, prop.size, devices);

  reduce(context, all, all + size);

  double worst = 0;
  for (const CUdeviceptr address : replica) {
    std::vector<float> sums(kNumbers);
    CHECK(cuMemcpyDtoH(sums.data(), address + size, kNumbers * sizeof(float)));
    for (size_t i = 0; i < kNumbers; ++i)
      worst = std::fmax(worst, std::fabs(sums[i] - expected[i]));
  }
  std::printf("%d devices, %zu sums each, right to 1e-6: %s\n", kDevices, kNumbers,
              worst < 1e-6 ? "yes" : "no");
  unmap(all, prop.size);
  for (const int device : devices) {
    CHECK(cuMulticastUnbind(object, device, 0, prop.size));
    unmap(replica[static_cast<size_t>(device)], prop.size);
    CHECK(cuDevicePrimaryCtxRelease(device));
  }
  CHECK(cuMemRelease(object));
  return worst < 1e-6 ? 0 : 1;
}
