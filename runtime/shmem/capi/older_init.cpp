// SPDX-License-Identifier: Apache-2.0
// shmem_api.h: init as in the first versions. The header of the newer interface has types of the
// same names, so this code is in a file of its own and uses plain structures.
#include "runtime/shmem/capi/older_init.h"

#include <cstring>
#include <mutex>
#include <string>

#include "runtime/shmem/base/guard.h"
#include "runtime/shmem/capi/init.h"

namespace shmem {

int initialize_older(const OlderAttributes& older) {
  return guarded("shmem_init_attr", [&] {
    aclshmemx_init_attr_t attr;
    attr.my_pe = older.my_rank;
    attr.n_pes = older.n_ranks;
    attr.local_mem_size = older.local_mem_size;
    if (!older.ip_port) fail(ACLSHMEM_INVALID_PARAM, "ip_port is NULL");
    const std::size_t length = std::strlen(older.ip_port);
    if (length >= sizeof attr.ip_port) {
      fail(ACLSHMEM_INVALID_PARAM, "ip_port has {} bytes; expected less than {}", length,
           sizeof attr.ip_port);
    }
    std::memcpy(attr.ip_port, older.ip_port, length + 1);
    attr.option_attr.data_op_engine_type = static_cast<data_op_engine_type_t>(older.engine);
    attr.option_attr.shm_init_timeout = older.init_timeout;
    attr.option_attr.shm_create_timeout = older.create_timeout;
    attr.option_attr.control_operation_timeout = older.control_timeout;
    initialize(ACLSHMEMX_INIT_WITH_DEFAULT, attr);
  });
}

int check_older(int my_rank, int n_ranks, std::uint64_t local_mem_size, const char* ip_port,
                const void* attributes) {
  return guarded("shmem_set_attr", [&] {
    if (!attributes) fail(ACLSHMEM_INVALID_PARAM, "attributes is NULL");
    if (!ip_port) fail(ACLSHMEM_INVALID_PARAM, "ip_port is NULL");
    if (local_mem_size > ACLSHMEM_MAX_LOCAL_SIZE) {
      fail(ACLSHMEM_INVALID_VALUE, "local_mem_size is {}; expected at most {}", local_mem_size,
           ACLSHMEM_MAX_LOCAL_SIZE);
    }
    if (n_ranks > ACLSHMEM_MAX_PES || my_rank > ACLSHMEM_MAX_PES) {
      fail(ACLSHMEM_INVALID_VALUE, "my_rank is {} and n_ranks {}; expected at most {}", my_rank,
           n_ranks, ACLSHMEM_MAX_PES);
    }
  });
}

int require_attributes(const char* function, const void* attributes) {
  return guarded(function, [&] {
    if (!attributes) fail(ACLSHMEM_INVALID_PARAM, "attributes is NULL");
  });
}

}  // namespace shmem
