// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device_sim/memory/memory.h"

namespace acl {

class Runtime;

/// Guarded mode: a host thread that touches device memory gets a diagnosis (address, allocation,
/// device, where it was allocated) and the SIGSEGV that its handler, or the default, makes of it.
/// Kernels may touch device memory: the pages they touch are opened, and closed again when no
/// kernel runs any more. Until then the host is not stopped there.
void guard_device_memory(Runtime& runtime);
void kernel_enters() noexcept;
void kernel_leaves(const sim::Memory& memory) noexcept;

}  // namespace acl
