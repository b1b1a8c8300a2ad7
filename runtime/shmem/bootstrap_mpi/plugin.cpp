// SPDX-License-Identifier: Apache-2.0
// Compiled once for each kind of MPI. It calls the MPI library that the program has loaded.
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

// MPI_Ibcast instead of MPI_Bcast: a process that never arrives must not block the others.
int broadcast(const void* communicator, void* bytes, int count, int (*go_on)(void*), void* context,
              int* done) {
  MPI_Request request = MPI_REQUEST_NULL;
  int code = MPI_Ibcast(bytes, count, MPI_BYTE, 0, handle(communicator), &request);
  *done = 0;
  while (code == MPI_SUCCESS) {
    code = MPI_Test(&request, done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS || *done != 0 || go_on(context) == 0) break;
  }
  return code;
}

}  // namespace

extern "C" const ShmemMpiPlugin* aclshmem_bootstrap_mpi_plugin() {
  static constexpr ShmemMpiPlugin kPlugin{initialise, look, broadcast};
  return &kPlugin;
}
