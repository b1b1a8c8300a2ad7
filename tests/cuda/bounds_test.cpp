// SPDX-License-Identifier: Apache-2.0
// Copies and fills that leave their allocations: each is refused and changes nothing.
#include <cstddef>
#include <vector>

#include "tests/cuda/world.h"

using namespace cudatest;

namespace {

constexpr std::size_t kSize = std::size_t{1} << 20;
constexpr std::size_t kHuge = std::size_t{1} << 40;

/// Allocations that follow each other, filled with zeros.
struct Row {
  Row() {
    for (CUdeviceptr& each : memory) {
      OK(cuMemAlloc(&each, kSize));
      OK(cuMemsetD8(each, 0, kSize));
    }
    OK(cuCtxSynchronize());
  }
  ~Row() {
    for (const CUdeviceptr each : memory) OK(cuMemFree(each));
  }
  bool untouched() const {
    OK(cuCtxSynchronize());
    std::vector<unsigned char> bytes(kSize);
    for (const CUdeviceptr each : memory) {
      OK(cuMemcpyDtoH(bytes.data(), each, kSize));
      if (bytes != std::vector<unsigned char>(kSize)) return false;
    }
    return true;
  }
  CUdeviceptr memory[3] = {};
};

}  // namespace

TEST_CASE("An address of a device without an allocation is an error of every copy and fill") {
  const World world;
  const Row row;
  CUdeviceptr freed = 0;
  OK(cuMemAlloc(&freed, kSize));
  OK(cuMemFree(freed));
  const CUdeviceptr end = row.memory[0] + kSize;
  std::vector<unsigned char> host(kSize, 7);
  const CUdeviceptr plain = reinterpret_cast<CUdeviceptr>(host.data());
  struct Place {
    CUdeviceptr at;
    std::size_t size;
  };
  const Place places[] = {{end - 100, 101}, {freed, 100}, {freed + (std::size_t{1} << 33), 100}};
  for (const auto& [at, size] : places) {
    CAPTURE(at, size);
    CHECK(cuMemcpy(at, row.memory[1], size) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemcpy(row.memory[1], at, size) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemcpy(at, plain, size) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemcpyAsync(at, row.memory[1], size, nullptr) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemcpyHtoD(at, host.data(), size) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemcpyDtoH(host.data(), at, size) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemcpyDtoH(reinterpret_cast<void*>(at), row.memory[1], size) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemcpyHtoD(row.memory[1], reinterpret_cast<void*>(at), size) ==
          CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemcpyDtoD(at, row.memory[1], size) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemsetD8(at, 9, size) == CUDA_ERROR_INVALID_VALUE);
  }
  CHECK(row.untouched());
}

TEST_CASE("Rows that pass the end of an allocation are refused before the first one is written") {
  const World world;
  const Row row;
  std::vector<unsigned char> host(4 * kSize, 7);
  CUDA_MEMCPY2D plane{};
  plane.srcMemoryType = CU_MEMORYTYPE_HOST;
  plane.srcHost = host.data();
  plane.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  plane.dstDevice = row.memory[0];
  plane.srcPitch = plane.dstPitch = plane.WidthInBytes = 4096;
  plane.Height = 300;
  CHECK(cuMemcpy2D(&plane) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemcpy2DAsync(&plane, nullptr) == CUDA_ERROR_INVALID_VALUE);
  plane.Height = 1;
  plane.dstY = 256;
  CHECK(cuMemcpy2D(&plane) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemsetD2D8(row.memory[0], 4096, 9, 4096, 300) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemsetD2D16(row.memory[0], 4096, 9, 2048, 300) == CUDA_ERROR_INVALID_VALUE);
  CHECK(cuMemsetD2D32(row.memory[0], 4096, 9, 1024, 300) == CUDA_ERROR_INVALID_VALUE);
  // The second row would not be aligned.
  CHECK(cuMemsetD2D32(row.memory[0], 4098, 9, 1024, 2) == CUDA_ERROR_INVALID_VALUE);
  CHECK(row.untouched());
}

TEST_CASE("Boxes without bytes are nothing, and boxes that no memory holds are refused at once") {
  const World world;
  const Row row;
  struct Extent {
    std::size_t width, height, depth;
    CUresult expected;
  };
  const Extent extents[] = {
      {0, kHuge, kHuge, CUDA_SUCCESS},
      {0, 1, ~std::size_t{0}, CUDA_SUCCESS},
      {16, 0, kHuge, CUDA_SUCCESS},
      {1, kHuge, 1, CUDA_ERROR_INVALID_VALUE},
      {16, 4, kHuge, CUDA_ERROR_INVALID_VALUE},
      {kHuge, 1, 1, CUDA_ERROR_INVALID_VALUE},
      {~std::size_t{0}, 1, 1, CUDA_ERROR_INVALID_VALUE},
      {~std::size_t{0}, ~std::size_t{0}, ~std::size_t{0}, CUDA_ERROR_INVALID_VALUE}};
  for (const auto& [width, height, depth, expected] : extents) {
    CAPTURE(width, height, depth);
    CUDA_MEMCPY3D box{};
    box.srcMemoryType = box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    box.srcDevice = row.memory[0];
    box.dstDevice = row.memory[1];
    box.WidthInBytes = width;
    box.Height = height;
    box.Depth = depth;
    CHECK(cuMemcpy3D(&box) == expected);
    CHECK(cuMemcpy3DAsync(&box, nullptr) == expected);
    if (depth != 1) continue;
    CUDA_MEMCPY2D plane{};
    plane.srcMemoryType = plane.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    plane.srcDevice = row.memory[0];
    plane.dstDevice = row.memory[1];
    plane.WidthInBytes = width;
    plane.Height = height;
    CHECK(cuMemcpy2D(&plane) == expected);
    CHECK(cuMemsetD2D8(row.memory[0], 0, 1, width, height) == expected);
  }
  CHECK(cuMemsetD2D8(row.memory[0], 1, 1, 0, kHuge) == CUDA_SUCCESS);
  CHECK(cuMemsetD32(row.memory[0], 1, ~std::size_t{0}) == CUDA_ERROR_INVALID_VALUE);
  CHECK(row.untouched());
}
