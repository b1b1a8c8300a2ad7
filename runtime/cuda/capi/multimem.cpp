// SPDX-License-Identifier: Apache-2.0
#include "cuda/multimem.h"

#include <algorithm>

#include "runtime/cuda/capi/entry.h"
#include "runtime/cuda/driver/multimem.h"

using namespace cuda;

extern "C" {

uint32_t aclsimMultimemTargets(const void* address, size_t size, void** targets,
                               uint32_t capacity) {
  uint32_t count = 0;
  guarded(__func__, [&] {
    require_input(targets, "targets");
    const auto& found = multimem::targets(reinterpret_cast<CUdeviceptr>(address), size);
    if (found.size() > capacity) {
      refuse("capacity is {}; the team has {} devices", capacity, found.size());
    }
    std::copy(found.begin(), found.end(), targets);
    count = static_cast<uint32_t>(found.size());
  });
  return count;
}

uint32_t aclsimMultimemRanges(const void* address, size_t size, uint32_t access,
                              aclsimMemRange* ranges, uint32_t capacity) {
  uint32_t count = 0;
  guarded(__func__, [&] {
    require_input(ranges, "ranges");
    for (const auto& piece : multimem::pieces(reinterpret_cast<CUdeviceptr>(address), size)) {
      for (const Replica& replica : piece.replicas) {
        if (count < capacity) {
          ranges[count] = {replica.memory->shown(replica.offset), piece.size, access};
        }
        ++count;
      }
    }
  });
  return count;
}

}  // extern "C"
