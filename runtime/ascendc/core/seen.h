// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ascendc {

/// By unit of a launch: up to which of its times what it did is over.
using Seen = std::vector<std::uint32_t>;

inline void join(Seen& seen, const Seen& told) {
  seen.resize(std::max(seen.size(), told.size()));
  for (std::size_t i = 0; i < told.size(); ++i) seen[i] = std::max(seen[i], told[i]);
}

}  // namespace ascendc
