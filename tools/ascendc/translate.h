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
  std::string text;                 // for the host compiler
  std::vector<KernelHead> kernels;  // defined in this source, without templates
  std::size_t launches = 0;
};

/// Translates a preprocessed kernel source (output of `c++ -E` with line markers) to C++:
///  - `NAME<<<a, b, c>>>(x, y)` becomes a call of the launcher of NAME. The launcher is inserted
///    after each declaration of a kernel and is overloaded if the kernel is.
///  - The words that only a device compiler knows are removed: `__global__`, `__vector__`,
///    `[aicore]`, ...
///  - asm("trap") becomes trap().
/// All other text remains unchanged, on its original line. Throws SourceError.
Translation translate(std::string_view text, const std::string& name,
                      const TranslateOptions& options = {});

/// The header aclrtlaunch_NAME.h of a kernel. A structure may be passed by value or by pointer.
std::string launch_header(const KernelHead& kernel);

/// Whether a parameter is a structure that the header can declare.
bool takes_structures(const KernelHead& kernel);

/// The text that is inserted after the declaration of a kernel (companion.cpp).
std::string companion(const KernelHead& kernel, const TranslateOptions& options);

/// The symbol of a kernel's description, which is unique for each kernel and each overload.
std::string symbol_of(const KernelHead& kernel);

/// A C string literal.
std::string c_literal(std::string_view text);

}  // namespace kernel_compiler
