// SPDX-License-Identifier: Apache-2.0
// The same through MPI.
#include <mpi.h>

#include <vector>

#include "bench/collectives/sizes.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::vector<std::size_t> sizes = bench::sizes(argc, argv);
  const std::vector<float> in(sizes.back() / sizeof(float), 1.0f);
  std::vector<float> out(in.size());
  for (const std::size_t size : sizes) {
    const double time = bench::microseconds(size, [&](int calls) {
      for (int i = 0; i < calls; ++i) {
        MPI_Allreduce(in.data(), out.data(), static_cast<int>(size / sizeof(float)), MPI_FLOAT,
                      MPI_SUM, MPI_COMM_WORLD);
      }
    });
    if (rank == 0) bench::row(size, time, time);
  }
  MPI_Finalize();
  return 0;
}
