// SPDX-License-Identifier: Apache-2.0
// Multicast objects compared with plain calls: 64 MiB to R replicas against R copies, and creating,
// binding and mapping an object of 8 devices against the same virtual memory calls.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <memory>
#include <vector>

#include "cuda/cuda_multicast.h"

namespace {

constexpr std::size_t kSize = std::size_t{64} << 20;

void require(CUresult result) {
  if (result != CUDA_SUCCESS) std::abort();
}

void start() {
  static const bool started = [] {
    CUcontext context = nullptr;
    require(cuInit(0));
    require(cuDevicePrimaryCtxRetain(&context, 0));
    require(cuCtxSetCurrent(context));
    return true;
  }();
  (void)started;
}

CUmemGenericAllocationHandle create(int device, std::size_t size) {
  CUmemAllocationProp prop{};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  CUmemGenericAllocationHandle handle = 0;
  require(cuMemCreate(&handle, size, &prop, 0));
  return handle;
}

CUmemGenericAllocationHandle create_object(int devices, std::size_t size) {
  const CUmulticastObjectProp prop{static_cast<unsigned>(devices), size, 0, 0};
  CUmemGenericAllocationHandle object = 0;
  require(cuMulticastCreate(&object, &prop));
  for (int i = 0; i < devices; ++i) require(cuMulticastAddDevice(object, i));
  return object;
}

CUdeviceptr map(CUmemGenericAllocationHandle handle, std::size_t size, int devices) {
  CUdeviceptr at = 0;
  require(cuMemAddressReserve(&at, size, 0, 0, 0));
  require(cuMemMap(at, size, 0, handle, 0));
  std::vector<CUmemAccessDesc> access;
  for (int i = 0; i < devices; ++i) {
    access.push_back({{CU_MEM_LOCATION_TYPE_DEVICE, i}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
  }
  require(cuMemSetAccess(at, size, access.data(), access.size()));
  return at;
}

void unmap(CUdeviceptr at, std::size_t size) {
  require(cuMemUnmap(at, size));
  require(cuMemAddressFree(at, size));
}

/// R replicas of an object, and memory to copy from.
struct Team {
  explicit Team(int devices) : object(create_object(devices, kSize)) {
    for (int i = 0; i < devices; ++i) {
      memory.push_back(create(i, kSize));
      require(cuMulticastBindMem(object, 0, memory.back(), 0, kSize, 0));
      replica.push_back(map(memory.back(), kSize, devices));
    }
    source_memory = create(0, kSize);
    source = map(source_memory, kSize, devices);
    all = map(object, kSize, devices);
    require(cuMemsetD32(source, 1, kSize / 4));
    require(cuMemsetD32(all, 2, kSize / 4));
    require(cuCtxSynchronize());
  }
  ~Team() {
    unmap(all, kSize);
    unmap(source, kSize);
    for (std::size_t i = 0; i < memory.size(); ++i) {
      unmap(replica[i], kSize);
      require(cuMemRelease(memory[i]));
    }
    require(cuMemRelease(source_memory));
    require(cuMemRelease(object));
  }
  CUmemGenericAllocationHandle object;
  CUmemGenericAllocationHandle source_memory = 0;
  std::vector<CUmemGenericAllocationHandle> memory;
  std::vector<CUdeviceptr> replica;
  CUdeviceptr source = 0;
  CUdeviceptr all = 0;
};

void multicast_copy(benchmark::State& state) {
  start();
  const Team team(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    require(cuMemcpyDtoD(team.all, team.source, kSize));
    require(cuCtxSynchronize());
  }
}

void plain_copies(benchmark::State& state) {
  start();
  const Team team(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    for (const CUdeviceptr to : team.replica) require(cuMemcpyDtoD(to, team.source, kSize));
    require(cuCtxSynchronize());
  }
}

constexpr std::size_t kSmall = std::size_t{2} << 20;
constexpr int kDevices = 8;

void memory_of_eight(bool multicast) {
  CUmemGenericAllocationHandle memory[kDevices];
  CUdeviceptr at[kDevices];
  CUmemGenericAllocationHandle object = multicast ? create_object(kDevices, kSmall) : 0;
  for (int i = 0; i < kDevices; ++i) {
    memory[i] = create(i, kSmall);
    if (multicast) require(cuMulticastBindMem(object, 0, memory[i], 0, kSmall, 0));
    at[i] = map(memory[i], kSmall, kDevices);
  }
  if (multicast) {
    unmap(map(object, kSmall, kDevices), kSmall);
    require(cuMemRelease(object));
  }
  for (int i = 0; i < kDevices; ++i) {
    unmap(at[i], kSmall);
    require(cuMemRelease(memory[i]));
  }
}

void object_of_eight(benchmark::State& state) {
  start();
  for (auto _ : state) memory_of_eight(true);
}

void memory_alone(benchmark::State& state) {
  start();
  for (auto _ : state) memory_of_eight(false);
}

BENCHMARK(multicast_copy)->Arg(1)->Arg(2)->Arg(4)->Arg(8)->Unit(benchmark::kMillisecond);
BENCHMARK(plain_copies)->Arg(1)->Arg(2)->Arg(4)->Arg(8)->Unit(benchmark::kMillisecond);
BENCHMARK(object_of_eight)->Unit(benchmark::kMicrosecond);
BENCHMARK(memory_alone)->Unit(benchmark::kMicrosecond);

}  // namespace
