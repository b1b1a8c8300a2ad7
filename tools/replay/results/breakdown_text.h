// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/replay/results/breakdown.h"

namespace replay {

/// `top`: how many kernels and links are listed.
std::string to_text(const trace::Trace& trace, const Breakdown& found, std::size_t top);
nlohmann::ordered_json to_json(const trace::Trace& trace, const Breakdown& found, std::size_t top);

}  // namespace replay
