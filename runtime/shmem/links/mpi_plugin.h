// SPDX-License-Identifier: Apache-2.0
// The MPI functions that SHMEM needs, as C functions. They are implemented once for each kind of
// MPI, in a library that is compiled with the mpi.h of that kind. (MPI_Comm is a pointer in Open
// MPI and an int in MPICH.)
#pragma once

extern "C" {

/// Functions return codes of MPI, 0 for success. `communicator`: an MPI_Comm*, or null for
/// MPI_COMM_WORLD.
struct ShmemMpiPlugin {
  int (*initialise)();  // does nothing if MPI is initialised
  int (*look)(const void* communicator, int* rank, int* size);
  /// Broadcasts from process 0. Calls `go_on(context)` repeatedly until the bytes have arrived;
  /// then *done is 1. If `go_on` returns 0, *done is 0, and MPI keeps using the bytes: they must
  /// stay allocated.
  int (*broadcast)(const void* communicator, void* bytes, int count, int (*go_on)(void* context),
                   void* context, int* done);
};

/// The only symbol of a plug-in.
const ShmemMpiPlugin* aclshmem_bootstrap_mpi_plugin();
}
