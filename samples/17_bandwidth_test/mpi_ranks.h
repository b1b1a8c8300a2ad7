// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hccl/hccl.h"

namespace bandwidth {

// What mpirun says of this process.
struct MpiRank {
  uint32_t rank;
  uint32_t ranks;
  uint32_t of_host;  // among the ranks of its host
};

// Whether mpirun has started this process, by the variables that it sets.
bool started_by_mpirun();

// Ends the program with a text where it was built without MPI.
MpiRank open_mpi();

// What rank 0 has put into `info` comes to all ranks.
void share(HcclRootInfo& info);

void close_mpi();

}  // namespace bandwidth
