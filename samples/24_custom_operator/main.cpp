// SPDX-License-Identifier: Apache-2.0
// Finds an operator of a custom library as frameworks do: first in libcust_opapi.so below the given
// folder, below ASCEND_CUSTOM_OPP_PATH or below the folder of the program, then in libopapi.so.
// Runs the operator and checks the sums.
#include <acl/acl.h>
#include <aclnn/aclnn_base.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#define CHECK(call)                                                                   \
  do {                                                                                \
    const int code = (call);                                                          \
    if (code != 0) {                                                                  \
      const char* const text = aclGetRecentErrMsg();                                  \
      std::fprintf(stderr, "%s: %d (%s)\n", #call, code, text ? text : "no message"); \
      return 1;                                                                       \
    }                                                                                 \
  } while (0)

namespace {

constexpr int64_t kCount = 1000;

void* find(const char* name, const std::string& folder) {
  for (const std::string& library :
       {folder + "/op_api/lib/libcust_opapi.so", std::string("libopapi.so")}) {
    void* const handle = dlopen(library.c_str(), RTLD_LAZY);
    void* const found = handle ? dlsym(handle, name) : nullptr;
    if (found) return found;
  }
  return nullptr;
}

aclTensor* vector_of(void* memory) {
  return aclCreateTensor(&kCount, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &kCount, 1, memory);
}

}  // namespace

int main(int argc, char** argv) {
  const char* const variable = std::getenv("ASCEND_CUSTOM_OPP_PATH");
  const std::string program = argv[0];
  const std::string beside = program.substr(0, program.rfind('/') + 1) + ".";
  const std::string folder = argc > 1 ? argv[1] : variable ? variable : beside;
  const auto first = reinterpret_cast<aclnnStatus (*)(const aclTensor*, const aclTensor*, double,
                                                      aclTensor*, uint64_t*, aclOpExecutor**)>(
      find("aclnnScaledAddGetWorkspaceSize", folder));
  const auto second =
      reinterpret_cast<aclnnStatus (*)(void*, uint64_t, aclOpExecutor*, aclrtStream)>(
          find("aclnnScaledAdd", folder));
  if (!first || !second) {
    std::fprintf(stderr, "aclnnScaledAdd is in no library below %s\n", folder.c_str());
    return 1;
  }

  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  const size_t bytes = kCount * sizeof(float);
  float x[kCount], y[kCount], sum[kCount];
  for (int i = 0; i < kCount; ++i) {
    x[i] = static_cast<float>(i);
    y[i] = 2.0F;
  }
  void *device_x = nullptr, *device_y = nullptr, *device_sum = nullptr;
  for (void** memory : {&device_x, &device_y, &device_sum}) {
    CHECK(aclrtMalloc(memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  CHECK(aclrtMemcpy(device_x, bytes, x, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  CHECK(aclrtMemcpy(device_y, bytes, y, bytes, ACL_MEMCPY_HOST_TO_DEVICE));

  aclTensor *tx = vector_of(device_x), *ty = vector_of(device_y), *out = vector_of(device_sum);
  uint64_t workspace = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(first(tx, ty, 0.5, out, &workspace, &executor));
  CHECK(second(nullptr, workspace, executor, nullptr));
  for (const aclTensor* tensor : {tx, ty, out}) CHECK(aclDestroyTensor(tensor));
  CHECK(aclrtSynchronizeStream(nullptr));

  CHECK(aclrtMemcpy(sum, bytes, device_sum, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  for (int i = 0; i < kCount; ++i) {
    if (sum[i] != x[i] + 1.0F) {
      std::fprintf(stderr, "element %d is %g; expected %g\n", i, static_cast<double>(sum[i]),
                   static_cast<double>(x[i]) + 1.0);
      return 1;
    }
  }
  for (void* memory : {device_x, device_y, device_sum}) CHECK(aclrtFree(memory));
  CHECK(aclrtResetDevice(0));
  std::printf("OK: %d elements by an operator of a custom library\n", static_cast<int>(kCount));
  return 0;
}
