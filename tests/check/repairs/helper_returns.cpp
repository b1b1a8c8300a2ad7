// SPDX-License-Identifier: Apache-2.0
// first: ACL007
// All copies go through one helper, which returns what the call returns; the calls of the program
// are the conditions of statements.
#include <acl/acl.h>

#include <initializer_list>

static const size_t kBytes = 4096;

static aclError copy(void* to, const void* from, aclrtStream stream) {
  return aclrtMemcpyAsync(to, kBytes, from, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
}

int main() {
  aclrtSetDevice(0);
  aclrtStream a, b;
  aclrtCreateStream(&a);
  aclrtCreateStream(&b);
  void *x, *y, *z;
  for (void** buffer : {&x, &y, &z}) aclrtMalloc(buffer, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
  if (aclrtMemset(x, kBytes, 1, kBytes) != ACL_SUCCESS) return 1;
  if (copy(y, x, a) != ACL_SUCCESS) return 1;
  if (copy(z, y, b) != ACL_SUCCESS) return 1;
  aclrtSynchronizeStream(a);
  aclrtSynchronizeStream(b);
  for (void* buffer : {x, y, z}) aclrtFree(buffer);
  aclrtDestroyStream(a);
  aclrtDestroyStream(b);
  aclrtResetDevice(0);
}
