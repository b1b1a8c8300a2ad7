// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cuda {

/// What became of a search for a function by name and version.
struct FoundSymbol {
  void* address = nullptr;
  bool name_known = false;  // in whatever version
};

/// The newest variant that is not newer than `version`. `per_thread`: the one whose default stream
/// is the thread's own, where there is such a one.
FoundSymbol find_symbol(std::string_view name, int version, bool per_thread);

}  // namespace cuda
