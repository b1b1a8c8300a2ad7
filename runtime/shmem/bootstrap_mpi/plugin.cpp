// SPDX-License-Identifier: Apache-2.0
// Compiled once for each kind of MPI; its functions are those of the library that the program has
// loaded.
#include <mpi.h>

#include "runtime/shmem/links/mpi_plugin.h"

namespace {

MPI_Comm handle(const void* communicator) {
  return communicator ? *static_cast<const MPI_Comm*>(communicator) : MPI_COMM_WORLD;
}

int initialise() {
  int done = 0;
  const int code = MPI_Initialized(&done);
  return code != MPI_SUCCESS || done != 0 ? code : MPI_Init(nullptr, nullptr);
}

int look(const void* communicator, int* rank, int* size) {
  const int code = MPI_Comm_rank(handle(communicator), rank);
  return code != MPI_SUCCESS ? code : MPI_Comm_size(handle(communicator), size);
}

int broadcast(const void* communicator, void* bytes, int count) {
  return MPI_Bcast(bytes, count, MPI_BYTE, 0, handle(communicator));
}

}  // namespace

extern "C" const ShmemMpiPlugin* aclshmem_bootstrap_mpi_plugin() {
  static constexpr ShmemMpiPlugin kPlugin{initialise, look, broadcast};
  return &kPlugin;
}
