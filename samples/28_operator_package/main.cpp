// SPDX-License-Identifier: Apache-2.0
// Calls the operator of the installed package, and compares its results.
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnn_scaled_add.h"

#define CHECK(call)                                                            \
  do {                                                                         \
    const int code = (call);                                                   \
    if (code != 0) {                                                           \
      std::fprintf(stderr, "%s: %d: %s\n", #call, code, aclGetRecentErrMsg()); \
      return 1;                                                                \
    }                                                                          \
  } while (0)

namespace {

constexpr int64_t kRows = 5, kColumns = 20001;
constexpr size_t kCount = kRows * kColumns, kBytes = kCount * sizeof(float);

aclTensor* tensor_at(void* memory) {
  const int64_t shape[] = {kRows, kColumns};
  return aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2, memory);
}

}  // namespace

int main() {
  std::vector<float> x(kCount), y(kCount), z(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    x[i] = static_cast<float>(i % 100);
    y[i] = static_cast<float>(i % 7);
  }
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));
  void *x_device = nullptr, *y_device = nullptr, *z_device = nullptr;
  for (void** const memory : {&x_device, &y_device, &z_device})
    CHECK(aclrtMalloc(memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemcpy(x_device, kBytes, x.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  CHECK(aclrtMemcpy(y_device, kBytes, y.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE));

  aclTensor* const tensors[] = {tensor_at(x_device), tensor_at(y_device), tensor_at(z_device)};
  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnScaledAddGetWorkspaceSize(tensors[0], tensors[1], 0.5, tensors[2], &workspace_size,
                                       &executor));
  void* workspace = nullptr;
  if (workspace_size > 0) CHECK(aclrtMalloc(&workspace, workspace_size, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclnnScaledAdd(workspace, workspace_size, executor, stream));
  CHECK(aclrtSynchronizeStream(stream));
  CHECK(aclrtMemcpy(z.data(), kBytes, z_device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));

  size_t wrong = 0;
  for (size_t i = 0; i < kCount; ++i) wrong += z[i] != x[i] + 0.5F * y[i];
  std::printf("%zu elements, %zu wrong\n", kCount, wrong);

  for (aclTensor* const tensor : tensors) aclDestroyTensor(tensor);
  for (void* const memory : {x_device, y_device, z_device}) CHECK(aclrtFree(memory));
  if (workspace) CHECK(aclrtFree(workspace));
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return wrong == 0 ? 0 : 1;
}
