// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/ascendc/kernel_head.h"

namespace kernel_compiler {

struct TranslateOptions {
  bool launchers = false;  // also define aclrtlaunch_NAME
  bool workspace = false;  // HAVE_WORKSPACE: the last parameter is the workspace,
  bool tiling = false;     // HAVE_TILING: or the last but one
};

struct Translation {
  std::string text;                 // what the host compiler takes
  std::vector<KernelHead> kernels;  // that are defined here, templates apart
  std::size_t launches = 0;
};

/// Makes C++ of a kernel source that was preprocessed (as `c++ -E` leaves it, with line markers):
///  - `NAME<<<a, b, c>>>(x, y)` becomes a call of the launcher of NAME, which stands behind each
///    declaration of a kernel and is an overload where the kernel is one;
///  - what only a device compiler knows goes: `__global__`, `__vector__`, `[aicore]`, ...
///  - asm("trap") becomes trap().
/// Everything else stays as it is, on the line where it was. Raises SourceError.
Translation translate(std::string_view text, const std::string& name,
                      const TranslateOptions& options = {});

/// The header aclrtlaunch_NAME.h of a kernel. A structure may be passed itself or by pointer.
std::string launch_header(const KernelHead& kernel);

/// Whether a parameter is a structure that the header can declare.
bool takes_structures(const KernelHead& kernel);

/// What is inserted behind the declaration of a kernel (companion.cpp).
std::string companion(const KernelHead& kernel, const TranslateOptions& options);

/// The symbol of a kernel's description: its own for each kernel, overloads included.
std::string symbol_of(const KernelHead& kernel);

/// A C string literal.
std::string c_literal(std::string_view text);

}  // namespace kernel_compiler
