// SPDX-License-Identifier: Apache-2.0
// acl.sim.launch_kernel: device work written in Python.
#pragma once

#include "pyacl/adapters.h"

namespace pyacl {

/// True in a thread that runs a Python kernel.
bool in_kernel();

using Kernel = Function<"Callable[[KernelContext, Any], Optional[int]]">;
aclError launch_kernel(Kernel kernel, Object args, std::uint32_t blocks, aclrtStream stream);

/// Adds the type of a kernel's context to acl.sim: false with an exception set.
bool add_kernel_types(PyObject* module);

}  // namespace pyacl
