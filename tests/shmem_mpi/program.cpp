// SPDX-License-Identifier: Apache-2.0
// PEs that meet through MPI: started by mpirun. Arguments: "split" meets in a communicator of its
// own that has the ranks in reverse, "wrong" says another number than MPI's. One PE alone fails in
// "no_interface" (PE 0 makes no unique id), "no_memory" (PE 0's attributes), "no_memory_1" (PE
// 1's); in "absent" PE 0 does not call init.
#include <mpi.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "acl/acl.h"
#include "shmem/shmem.h"

namespace {

void spoil(const std::string& how, int rank, aclshmemx_init_attr_t& attributes) {
  if (how == "no_interface" && rank == 0) setenv("SHMEM_UID_SOCK_IFNAME", "nosuch", 1);
  if (how == "no_memory" && rank == 0) attributes.local_mem_size = 0;
  if (how == "no_memory_1" && rank == 1) attributes.local_mem_size = 0;
  if (how == "no_memory_1" || how == "absent") attributes.option_attr.shm_init_timeout = 2;
}

/// A broadcast that PE 0 took no part in stays with MPI, so neither may end it in the usual way.
void end_after_absence(int rank) {
  int done = 1;
  if (rank == 1) MPI_Send(&done, 1, MPI_INT, 0, 7, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(&done, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::fflush(stdout);
  _exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  const bool split = how == "split";
  const bool wrong = how == "wrong";
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
  spoil(how, rank, attributes);
  if (how == "absent" && rank == 0) end_after_absence(rank);
  const int code = aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_MPI, &attributes);
  if (code != 0) {
    std::printf("rank %d: code %d: %s\n", rank, code, aclGetRecentErrMsg());
    if (how == "absent") end_after_absence(rank);
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
