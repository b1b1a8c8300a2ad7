// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/acl/kernel/elf_file.h"
#include "runtime/acl/kernel/kernel_image.h"

namespace acl {

/// Loads a shared object for this machine: from its path, or from memory if it has no path. Raises
/// ACL_ERROR_RT_PARAM_INVALID with the message of the dynamic loader. Runs constructors: hold no
/// lock.
sim::Ref<KernelImage> open_shared_object(const BinarySource& source, ElfFile elf);

}  // namespace acl
