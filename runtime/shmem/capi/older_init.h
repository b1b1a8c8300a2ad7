// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shmem {

/// shmem_init_attr_t of the first versions.
struct OlderAttributes {
  int my_rank;
  int n_ranks;
  const char* ip_port;
  std::uint64_t local_mem_size;
  int engine;
  std::uint32_t init_timeout;
  std::uint32_t create_timeout;
  std::uint32_t control_timeout;
};

/// Return a code; its text is reported.
int initialize_older(const OlderAttributes& older);
int check_older(int my_rank, int n_ranks, std::uint64_t local_mem_size, const char* ip_port,
                const void* attributes);
int require_attributes(const char* function, const void* attributes);

}  // namespace shmem
