// SPDX-License-Identifier: Apache-2.0
// What SHMEM asks of MPI, by functions of C: implemented once for each kind of MPI, in a library
// that is compiled with that kind's mpi.h. (MPI_Comm is a pointer in Open MPI and an int in MPICH.)
#pragma once

extern "C" {

/// Returns are codes of MPI, 0 for success. `communicator`: an MPI_Comm*, or null for
/// MPI_COMM_WORLD.
struct ShmemMpiPlugin {
  int (*initialise)();  // where nobody has
  int (*look)(const void* communicator, int* rank, int* size);
  /// From process 0 to all. Asks `go_on(context)` again and again until the bytes are there: *done
  /// is 1. Where the answer is 0, *done is 0, and MPI keeps using the bytes: they must stay.
  int (*broadcast)(const void* communicator, void* bytes, int count, int (*go_on)(void* context),
                   void* context, int* done);
};

/// The one symbol of a plug-in.
const ShmemMpiPlugin* aclshmem_bootstrap_mpi_plugin();
}
