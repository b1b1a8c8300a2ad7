// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/ascendc/translate.h"

namespace kernel_compiler {

/// The kernels that a source declares and defines.
struct FoundKernels {
  std::vector<KernelHead> heads;        // of all declarations, except for those below
  std::vector<KernelHead> specialised;  // explicit specialisations and instantiations
  std::vector<KernelHead> kernels;      // defined, without templates
  std::set<std::string, std::less<>> names;
  std::set<std::string, std::less<>> ai_cpu;
  std::map<std::string, int, std::less<>> launchers;  // kernels that would have one, by name

  /// Whether exactly one kernel would have the launcher of that name.
  bool has_launcher(const std::string& name) const;
};

/// `known` has the kinds of cores if the source does not show the bodies of the kernels. Throws
/// SourceError.
FoundKernels find_kernels(const Source& source, const KernelKinds* known = nullptr);

}  // namespace kernel_compiler
