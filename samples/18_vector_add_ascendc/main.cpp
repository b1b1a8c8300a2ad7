// SPDX-License-Identifier: Apache-2.0
//
// A kernel in a file of its own, launched in both ways that ascendc_library offers: by a function
// in the kernel's file, and by the generated launcher.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "aclrtlaunch_vector_add.h"

int vector_add_do(uint32_t blocks, void* stream, uint8_t* x, uint8_t* y, uint8_t* z,
                  uint32_t count);

static void check(int code, const char* what) {
  if (code == 0) return;
  std::fprintf(stderr, "%s: error %d, %s\n", what, code, aclGetRecentErrMsg());
  std::exit(1);
}
#define CHECK(call) check(static_cast<int>(call), #call)

int main() {
  constexpr uint32_t kBlocks = 8;
  constexpr uint32_t kCount = kBlocks * 2048;
  constexpr size_t kBytes = kCount * sizeof(float);

  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  uint8_t* memory[3] = {};
  for (uint8_t*& piece : memory) {
    CHECK(aclrtMalloc(reinterpret_cast<void**>(&piece), kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  std::vector<float> x(kCount), y(kCount), z(kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    x[i] = static_cast<float>(i);
    y[i] = 0.25f * static_cast<float>(i % 7);
  }
  CHECK(aclrtMemcpy(memory[0], kBytes, x.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  CHECK(aclrtMemcpy(memory[1], kBytes, y.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));

  // z = x + y, then z = z + y.
  CHECK(vector_add_do(kBlocks, stream, memory[0], memory[1], memory[2], kCount));
  CHECK(ACLRT_LAUNCH_KERNEL(vector_add)(kBlocks, stream, memory[2], memory[1], memory[2], kCount));
  CHECK(aclrtSynchronizeStream(stream));
  CHECK(aclrtMemcpy(z.data(), kBytes, memory[2], kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  for (uint32_t i = 0; i < kCount; ++i) {
    if (z[i] != x[i] + 2 * y[i]) {
      std::printf("element %u is %g, expected %g\n", i, z[i], x[i] + 2 * y[i]);
      return 1;
    }
  }
  std::printf("%u elements added by %u blocks, twice\n", kCount, kBlocks);

  for (uint8_t* piece : memory) CHECK(aclrtFree(piece));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return 0;
}
