#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "acl/acl.h"

static const char* const kPath = "./out/fatbin/ascendc_kernels_fatbin/ascendc_kernels_fatbin.o";

static int launch(aclrtBinHandle binary, const char* name, aclrtStream stream, void* x, uint32_t value) {
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
  if (launch(binary, "steps", stream, memory, 7) || launch(binary, "_ZN3ops3addEPjj", stream, memory, 1) ||
      launch(binary, "add", stream, memory, 1) || aclrtSynchronizeStream(stream) ||
      aclrtMemcpy(numbers, sizeof numbers, memory, sizeof numbers, ACL_MEMCPY_DEVICE_TO_HOST)) {
    std::printf("fatbin: %s\n", aclGetRecentErrMsg());
    return 1;
  }
  return numbers[0] != 9 || numbers[1] != 14 || numbers[2] != 19 || numbers[3] != 24;
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
  // The kind of cores is what the kernel says in its body.
  aclrtFuncHandle mixed = nullptr;
  int64_t type = -1;
  if (aclrtBinaryGetFunction(binary, "mixed", &mixed) ||
      aclrtGetFunctionAttribute(mixed, ACL_FUNC_ATTR_KERNEL_TYPE, &type) || type != ACL_KERNEL_TYPE_MIX) {
    return 8;
  }
  if (aclrtBinaryUnLoad(binary) || aclrtBinaryUnLoad(from_memory)) return 7;
  std::printf("fatbin: ok\n");
  return aclrtDestroyStream(stream) || aclrtResetDevice(0) || aclFinalize();
}
