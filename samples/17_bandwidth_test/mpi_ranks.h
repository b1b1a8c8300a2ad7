// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hccl/hccl.h"

namespace bandwidth {

// This process among the ranks of MPI.
struct MpiRank {
  uint32_t rank;
  uint32_t ranks;
  uint32_t of_host;  // among the ranks of its host
};

// Whether mpirun has started this process, according to the variables that it sets.
bool started_by_mpirun();

// Ends the program with a text if it was built without MPI.
MpiRank open_mpi();

// Copies the contents of `info` on rank 0 to all ranks.
void share(HcclRootInfo& info);

void close_mpi();

}  // namespace bandwidth
