// SPDX-License-Identifier: Apache-2.0
// libraries: hccl ascendcl
// repair: HcclBatchSendRecv
// Both ranks send before they receive.
#include <acl/acl.h>

#include <hccl/hccl.h>
#include <initializer_list>

constexpr size_t kBytes = 1 << 20;

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  int32_t devices[2] = {0, 1};
  HcclComm ranks[2];
  HcclCommInitAll(2, devices, ranks);
  void* memory[2][2];
  aclrtStream streams[2];
  for (int rank = 0; rank < 2; ++rank) {
    aclrtSetDevice(rank);
    aclrtCreateStream(&streams[rank]);
    for (void*& one : memory[rank]) {
      aclrtMalloc(&one, kBytes, ACL_MEM_MALLOC_HUGE_FIRST);
      aclrtMemset(one, kBytes, 1, kBytes);
    }
    HcclSend(memory[rank][0], kBytes, HCCL_DATA_TYPE_INT8, 1 - rank, ranks[rank], streams[rank]);
    HcclRecv(memory[rank][1], kBytes, HCCL_DATA_TYPE_INT8, 1 - rank, ranks[rank], streams[rank]);
  }
  aclrtSynchronizeStream(streams[0]);
}
