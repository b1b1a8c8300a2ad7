// SPDX-License-Identifier: Apache-2.0
// Memory of cuMemAllocAsync and of memory pools.
#include <atomic>
#include <thread>

#include "tests/cuda/world.h"
#include "tests/support/waiting.h"

using namespace cudatest;

namespace {

CUmemPoolProps pool_props(int device) {
  CUmemPoolProps props{};
  props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  props.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  return props;
}

std::size_t free_bytes() {
  std::size_t free = 0, total = 0;
  OK(cuMemGetInfo(&free, &total));
  return free;
}

/// Holds a stream until it is opened.
struct Held {
  std::atomic<bool> open{false};
  explicit Held(CUstream stream) { OK(cuLaunchHostFunc(stream, wait, this)); }
  static void wait(void* held) {
    support::eventually([&] { return static_cast<Held*>(held)->open.load(); });
  }
};

}  // namespace

TEST_CASE("Memory of cuMemAllocAsync is memory of the stream's device") {
  const World world(1);
  int supported = 0;
  OK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1));
  CHECK(supported == 1);
  CUstream stream = nullptr;
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUdeviceptr address = 0;
  OK(cuMemAllocAsync(&address, 5000, stream));
  OK(cuMemsetD8Async(address, 7, 5000, stream));
  OK(cuStreamSynchronize(stream));
  CHECK(read_back(address + 4999, 1) == std::vector<unsigned char>{7});
  CUdeviceptr begin = 0;
  std::size_t size = 0;
  OK(cuMemGetAddressRange(&begin, &size, address + 10));
  CHECK(begin == address);
  CHECK(size == 5000);
  int device = -1;
  OK(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address));
  CHECK(device == 1);
  OK(cuMemFreeAsync(address, stream));
  OK(cuStreamSynchronize(stream));
  OK(cuStreamDestroy(stream));
}

TEST_CASE("Memory of cuMemAllocAsync and of a pool can be bound to a multicast object") {
  const World world;
  CUstream streams[2] = {};
  CUdeviceptr parts[2] = {};
  CUmulticastObjectProp prop{};
  prop.numDevices = 2;
  prop.size = 2 * kG;
  CUmemGenericAllocationHandle object = 0;
  OK(cuMulticastCreate(&object, &prop));
  OK(cuMulticastAddDevice(object, 0));
  OK(cuMulticastAddDevice(object, 1));
  CUmemoryPool pool = nullptr;
  const CUmemPoolProps props = pool_props(1);
  OK(cuMemPoolCreate(&pool, &props));
  OK(cuStreamCreate(&streams[0], 0));
  OK(cuMemAllocAsync(&parts[0], 4 << 20, streams[0]));
  OK(cuMemAllocFromPoolAsync(&parts[1], 4 << 20, pool, streams[0]));
  for (const CUdeviceptr part : parts) OK(cuMulticastBindAddr(object, 0, part, 2 * kG, 0));
  {
    const Mapped everywhere(object, 2 * kG, 2);
    OK(cuMemsetD8(everywhere + 3, 9, 5));
    for (const CUdeviceptr part : parts) {
      CHECK(read_back(part + 3, 5) == std::vector<unsigned char>(5, 9));
    }
  }
  for (int device = 0; device < 2; ++device) OK(cuMulticastUnbind(object, device, 0, 2 * kG));
  OK(cuMemRelease(object));
  for (const CUdeviceptr part : parts) OK(cuMemFreeAsync(part, streams[0]));
  OK(cuMemPoolDestroy(pool));
  OK(cuStreamSynchronize(streams[0]));
  OK(cuStreamDestroy(streams[0]));
}

TEST_CASE("A free in the order of a stream waits for the stream, and the host does not") {
  const World world;
  CUstream stream = nullptr;
  OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  const std::size_t before = free_bytes();
  CUdeviceptr address = 0;
  OK(cuMemAllocAsync(&address, kG, stream));
  CHECK(free_bytes() == before - kG);
  Held held(stream);
  OK(cuMemsetD8Async(address, 1, kG, stream));
  OK(cuMemFreeAsync(address, stream));
  CHECK(cuStreamQuery(stream) == CUDA_ERROR_NOT_READY);
  CHECK(free_bytes() == before - kG);
  CHECK(cuMemFreeAsync(address, stream) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemFree(address) == CUDA_ERROR_INVALID_VALUE);
  held.open = true;
  OK(cuStreamSynchronize(stream));
  CHECK(free_bytes() == before);
  OK(cuStreamDestroy(stream));
}

