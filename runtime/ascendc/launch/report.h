// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "runtime/ascendc/core/host.h"

namespace ascendc {

/// Says a finding once: on stderr, and to the checker where one runs. Later ones of the same rule
/// at the same places are counted only. `kernel`: its name.
void report(const char* kernel, const std::string& who, const Finding& finding);
std::string place_of_site(const void* site);
/// Of a stack in a kernel, the line that is its own: not one of the library or its headers.
const void* own_site(std::span<const void* const> stack, const void* entry);
/// Where an address lies beside the allocations, or what was freed there; nothing where none is
/// near.
std::string beside_allocation(const void* address);
/// Of one that nothing is behind, with the allocation beside it.
std::string text_of_address(const void* address);

}  // namespace ascendc
