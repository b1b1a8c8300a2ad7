// SPDX-License-Identifier: Apache-2.0
// MPI as the way to meet, without a dependency on it: the program has loaded it already.
#pragma once

#include <cstddef>
#include <span>

namespace shmem {

/// The processes of a communicator.
class MpiJob {
 public:
  /// `communicator`: an MPI_Comm*, or null for MPI_COMM_WORLD. Calls MPI_Init where nobody has.
  /// Raises ACLSHMEM_DL_FUNC_FAILED where the program has no MPI, or one that is neither Open MPI
  /// nor MPICH (or of its kind), ACLSHMEM_BOOTSTRAP_ERROR when MPI fails.
  explicit MpiJob(const void* communicator);

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  /// From process 0 to all.
  void broadcast(std::span<std::byte> bytes) const;

 private:
  template <class Handle>
  void look(Handle communicator);

  bool is_open_mpi_ = false;
  void* pointer_ = nullptr;  // the communicator of Open MPI
  int number_ = 0;           // of MPICH
  int rank_ = 0;
  int size_ = 0;
};

}  // namespace shmem
