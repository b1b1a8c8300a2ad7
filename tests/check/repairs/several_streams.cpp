// SPDX-License-Identifier: Apache-2.0
// first: ACL007
// times: 1
// Four streams fill the parts of a buffer, and a fifth copies all of it: it has to wait for each.
#include <acl/acl.h>

constexpr size_t kBytes = 4096, kParts = 4;

int main() {
  aclrtSetDevice(0);
  aclrtStream parts[kParts], whole;
  for (auto& stream : parts) aclrtCreateStream(&stream);
  aclrtCreateStream(&whole);
  char *x, *y;
  aclrtMalloc(reinterpret_cast<void**>(&x), kParts * kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(reinterpret_cast<void**>(&y), kParts * kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
  for (size_t i = 0; i < kParts; ++i)
    aclrtMemsetAsync(x + i * kBytes, kBytes, static_cast<int>(i), kBytes, parts[i]);
  aclrtMemcpyAsync(y, kParts * kBytes, x, kParts * kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, whole);
  for (auto& stream : parts) aclrtSynchronizeStream(stream);
  aclrtSynchronizeStream(whole);
  aclrtFree(x);
  aclrtFree(y);
  for (auto& stream : parts) aclrtDestroyStream(stream);
  aclrtDestroyStream(whole);
  aclrtResetDevice(0);
}
