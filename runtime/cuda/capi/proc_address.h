// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace cuda {

/// The result of a search for a function by name and version.
struct FoundSymbol {
  void* address = nullptr;
  bool name_known = false;  // in any version
};

/// The newest variant that is not newer than `version`. `per_thread` prefers a variant whose
/// default stream is the thread's own.
FoundSymbol find_symbol(std::string_view name, int version, bool per_thread);

}  // namespace cuda
