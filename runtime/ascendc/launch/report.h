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
/// The innermost line of the kernel's own code in a stack, not of the library or its headers.
const void* own_site(std::span<const void* const> stack, const void* entry);
/// The position of an address relative to the nearest allocation or freed memory; empty if none is
/// near.
std::string beside_allocation(const void* address);
/// The description of an address without memory, with the nearest allocation.
std::string text_of_address(const void* address);

}  // namespace ascendc
