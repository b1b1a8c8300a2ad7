// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/memory/memory.h"

namespace acl {

class Runtime;

/// Guarded mode. A host thread that touches device memory gets a diagnosis (address, allocation,
/// device, call site of the allocation), and its handler, or the default, gets the SIGSEGV. Kernels
/// may touch device memory: the pages that they touch are opened, and closed again when no kernel
/// runs any more. While a page is open, host threads can touch it too.
void guard_device_memory(Runtime& runtime);
void kernel_enters() noexcept;
void kernel_leaves(const sim::Memory& memory) noexcept;

}  // namespace acl
