// SPDX-License-Identifier: Apache-2.0
// first: ACL006
// C: the function that frees does not know the stream.
#include <acl/acl.h>

#define MUST(call) \
  if ((call) != ACL_SUCCESS) return 1

static void* buffer;

static int release(void) {
  MUST(aclrtFree(buffer));
  return 0;
}

int main(void) {
  MUST(aclrtSetDevice(0));
  aclrtStream stream;
  MUST(aclrtCreateStream(&stream));
  MUST(aclrtMalloc(&buffer, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  MUST(aclrtMemsetAsync(buffer, 4096, 1, 4096, stream));
  if (release()) return 1;
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtResetDevice(0));
  return 0;
}
