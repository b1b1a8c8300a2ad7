// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/memory/memory.h"
#include "runtime/acl/core/runtime.h"

namespace acl {

/// The number of a device as the program counts devices; -1: host memory.
inline int recorded_device(const Runtime& runtime, int physical) {
  return physical == sim::kHostDevice ? -1 : runtime.logical(physical);
}

}  // namespace acl
