// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace acl::watch {

/// A mistake inside of an AscendC kernel. The thread's current call is the kernel, at the place of
/// the mistake.
struct KernelFinding {
  bool race = false;
  bool warning = false;         // else an error
  int device = -1;              // of the launch, as the program counts; -1: not known
  std::uint32_t stream_id = 0;  // in which the kernel runs
  const void* other = nullptr;  // the place of the other access; may be null
  const char* other_what = "";  // its instruction; lives as long as the process
  std::string text;
  std::string repair;
};

}  // namespace acl::watch
