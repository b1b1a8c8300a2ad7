#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "acl/acl.h"

static const char* const kPath = "./out/fatbin/ascendc_kernels_fatbin/ascendc_kernels_fatbin.o";

static int launch(aclrtBinHandle binary, const char* name, aclrtStream stream, void* x,
                  uint32_t value) {
  aclrtFuncHandle function = nullptr;
  aclrtArgsHandle args = nullptr;
  aclrtParamHandle parameter = nullptr;
  return aclrtBinaryGetFunction(binary, name, &function) || aclrtKernelArgsInit(function, &args) ||
         aclrtKernelArgsAppend(args, &x, sizeof x, &parameter) ||
         aclrtKernelArgsAppend(args, &value, sizeof value, &parameter) ||
         aclrtKernelArgsFinalize(args) ||
         aclrtLaunchKernelWithConfig(function, 4, stream, nullptr, args, nullptr);
}

static int use(aclrtBinHandle binary, aclrtStream stream, void* memory) {
  uint32_t numbers[4] = {};
  if (launch(binary, "steps", stream, memory, 7) ||
      launch(binary, "_ZN3ops3addEPjj", stream, memory, 1) ||
      launch(binary, "add", stream, memory, 1) || aclrtSynchronizeStream(stream) ||
      aclrtMemcpy(numbers, sizeof numbers, memory, sizeof numbers, ACL_MEMCPY_DEVICE_TO_HOST)) {
    std::printf("fatbin: %s\n", aclGetRecentErrMsg());
    return 1;
  }
  return numbers[0] != 9 || numbers[1] != 14 || numbers[2] != 19 || numbers[3] != 24;
}

static bool holds(aclrtStream stream, const void* memory, int a, int b, int c, int d) {
  int found[4] = {};
  if (aclrtSynchronizeStream(stream) ||
      aclrtMemcpy(found, sizeof found, memory, sizeof found, ACL_MEMCPY_DEVICE_TO_HOST)) {
    return false;
  }
  if (found[0] == a && found[1] == b && found[2] == c && found[3] == d) return true;
  std::printf("fatbin: %d %d %d %d, expected %d %d %d %d\n", found[0], found[1], found[2], found[3],
              a, b, c, d);
  return false;
}

// An argument list with space for the data that the kernel reads.
static int argument_list(aclrtFuncHandle tiled, aclrtStream stream, void* memory) {
  aclrtArgsHandle args = nullptr;
  aclrtParamHandle parameter = nullptr;
  void* buffer = nullptr;
  if (aclrtKernelArgsInit(tiled, &args) ||
      aclrtKernelArgsAppend(args, &memory, sizeof memory, &parameter) ||
      aclrtKernelArgsAppendPlaceHolder(args, &parameter) ||
      aclrtKernelArgsGetPlaceHolderBuffer(args, parameter, 4 * sizeof(int32_t), &buffer)) {
    return 7;
  }
  for (int i = 0; i < 4; ++i) static_cast<int32_t*>(buffer)[i] = i;
  if (aclrtKernelArgsFinalize(args) ||
      aclrtLaunchKernelWithConfig(tiled, 4, stream, nullptr, args, nullptr) ||
      !holds(stream, memory, 0, 1, 2, 3)) {
    return 8;
  }
  return 0;
}

