// SPDX-License-Identifier: Apache-2.0
// MPI as the way to meet, without a dependency on it: the program has loaded it already, and a
// plug-in beside this library knows its kind.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/fabric/base/timekeeper.h"

struct ShmemMpiPlugin;

namespace shmem {

/// The processes of a communicator.
class MpiJob {
 public:
  /// `communicator`: an MPI_Comm*, or null for MPI_COMM_WORLD. Calls MPI_Init where nobody has.
  /// Raises ACLSHMEM_DL_FUNC_FAILED where the program has no MPI, one that is neither Open MPI nor
  /// MPICH (or of its kind), or one for which no plug-in was built; ACLSHMEM_BOOTSTRAP_ERROR when
  /// MPI fails.
  explicit MpiJob(const void* communicator);

  int rank() const noexcept { return rank_; }
  int size() const noexcept { return size_; }
  /// From process 0 to all. Raises ACLSHMEM_TIMEOUT_ERROR where they have not come by `end`.
  void broadcast(std::span<std::byte> bytes, fabric::Moment end) const;

 private:
  const ShmemMpiPlugin& plugin_;
  const void* communicator_;
  int rank_ = 0;
  int size_ = 0;
};

}  // namespace shmem
