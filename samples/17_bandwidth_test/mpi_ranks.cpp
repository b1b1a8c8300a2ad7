// SPDX-License-Identifier: Apache-2.0
#include "mpi_ranks.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#ifdef BANDWIDTH_MPI
#include <mpi.h>
#endif

namespace bandwidth {

namespace {

// The number of ranks in the variables of Open MPI's or MPICH's mpirun; null if neither is set.
const char* size_of_job() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const char* const text = std::getenv(name)) return text;
  }
  return nullptr;
}

}  // namespace

bool started_by_mpirun() { return size_of_job() != nullptr; }

#ifdef BANDWIDTH_MPI

MpiRank open_mpi() {
  MPI_Init(nullptr, nullptr);
  int rank = 0;
  int ranks = 0;
  int of_host = 0;
  MPI_Comm host;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (std::to_string(ranks) != size_of_job()) {  // otherwise each process would be its own job
    std::fprintf(stderr,
                 "MPI has %d ranks; expected %s, as mpirun says: it belongs to another MPI\n",
                 ranks, size_of_job());
    std::exit(2);
  }
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
  MPI_Comm_rank(host, &of_host);
  MPI_Comm_free(&host);
  return {static_cast<uint32_t>(rank), static_cast<uint32_t>(ranks),
          static_cast<uint32_t>(of_host)};
}

void share(HcclRootInfo& info) { MPI_Bcast(&info, sizeof info, MPI_BYTE, 0, MPI_COMM_WORLD); }

void close_mpi() { MPI_Finalize(); }

#else

MpiRank open_mpi() {
  std::fprintf(
      stderr,
      "mpirun has started this process, but it was built without MPI: expected a build that "
      "finds MPI, or RANK_TABLE_FILE and RANK_ID\n");
  std::exit(2);
}

void share(HcclRootInfo&) {}

void close_mpi() {}

#endif

}  // namespace bandwidth
