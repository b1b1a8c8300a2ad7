#include <cstdio>

#include "acl/acl.h"

int launch_here(void* stream, int32_t* x);
#ifdef WITH_OTHER
int launch_from_other_file(void* stream, int32_t* x);
#endif

int main(int, char** argv) {
  void* memory = nullptr;
  int32_t numbers[2] = {10, 20};
  if (aclInit(nullptr) || aclrtSetDevice(0) ||
      aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) ||
      aclrtMemcpy(memory, 64, numbers, sizeof numbers, ACL_MEMCPY_HOST_TO_DEVICE)) {
    return 1;
  }
  int32_t* const x = static_cast<int32_t*>(memory);
  if (launch_here(nullptr, x)) return 2;
#ifdef WITH_OTHER
  if (launch_from_other_file(nullptr, x)) return 3;
#endif
  if (aclrtSynchronizeDevice() ||
      aclrtMemcpy(numbers, sizeof numbers, memory, sizeof numbers, ACL_MEMCPY_DEVICE_TO_HOST)) {
    return 4;
  }
  std::printf("%s: %d %d\n", argv[0], numbers[0], numbers[1]);
  return aclrtResetDevice(0) || aclFinalize();
}