// Each way to pass arguments.
static int forms(aclrtBinHandle binary, aclrtStream stream, void* memory) {
  aclrtFuncHandle steps = nullptr;
  aclrtFuncHandle tiled = nullptr;
  if (aclrtBinaryGetFunction(binary, "steps", &steps) ||
      aclrtBinaryGetFunction(binary, "tiled", &tiled))
    return 1;
  struct {
    void* x;
    uint32_t from;
  } packed = {memory, 1};
  void* on_device = nullptr;
  if (aclrtMalloc(&on_device, sizeof packed, ACL_MEM_MALLOC_HUGE_FIRST) ||
      aclrtMemcpy(on_device, sizeof packed, &packed, sizeof packed, ACL_MEMCPY_HOST_TO_DEVICE) ||
      aclrtLaunchKernel(steps, 4, on_device, sizeof packed, stream) ||
      !holds(stream, memory, 1, 6, 11, 16)) {
    return 2;
  }
  // The blocks begin at the second one, so that the first number remains unchanged.
  aclrtLaunchKernelAttr offset = {};
  offset.id = ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET;
  offset.value.blockDimOffset = 1;
  aclrtLaunchKernelCfg config = {&offset, 1};
  packed.from = 2;
  if (aclrtMemcpy(on_device, sizeof packed, &packed, sizeof packed, ACL_MEMCPY_HOST_TO_DEVICE) ||
      aclrtLaunchKernelV2(steps, 3, on_device, sizeof packed, &config, stream) ||
      !holds(stream, memory, 1, 7, 12, 17)) {
    return 3;
  }
  packed.from = 3;
  if (aclrtLaunchKernelWithHostArgs(steps, 4, stream, nullptr, &packed, sizeof packed, nullptr,
                                    0) ||
      !holds(stream, memory, 3, 8, 13, 18)) {
    return 4;
  }
  uint32_t from = 4;
  void* list[] = {&packed.x, &from};
  if (aclrtLaunchKernelWithArgsArray(steps, 4, stream, nullptr, list) ||
      !holds(stream, memory, 4, 9, 14, 19)) {
    return 5;
  }
  struct {
    void* x;
    void* tiling;
    int32_t numbers[4];
  } placed = {memory, nullptr, {40, 30, 20, 10}};
  aclrtPlaceHolderInfo place = {};
  place.addrOffset = offsetof(decltype(placed), tiling);
  place.dataOffset = offsetof(decltype(placed), numbers);
  if (aclrtLaunchKernelWithHostArgs(tiled, 4, stream, nullptr, &placed, sizeof placed, &place, 1) ||
      !holds(stream, memory, 40, 30, 20, 10)) {
    return 6;
  }
  if (const int problem = argument_list(tiled, stream, memory)) return problem;
  return aclrtFree(on_device);
}

static int global_variable(aclrtBinHandle binary, aclrtStream stream, void* memory) {
  aclrtFuncHandle from_table = nullptr;
  void* table = nullptr;
  size_t size = 0;
  if (aclrtBinaryGetFunction(binary, "from_table", &from_table) ||
      aclrtBinaryGetGlobal(binary, "table", &table, &size) || size != 32) {
    return 1;
  }
  const int32_t nine = 9;
  void* list[] = {&memory};
  if (aclrtMemcpy(static_cast<int32_t*>(table) + 2, 4, &nine, 4, ACL_MEMCPY_HOST_TO_DEVICE) ||
      aclrtLaunchKernelWithArgsArray(from_table, 4, stream, nullptr, list) ||
      !holds(stream, memory, 4, 8, 36, 16)) {
    return 2;
  }
  return aclrtBinaryGetGlobal(binary, "missing", &table, &size) == ACL_SUCCESS;
}

int main() {
  aclrtStream stream = nullptr;
  void* memory = nullptr;
  if (aclInit(nullptr) || aclrtSetDevice(0) || aclrtCreateStream(&stream)) return 1;
  if (aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST)) return 2;
  aclrtBinHandle binary = nullptr;
  if (aclrtBinaryLoadFromFile(kPath, nullptr, &binary) || use(binary, stream, memory)) return 3;
  std::ifstream file(kPath, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  aclrtBinHandle from_memory = nullptr;
  if (aclrtBinaryLoadFromData(bytes.data(), bytes.size(), nullptr, &from_memory)) return 4;
  if (use(from_memory, stream, memory)) return 5;
  aclrtFuncHandle none = nullptr;
  if (aclrtBinaryGetFunction(binary, "missing", &none) == ACL_SUCCESS) return 6;
  // The body of the kernel specifies the kind of cores.
  aclrtFuncHandle mixed = nullptr;
  int64_t type = -1;
  if (aclrtBinaryGetFunction(binary, "mixed", &mixed) ||
      aclrtGetFunctionAttribute(mixed, ACL_FUNC_ATTR_KERNEL_TYPE, &type) ||
      type != ACL_KERNEL_TYPE_MIX) {
    return 8;
  }
  for (aclrtBinHandle each : {binary, from_memory}) {
    if (const int wrong = forms(each, stream, memory)) return 10 + wrong;
    if (const int wrong = global_variable(each, stream, memory)) return 20 + wrong;
  }
  if (aclrtBinaryUnLoad(binary) || aclrtBinaryUnLoad(from_memory)) return 7;
  std::printf("fatbin: ok\n");
  return aclrtDestroyStream(stream) || aclrtResetDevice(0) || aclFinalize();
}
