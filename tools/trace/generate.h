// SPDX-License-Identifier: Apache-2.0
// Synthetic traces: the shapes of real programs, in any size; equal seeds give equal traces.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/trace/trace.h"

namespace trace {

struct GenerateOptions {
  std::string kind = "ring";
  std::uint32_t devices = 2;
  std::uint32_t streams = 1;  // a device
  std::uint32_t ops = 100;    // in all; exactly
  std::uint64_t seed = 0;
};

/// The kinds with a line of explanation each.
struct GenerateKind {
  const char* name;
  const char* what;
};
const std::vector<GenerateKind>& generate_kinds();

/// Throws std::invalid_argument for an unknown kind, and if it needs more ops or tracks.
Trace generate(const GenerateOptions& options);

}  // namespace trace
