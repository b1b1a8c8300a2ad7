// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "device_sim/memory/mappings.h"

namespace acl {

/// Whether the host may read, or read and write, all of it: the system is asked, nothing is
/// changed. True where the system does not say.
bool host_may(sim::Access wanted, const void* address, std::size_t size) noexcept;

}  // namespace acl
