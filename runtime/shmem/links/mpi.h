// SPDX-License-Identifier: Apache-2.0
// Bootstrap through MPI without a dependency on it: the program has loaded MPI, and a plug-in
// beside this library is compiled for that kind of MPI.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/fabric/base/timekeeper.h"

struct ShmemMpiPlugin;

namespace shmem {

/// Whether the program has loaded MPI, by which it may order PEs in ways that nothing here sees.
bool has_mpi();

/// The processes of an MPI communicator.
class MpiJob {
 public:
  /// `communicator`: an MPI_Comm*, or null for MPI_COMM_WORLD. Calls MPI_Init unless it was called.
  /// Raises ACLSHMEM_DL_FUNC_FAILED if the program has no MPI, an MPI that is neither Open MPI nor
  /// MPICH (or compatible with them), or one for which no plug-in was built;
  /// ACLSHMEM_BOOTSTRAP_ERROR if MPI fails.
  explicit MpiJob(const void* communicator);

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  /// Broadcasts from process 0. Raises ACLSHMEM_TIMEOUT_ERROR if the processes have not arrived by
  /// `end`.
  void broadcast(std::span<std::byte> bytes, fabric::Moment end) const;

 private:
  const ShmemMpiPlugin& plugin_;
  const void* communicator_;
  int rank_ = 0;
  int size_ = 0;
};

}  // namespace shmem
