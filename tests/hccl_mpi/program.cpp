// SPDX-License-Identifier: Apache-2.0
// A program as `mpirun -n 8 ./prog` starts it: MPI carries the root info, HCCL adds.
#include <mpi.h>

#include <cstdint>
#include <cstdio>

#include "acl/acl.h"
#include "hccl/hccl.h"

namespace {

/// A sum over 256 KiB, so that an algorithm for large messages is used; -1: an error.
std::int32_t sum_of_ranks(HcclComm comm, std::int32_t mine) {
  constexpr std::uint64_t kCount = 1 << 16;
  static std::int32_t values[kCount];
  for (std::int32_t& value : values) value = mine;
  void* memory = nullptr;
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  aclrtMalloc(&memory, sizeof values, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemcpy(memory, sizeof values, values, sizeof values, ACL_MEMCPY_HOST_TO_DEVICE);
  HcclAllReduce(memory, memory, kCount, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_SUM, comm, stream);
  const bool works = aclrtSynchronizeStream(stream) == ACL_SUCCESS;
  aclrtMemcpy(values, sizeof values, memory, sizeof values, ACL_MEMCPY_DEVICE_TO_HOST);
  aclrtDestroyStream(stream);
  aclrtFree(memory);
  for (const std::int32_t value : values) {
    if (!works || value != values[0]) return -1;
  }
  return values[0];
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  aclrtSetDevice(rank);
  HcclRootInfo info{};
  if (rank == 0) HcclGetRootInfo(&info);
  MPI_Bcast(&info, sizeof info, MPI_BYTE, 0, MPI_COMM_WORLD);
  HcclComm comm = nullptr;
  int right = 0;
  if (HcclCommInitRootInfo(static_cast<std::uint32_t>(size), &info,
                           static_cast<std::uint32_t>(rank), &comm) != HCCL_SUCCESS) {
    std::printf("rank %d: %s\n", rank, aclGetRecentErrMsg());
  } else {
    const std::int32_t sum = sum_of_ranks(comm, rank + 1);
    right = sum == size * (size + 1) / 2;
    if (!right) std::printf("rank %d of %d got %d\n", rank, size, sum);
    HcclCommDestroy(comm);
  }
  aclrtResetDevice(rank);
  int all_right = 0;
  MPI_Reduce(&right, &all_right, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%d of %d ranks are right\n", all_right, size);
  MPI_Finalize();
  return 0;
}
