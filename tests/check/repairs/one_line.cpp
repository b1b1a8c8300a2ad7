// SPDX-License-Identifier: Apache-2.0
// Statements that share a line, and bodies without braces.
// clang-format off
#include <acl/acl.h>
#if defined(__linux__)
#include <cstdio>
#endif
#define MUST(call) do { if (const int code = (call)) { std::printf("%d\n", code); return 1; } } while (0)

int main() {
  MUST(aclrtSetDevice(0)); void *x, *y; aclrtStream a, b; MUST(aclrtCreateStream(&a)); MUST(aclrtCreateStream(&b));
  MUST(aclrtMalloc(&x, 4096, ACL_MEM_MALLOC_HUGE_FIRST)); MUST(aclrtMalloc(&y, 4096, ACL_MEM_MALLOC_HUGE_FIRST));
  for (int i = 0; i < 2; ++i) MUST(aclrtMemsetAsync(x, 2048, i, 2048, a)); if (y) MUST(aclrtMemcpyAsync(y, 4096, x, 2048, ACL_MEMCPY_DEVICE_TO_DEVICE, b)); else return 2;
  MUST(aclrtSynchronizeStream(a)); MUST(aclrtSynchronizeStream(b)); MUST(aclrtFree(x)); MUST(aclrtFree(y));
  MUST(aclrtDestroyStream(a)); MUST(aclrtDestroyStream(b)); MUST(aclrtResetDevice(0));
}
