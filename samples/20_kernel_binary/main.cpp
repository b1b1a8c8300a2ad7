// SPDX-License-Identifier: Apache-2.0
//
// Kernels that are loaded from a file, looked up by name, and launched with a list of arguments.
// One of the arguments is a placeholder: a table that is copied with the launch, and whose address
// the kernel receives.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "acl/acl.h"

static void check(int code, const char* what) {
  if (code == 0) return;
  std::fprintf(stderr, "%s: error %d, %s\n", what, code, aclGetRecentErrMsg());
  std::exit(1);
}
#define CHECK(call) check(static_cast<int>(call), #call)

constexpr uint32_t kBlocks = 4;
constexpr uint32_t kCount = kBlocks * 256;
constexpr size_t kBytes = kCount * sizeof(float);

static aclrtArgsHandle arguments_of(aclrtFuncHandle function, void* x, void* y, const float* table,
                                    float factor) {
  aclrtArgsHandle args = nullptr;
  aclrtParamHandle parameter = nullptr;
  aclrtParamHandle place = nullptr;
  void* copied = nullptr;
  CHECK(aclrtKernelArgsInit(function, &args));
  CHECK(aclrtKernelArgsAppend(args, &x, sizeof x, &parameter));
  CHECK(aclrtKernelArgsAppend(args, &y, sizeof y, &parameter));
  CHECK(aclrtKernelArgsAppendPlaceHolder(args, &place));
  CHECK(aclrtKernelArgsAppend(args, &factor, sizeof factor, &parameter));
  CHECK(aclrtKernelArgsGetPlaceHolderBuffer(args, place, kBlocks * sizeof(float), &copied));
  std::memcpy(copied, table, kBlocks * sizeof(float));
  CHECK(aclrtKernelArgsFinalize(args));
  return args;
}

int main(int argc, char** argv) {
  const char* const path = argc > 1 ? argv[1] : "./out/fatbin/kernels/kernels.o";
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle function = nullptr;
  CHECK(aclrtBinaryLoadFromFile(path, nullptr, &binary));
  CHECK(aclrtBinaryGetFunction(binary, "scale_and_shift", &function));

  void* x = nullptr;
  void* y = nullptr;
  CHECK(aclrtMalloc(&x, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMalloc(&y, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  std::vector<float> numbers(kCount);
  for (uint32_t i = 0; i < kCount; ++i) numbers[i] = static_cast<float>(i);
  CHECK(aclrtMemcpy(x, kBytes, numbers.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));

  const float table[kBlocks] = {0.5f, 1.5f, 2.5f, 3.5f};
  const aclrtArgsHandle args = arguments_of(function, x, y, table, 2.0f);
  CHECK(aclrtLaunchKernelWithConfig(function, kBlocks, stream, nullptr, args, nullptr));
  CHECK(aclrtSynchronizeStream(stream));
  CHECK(aclrtMemcpy(numbers.data(), kBytes, y, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  for (uint32_t i = 0; i < kCount; ++i) {
    if (numbers[i] != 2.0f * static_cast<float>(i) + table[i / 256]) {
      std::printf("element %u is %g\n", i, numbers[i]);
      return 1;
    }
  }
  std::printf("%u elements scaled by %u blocks of a kernel from %s\n", kCount, kBlocks, path);

  CHECK(aclrtBinaryUnLoad(binary));
  CHECK(aclrtFree(x));
  CHECK(aclrtFree(y));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return 0;
}
