// SPDX-License-Identifier: Apache-2.0
// PEs that meet through MPI: started by mpirun. Arguments: "split" meets in a communicator of its
// own that has the ranks in reverse, "wrong" says another number than MPI's.
#include <mpi.h>

#include <cstdio>
#include <cstring>

#include "acl/acl.h"
#include "shmem/shmem.h"

int main(int argc, char** argv) {
  const bool split = argc > 1 && std::strcmp(argv[1], "split") == 0;
  const bool wrong = argc > 1 && std::strcmp(argv[1], "wrong") == 0;
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm reversed = MPI_COMM_NULL;
  if (split) MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &reversed);
  aclrtSetDevice(rank);
  aclshmemx_init_attr_t attributes;
  attributes.my_pe = split ? size - 1 - rank : wrong ? size - 1 - rank : rank;
  attributes.n_pes = size;
  attributes.local_mem_size = 1 << 20;
  attributes.comm_args = split ? &reversed : nullptr;
  const int code = aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_MPI, &attributes);
  if (code != 0) {
    std::printf("code %d: %s\n", code, aclGetRecentErrMsg());
  } else {
    auto* const word = static_cast<int32_t*>(aclshmem_calloc(1, 4));
    aclshmem_int32_p(word, attributes.my_pe + 1, (attributes.my_pe + 1) % size);
    aclshmem_barrier_all();
    std::printf("PE %d got %d\n", aclshmem_my_pe(), aclshmem_int32_g(word, attributes.my_pe));
    aclshmem_finalize();
  }
  MPI_Finalize();
  return 0;
}
