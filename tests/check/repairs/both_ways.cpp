// SPDX-License-Identifier: Apache-2.0
// first: ACL007
// times: 4
// A producer and a consumer in a loop, without events: each overtakes the other.
#include <acl/acl.h>

constexpr size_t kBytes = 4096;

int main() {
  aclrtSetDevice(0);
  aclrtStream produce, consume;
  aclrtCreateStream(&produce);
  aclrtCreateStream(&consume);
  void *x, *y;
  aclrtMalloc(&x, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&y, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
  for (int round = 0; round < 4; ++round) {
    aclrtMemsetAsync(x, kBytes, round, kBytes, produce);                           // earlier
    aclrtMemcpyAsync(y, kBytes, x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, consume);  // this
  }
  aclrtSynchronizeStream(produce);
  aclrtSynchronizeStream(consume);
  aclrtFree(x);
  aclrtFree(y);
  aclrtDestroyStream(produce);
  aclrtDestroyStream(consume);
  aclrtResetDevice(0);
}
