// SPDX-License-Identifier: Apache-2.0
// first: ACL004
// consequence: ACL007
// A notify is recorded once too often in the first round, so the wait of the second passes early.
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
  aclrtNotify notify;
  aclrtCreateNotify(&notify, 0);
  aclrtRecordNotify(notify, a);
  aclrtWaitAndResetNotify(notify, b, 0);
  aclrtSynchronizeStream(b);
  aclrtRecordNotify(notify, a);
  aclrtMemsetAsync(x, kBytes, 1, kBytes, a);
  aclrtWaitAndResetNotify(notify, b, 0);
  aclrtMemcpyAsync(y, kBytes, x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, b);
  aclrtSynchronizeStream(b);
  aclrtRecordNotify(notify, a);
  aclrtSynchronizeStream(a);
  aclrtDestroyNotify(notify);
  aclrtFree(x);
  aclrtFree(y);
  aclrtDestroyStream(a);
  aclrtDestroyStream(b);
  aclrtResetDevice(0);
}