TEST_CASE("cuMemFree frees memory of a pool, too") {
  const World world;
  const std::size_t before = free_bytes();
  CUdeviceptr address = 0;
  OK(cuMemAllocAsync(&address, 3 * kG + 1, nullptr));
  OK(cuMemFree(address));
  CHECK(free_bytes() == before);
  CHECK(cuMemFree(address) == CUDA_ERROR_INVALID_VALUE);
}

TEST_CASE("A pool has a limit, and blocks that survive it") {
  const World world;
  CUmemPoolProps props = pool_props(0);
  props.maxSize = 2 * kG;
  CUmemoryPool pool = nullptr;
  OK(cuMemPoolCreate(&pool, &props));
  CUdeviceptr one = 0, two = 0;
  OK(cuMemAllocFromPoolAsync(&one, kG, pool, nullptr));
  CHECK(cuMemAllocFromPoolAsync(&two, kG + 1, pool, nullptr) == CUDA_ERROR_OUT_OF_MEMORY);
  OK(cuMemAllocFromPoolAsync(&two, kG, pool, nullptr));
  OK(cuMemPoolDestroy(pool));
  CHECK(cuMemPoolDestroy(pool) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAllocFromPoolAsync(&two, kG, pool, nullptr) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemsetD8(one, 1, kG));
  OK(cuMemFreeAsync(one, nullptr));
  OK(cuMemFreeAsync(two, nullptr));
  OK(cuCtxSynchronize());
}

TEST_CASE("Wrong arguments of pools are refused") {
  const World world;
  CUdeviceptr address = 1;
  CUmemoryPool pool = nullptr;
  CHECK(cuMemAllocAsync(nullptr, 1, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAllocAsync(&address, 0, nullptr) == CUDA_ERROR_INVALID_VALUE);
  for (const std::size_t size : {SIZE_MAX, SIZE_MAX - kG, std::size_t{1} << 62}) {
    CHECK(cuMemAllocAsync(&address, size, nullptr) == CUDA_ERROR_OUT_OF_MEMORY);
  }
  CHECK(cuMemAllocAsync(&address, 1, reinterpret_cast<CUstream>(&address)) ==
        CUDA_ERROR_INVALID_HANDLE);
  CHECK(cuMemAllocFromPoolAsync(&address, 1, nullptr, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemAllocFromPoolAsync(&address, 1, reinterpret_cast<CUmemoryPool>(&address), nullptr) ==
        CUDA_ERROR_INVALID_VALUE);
  CHECK(address == 1);
  CHECK(cuMemFreeAsync(0, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemFreeAsync(4096, nullptr) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemAlloc(&address, 16));
  CHECK(cuMemFreeAsync(address, nullptr) == CUDA_ERROR_INVALID_VALUE);
  OK(cuMemFree(address));
  CHECK(cuMemPoolCreate(nullptr, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemPoolCreate(&pool, nullptr) == CUDA_ERROR_INVALID_VALUE);
  CUmemPoolProps props = pool_props(99);
  CHECK(cuMemPoolCreate(&pool, &props) == CUDA_ERROR_INVALID_DEVICE);
  props = pool_props(0);
  props.allocType = CU_MEM_ALLOCATION_TYPE_INVALID;
  CHECK(cuMemPoolCreate(&pool, &props) == CUDA_ERROR_INVALID_VALUE);
  props = pool_props(0);
  props.reserved[3] = 1;
  CHECK(cuMemPoolCreate(&pool, &props) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemPoolDestroy(nullptr) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuDeviceGetDefaultMemPool(&pool, 99) == CUDA_ERROR_INVALID_DEVICE);
  OK(cuDeviceGetDefaultMemPool(&pool, 0));
  CHECK(cuMemPoolDestroy(pool) == CUDA_ERROR_INVALID_VALUE);
}
