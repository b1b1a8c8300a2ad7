// SPDX-License-Identifier: Apache-2.0
#include "device_sim/memory/pages.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "device_sim/base/error.h"

namespace sim {

void map_fixed(std::byte* at, std::size_t bytes, int protection, int fd, std::size_t offset) {
  const int flags =
      MAP_FIXED | MAP_NORESERVE | (fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS);
  if (mmap(at, bytes, protection, flags, fd, static_cast<off_t>(offset)) == MAP_FAILED) {
    throw MachineError(Error::out_of_memory,
                       std::string("cannot map device memory: ") + std::strerror(errno));
  }
  madvise(at, bytes, MADV_DONTDUMP);
  if (fd >= 0) madvise(at, bytes, MADV_DONTFORK);
}

}  // namespace sim
