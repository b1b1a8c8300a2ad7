#include <cstdio>
#include <cstring>

#include "acl/acl.h"
#include "aclrtlaunch_add_offset.h"
#include "aclrtlaunch_measure.h"
#include "aclrtlaunch_measure_tiled.h"
#include "aclrtlaunch_scale.h"
#include "aclrtlaunch_twice.h"

struct Tiling {
  int32_t first;
  float second;
};

int scale_do(uint32_t blockDim, void* stream, void* x, int32_t add);
void fill_do(uint32_t blockDim, void* l2ctrl, void* stream, float* to);

int main() {
  aclrtStream stream = nullptr;
  void* memory = nullptr;
  if (aclInit(nullptr) || aclrtSetDevice(0) || aclrtCreateStream(&stream)) return 1;
  if (aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST)) return 2;
  int numbers[4] = {1, 2, 3, 4};
  if (aclrtMemcpy(memory, 64, numbers, sizeof numbers, ACL_MEMCPY_HOST_TO_DEVICE)) return 3;
  if (scale_do(3, stream, memory, 10) != 0) return 4;
  if (ACLRT_LAUNCH_KERNEL(add_offset)(2, stream, memory) != 0) return 5;
  if (ACLRT_LAUNCH_KERNEL(twice)(1, stream, memory) != 0) return 6;
  if (aclrtSynchronizeStream(stream)) return 7;
  if (aclrtMemcpy(numbers, sizeof numbers, memory, sizeof numbers, ACL_MEMCPY_DEVICE_TO_HOST))
    return 8;
  if (numbers[0] != 232 || numbers[1] != 119 || numbers[2] != 22 || numbers[3] != 4) return 9;
  float floats[2] = {};
  fill_do(2, nullptr, stream, static_cast<float*>(memory));
  if (aclrtSynchronizeStream(stream)) return 10;
  if (aclrtMemcpy(floats, sizeof floats, memory, sizeof floats, ACL_MEMCPY_DEVICE_TO_HOST))
    return 11;
  if (floats[0] != 2.5f || floats[1] != 2.5f) return 12;
  if (ACLRT_LAUNCH_KERNEL(twice)(0, stream, memory) == 0) return 13;  // no blocks
  // A structure is passed by value or by pointer.
  Tiling tiles{10, 20.0f};
  if (aclrtMemset(memory, 64, 0, 64) || ACLRT_LAUNCH_KERNEL(scale)(1, stream, memory, 1, tiles))
    return 25;
  if (ACLRT_LAUNCH_KERNEL(scale)(1, stream, memory, 2, &tiles)) return 26;
  tiles.first = 1000;  // the launch has copied it
  if (ACLRT_LAUNCH_KERNEL(scale)(1, stream, memory, 2, static_cast<Tiling*>(nullptr)) != 107000)
    return 27;
  if (!std::strstr(aclGetRecentErrMsg(), "the argument 'tiling' of the kernel scale is null"))
    return 28;
  if (aclrtSynchronizeStream(stream)) return 29;
  if (aclrtMemcpy(numbers, sizeof numbers, memory, 4, ACL_MEMCPY_DEVICE_TO_HOST)) return 30;
  if (numbers[0] != 31 * 3 + 32) return 31;
  if (ACLRT_LAUNCH_KERNEL(measure)(1, stream, memory, memory) != 0) return 14;
  if (aclrtSynchronizeStream(stream)) return 15;
  if (aclrtMemcpy(numbers, sizeof numbers, memory, 4, ACL_MEMCPY_DEVICE_TO_HOST)) return 16;
  if (numbers[0] != 16 * 1024 * 1024) return 17;
  const int tiling = 5;
  if (aclrtMemcpy(static_cast<char*>(memory) + 32, 32, &tiling, sizeof tiling,
                  ACL_MEMCPY_HOST_TO_DEVICE))
    return 18;
  if (ACLRT_LAUNCH_KERNEL(measure_tiled)(1, stream, memory, memory,
                                         static_cast<char*>(memory) + 32))
    return 19;
  if (aclrtSynchronizeStream(stream)) return 20;
  if (aclrtMemcpy(numbers, sizeof numbers, memory, 4, ACL_MEMCPY_DEVICE_TO_HOST)) return 21;
  if (numbers[0] != 16 * 1024 * 1024 + 5) return 22;
  if (ACLRT_LAUNCH_KERNEL(measure)(1, stream, memory, nullptr) ||
      ACLRT_LAUNCH_KERNEL(measure)(1, stream, memory, nullptr))
    return 23;
  if (aclrtSynchronizeStream(stream)) return 24;
  std::printf("library: ok\n");
  return aclrtDestroyStream(stream) || aclrtResetDevice(0) || aclFinalize();
}
