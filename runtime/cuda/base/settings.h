// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/cuda_multicast.h"

namespace cuda {

/// A configured failure: calls of this kind return `code`, so many times.
struct Fault {
  std::string call;  // create, add, bind or map
  CUresult code = CUDA_ERROR_SYSTEM_NOT_READY;
  std::uint64_t count = 0;
};

/// The environment variables of the CUDA interface.
struct Settings {
  bool multicast = true;        // ACLSIM_CUDA_MULTICAST: devices support it
  bool fabric = true;           // ACLSIM_CUDA_FABRIC: handles of type FABRIC are supported
  bool lenient_stores = false;  // ACLSIM_CUDA_UNBOUND=lenient: members without memory are left out
  bool refuse_reads = false;    // ACLSIM_CUDA_MULTICAST_READS=refuse
  std::uint64_t recommended_fabric = std::uint64_t{512} << 20;  // ACLSIM_CUDA_GRANULARITY_MB
  std::uint64_t most_objects = 1024;                            // ACLSIM_CUDA_MULTICAST_OBJECTS
  std::chrono::milliseconds patience{30'000};                   // ACLSIM_CUDA_JOIN_REPORT_MS
  std::vector<Fault> faults{};                                  // ACLSIM_CUDA_FAULTS

  /// Raises CUDA_ERROR_INVALID_VALUE with the variable, its value and the expected values.
  static Settings from_environment();
};

/// The settings that cuInit read last.
const Settings& settings();
/// Reads them anew; counts of faults begin again where their text has changed.
void read_settings();

/// Raises the configured failure of such a call, when one is due.
void may_fail(std::string_view call);

}  // namespace cuda
