// SPDX-License-Identifier: Apache-2.0
// first: ACL007
// The first stream waits for a notify, so its operations end after the operations of the second.
#include <acl/acl.h>

#include <initializer_list>

constexpr size_t kBytes = 4096;

int main() {
  aclrtSetDevice(0);
  void *x, *y, *z;
  for (void** buffer : {&x, &y, &z}) {
    aclrtMalloc(buffer, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(*buffer, kBytes, 0, kBytes);
  }
  aclrtStream first, second, third;
  for (aclrtStream* stream : {&first, &second, &third}) aclrtCreateStream(stream);
  aclrtNotify go;
  aclrtCreateNotify(&go, 0);
  aclrtWaitAndResetNotify(go, first, 0);
  aclrtMemcpyAsync(y, kBytes, x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, first);
  aclrtMemsetAsync(y, kBytes / 2, 1, kBytes / 2, first);                        // earlier
  aclrtMemcpyAsync(z, kBytes, y, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, second);  // this
  aclrtRecordNotify(go, third);
  for (aclrtStream stream : {first, second, third}) aclrtSynchronizeStream(stream);
  aclrtDestroyNotify(go);
  for (void* buffer : {x, y, z}) aclrtFree(buffer);
  for (aclrtStream stream : {first, second, third}) aclrtDestroyStream(stream);
  aclrtResetDevice(0);
}
