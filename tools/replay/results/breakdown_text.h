// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tools/replay/results/breakdown.h"

namespace replay {

/// `top`: how many kernels and links are told.
std::string to_text(const trace::Trace& trace, const Breakdown& found, std::size_t top);
nlohmann::ordered_json to_json(const trace::Trace& trace, const Breakdown& found, std::size_t top);
/// A line for each rank, for the head of a page.
std::vector<std::string> rank_lines(const trace::Trace& trace, const Breakdown& found);

}  // namespace replay
