// SPDX-License-Identifier: Apache-2.0
//
// Kernels by handle, as in code for hardware: load a binary, look a function up by name, and launch
// it with arguments in one of three forms.
//
//   ./kernel_by_handle              the functions are registered under the name of a device binary,
//                                   which then needs no file: the rest of the program is
//                                   unchanged
//   ./kernel_by_handle kernels.so   the functions come from a shared object for the host:
//                                   g++ -shared -fPIC main.cpp -o kernels.so
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_sim.h"        // aclsimKernel, aclsimRegisterKernel
#include "acl/acl_sim_check.h"  // aclsimCheckNextKernelWrites

// ---- the kernels: one call for each block ----

struct ScaleArgs {
  float* numbers;  // device memory
  uint32_t count;
  float factor;
};

extern "C" __attribute__((visibility("default"))) int32_t scale(const aclsimKernelContext* context,
                                                                const void* raw) {
  const ScaleArgs& args = *static_cast<const ScaleArgs*>(raw);
  for (uint32_t i = context->blockIndex; i < args.count; i += context->numBlocks) {
    args.numbers[i] *= args.factor;
  }
  return 0;
}

struct AddTableArgs {
  float* numbers;      // device memory
  const float* table;  // a buffer that is passed along with the arguments
  uint32_t tableSize;
  uint32_t count;
};

extern "C" __attribute__((visibility("default"))) int32_t add_table(const aclsimKernelContext*,
                                                                    const void* raw) {
  const AddTableArgs& args = *static_cast<const AddTableArgs*>(raw);
  for (uint32_t i = 0; i < args.count; ++i) args.numbers[i] += args.table[i % args.tableSize];
  return 0;
}

// ---- the program ----

// Ends the program when a call fails, and prints the call and the reason.
#define CHECK(call) check((call), #call, __LINE__)
static void check(aclError code, const char* call, int line) {
  if (code == ACL_SUCCESS) return;
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "line %d: %s gave %d: %s\n", line, call, code, text != nullptr ? text : "");
  std::exit(1);
}

static const uint32_t kCount = 10000;
static const uint32_t kBlocks = 8;

static void register_kernel(const char* name, aclsimKernel kernel) {
  aclsimKernelEntry entry = {};
  entry.size = sizeof(entry);
  entry.binary = "vector_kernels.o";
  entry.name = name;
  entry.kernel = kernel;
  CHECK(aclsimRegisterKernel(&entry));
}

// Declares the accesses of the next kernel, for `aclsim run --check`.
static void declare_numbers(float* numbers) {
  CHECK(aclsimCheckNextKernelWrites(numbers, kCount * sizeof(float)));
}

// The parameters are in device memory, and must stay valid until the kernel has run.
static void launch_from_device_memory(aclrtFuncHandle function, float* numbers, void* args,
                                      aclrtStream stream) {
  const ScaleArgs values = {numbers, kCount, 3};
  CHECK(aclrtMemcpy(args, sizeof(values), &values, sizeof(values), ACL_MEMCPY_HOST_TO_DEVICE));
  declare_numbers(numbers);
  CHECK(aclrtLaunchKernel(function, kBlocks, args, sizeof(values), stream));
}

// One block of host memory: the parameters, followed by a table. The call copies the block, and the
// placeholder makes the copy's pointer refer to the copy's table.
static void launch_from_host_memory(aclrtFuncHandle function, float* numbers, aclrtStream stream) {
  struct {
    AddTableArgs args;
    float table[2];
  } block = {{numbers, nullptr, 2, kCount}, {100, 200}};
  aclrtPlaceHolderInfo placeholder = {};
  placeholder.addrOffset = offsetof(AddTableArgs, table);
  placeholder.dataOffset = sizeof(AddTableArgs);
  declare_numbers(numbers);
  CHECK(aclrtLaunchKernelWithHostArgs(function, 1, stream, nullptr, &block, sizeof(block),
                                      &placeholder, 1));
}

// A list that is built argument by argument and can be launched any number of times.
static void launch_with_list(aclrtFuncHandle function, float* numbers, aclrtStream stream) {
  aclrtArgsHandle args = nullptr;
  aclrtParamHandle pointer = nullptr;
  aclrtParamHandle count = nullptr;
  aclrtParamHandle factor = nullptr;
  uint32_t half = kCount / 2;
  float two = 2;
  CHECK(aclrtKernelArgsInit(function, &args));
  CHECK(aclrtKernelArgsAppend(args, &numbers, sizeof(numbers), &pointer));
  CHECK(aclrtKernelArgsAppend(args, &half, sizeof(half), &count));
  CHECK(aclrtKernelArgsAppend(args, &two, sizeof(two), &factor));
  CHECK(aclrtKernelArgsFinalize(args));
  declare_numbers(numbers);
  CHECK(aclrtLaunchKernelWithConfig(function, kBlocks, stream, nullptr, args, nullptr));
  float* second_half = numbers + half;
  CHECK(aclrtKernelArgsParaUpdate(args, pointer, &second_half, sizeof(second_half)));
  declare_numbers(numbers);
  CHECK(aclrtLaunchKernelWithConfig(function, kBlocks, stream, nullptr, args, nullptr));
}

int main(int argc, char** argv) {
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  const char* path = "vector_kernels.o";
  if (argc > 1) {
    path = argv[1];
  } else {
    register_kernel("scale", scale);
    register_kernel("add_table", add_table);
  }
  aclrtBinHandle binary = nullptr;
  aclrtFuncHandle scale_function = nullptr;
  aclrtFuncHandle add_function = nullptr;
  CHECK(aclrtBinaryLoadFromFile(path, nullptr, &binary));
  CHECK(aclrtBinaryGetFunction(binary, "scale", &scale_function));
  CHECK(aclrtBinaryGetFunction(binary, "add_table", &add_function));

  std::vector<float> host(kCount);
  for (uint32_t i = 0; i < kCount; ++i) host[i] = static_cast<float>(i % 1000);
  const size_t bytes = kCount * sizeof(float);
  void* numbers = nullptr;
  void* args = nullptr;
  aclrtStream stream = nullptr;
  CHECK(aclrtMalloc(&numbers, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMalloc(&args, sizeof(ScaleArgs), ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtCreateStream(&stream));
  CHECK(aclrtMemcpy(numbers, bytes, host.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));

  launch_from_device_memory(scale_function, static_cast<float*>(numbers), args, stream);
  launch_from_host_memory(add_function, static_cast<float*>(numbers), stream);
  launch_with_list(scale_function, static_cast<float*>(numbers), stream);
  CHECK(aclrtBinaryUnLoad(binary));  // kernels that were launched still run
  CHECK(aclrtSynchronizeStream(stream));

  CHECK(aclrtMemcpy(host.data(), bytes, numbers, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < kCount; ++i) {
    const float expected = (static_cast<float>(i % 1000) * 3 + (i % 2 == 0 ? 100 : 200)) * 2;
    if (host[i] != expected) ++wrong;
  }
  std::printf("kernels of %s: %u numbers, %u wrong\n", path, kCount, wrong);

  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtFree(args));
  CHECK(aclrtFree(numbers));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return wrong == 0 ? 0 : 1;
}
