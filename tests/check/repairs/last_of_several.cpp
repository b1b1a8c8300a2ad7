// SPDX-License-Identifier: Apache-2.0
// first: ACL007
// Two accesses of one stream conflict with the fill on the other: only an event after the second
// one orders both.
#include <acl/acl.h>

constexpr size_t kBytes = 4096;

int main() {
  aclrtSetDevice(0);
  aclrtStream a, b;
  aclrtCreateStream(&a);
  aclrtCreateStream(&b);
  void *x, *y;
  aclrtMalloc(&x, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&y, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemsetAsync(x, kBytes, 1, kBytes, a);
  aclrtMemcpyAsync(y, kBytes, x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, a);  // earlier
  aclrtMemsetAsync(x, kBytes, 2, kBytes, b);                               // this
  aclrtSynchronizeStream(a);
  aclrtSynchronizeStream(b);
  aclrtFree(x);
  aclrtFree(y);
  aclrtDestroyStream(a);
  aclrtDestroyStream(b);
  aclrtResetDevice(0);
}
