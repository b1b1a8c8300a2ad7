// SPDX-License-Identifier: Apache-2.0
// first: ACL007
// libraries: hccl ascendcl
// The stream of the communication receives; the stream of the computation uses the data and does
// not wait. The receive is complete only after the later send.
#include <acl/acl.h>
#include <hccl/hccl.h>

constexpr size_t kBytes = 4096;

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  int32_t devices[2] = {0, 1};
  HcclComm ranks[2];
  HcclCommInitAll(2, devices, ranks);
  void *from, *to, *used;
  aclrtStream sends, receives, computes;
  aclrtSetDevice(0);
  aclrtMalloc(&from, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemset(from, kBytes, 1, kBytes);
  aclrtCreateStream(&sends);
  aclrtSetDevice(1);
  aclrtMalloc(&to, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemset(to, kBytes, 0, kBytes);
  aclrtMalloc(&used, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtCreateStream(&receives);
  aclrtCreateStream(&computes);
  HcclRecv(to, kBytes / 2, HCCL_DATA_TYPE_INT8, 0, ranks[1], receives);
  char* const rest = static_cast<char*>(to) + kBytes / 2;
  HcclRecv(rest, kBytes / 2, HCCL_DATA_TYPE_INT8, 0, ranks[1], receives);             // earlier
  aclrtMemcpyAsync(used, kBytes, to, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, computes);  // this
  aclrtSetDevice(0);
  HcclSend(from, kBytes / 2, HCCL_DATA_TYPE_INT8, 1, ranks[0], sends);
  HcclSend(from, kBytes / 2, HCCL_DATA_TYPE_INT8, 1, ranks[0], sends);
  aclrtSynchronizeStream(sends);
  aclrtSetDevice(1);
  aclrtSynchronizeStream(receives);
  aclrtSynchronizeStream(computes);
  for (HcclComm rank : ranks) HcclCommDestroy(rank);
  aclrtFree(to);
  aclrtFree(used);
  aclrtDestroyStream(receives);
  aclrtDestroyStream(computes);
  aclrtResetDevice(1);
  aclrtSetDevice(0);
  aclrtFree(from);
  aclrtDestroyStream(sends);
  aclrtResetDevice(0);
  aclFinalize();
}
