// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "runtime/ascendc/core/host.h"

namespace ascendc {

/// The task that runs a kernel.
struct Task {
  const char* kernel = "";      // its name
  int device = -1;              // as the program counts; -1: not known
  std::uint32_t stream_id = 0;  // of the machine
  std::uint32_t task_id = 0;
};

/// Reports a finding once, on stderr or to the checker if one runs. Later ones of the same rule at
/// the same places are dropped.
void report(const Task& task, const std::string& who, const Finding& finding);
/// The repair of a finding of the rule that has none of its own.
std::string_view usual_repair(std::string_view rule);
std::string place_of_site(const void* site);
/// The innermost line of the kernel's own code in a stack, not of the library or its headers.
const void* own_site(std::span<const void* const> stack, const void* entry);
/// The position of an address relative to the nearest allocation or freed memory; empty if none is
/// near.
std::string beside_allocation(const void* address);
/// The description of an address without memory, with the nearest allocation.
std::string text_of_address(const void* address);

}  // namespace ascendc
