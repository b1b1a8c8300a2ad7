// SPDX-License-Identifier: Apache-2.0
// first: ACL030
// consequence: ACL007
// An event of the kind that a reset clears is used twice: the second wait passes at once.
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
  aclrtEvent event;
  aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC);
  for (int round = 0; round < 2; ++round) {
    aclrtMemsetAsync(x, kBytes, round, kBytes, a);
    aclrtRecordEvent(event, a);
    aclrtStreamWaitEvent(b, event);  // this
    aclrtMemcpyAsync(y, kBytes, x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, b);
    aclrtSynchronizeStream(b);
  }
  aclrtSynchronizeStream(a);
  aclrtDestroyEvent(event);
  aclrtFree(x);
  aclrtFree(y);
  aclrtDestroyStream(a);
  aclrtDestroyStream(b);
  aclrtResetDevice(0);
}
