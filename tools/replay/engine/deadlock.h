// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "tools/replay/engine/execution.h"

namespace replay {

/// Why nothing moves: the shortest cycle of tracks that wait for each other, or, without a cycle,
/// the tracks that wait for something that no track does.
struct Deadlock {
  std::vector<std::size_t> cycle;  // into Execution::blocked; each waits for the next, the last for
                                   // the first. Empty: there is no cycle
  std::vector<std::size_t> orphans;  // blocked tracks that no other one can help
};

Deadlock explain(const Execution& run, std::size_t tracks);

/// Several lines, for people.
std::string to_text(const Deadlock& deadlock, const Execution& run, const trace::Trace& trace);

/// The op that launches the graph first; kNone: no op does.
OpIndex first_launch(const trace::Trace& trace, std::uint32_t graph);

}  // namespace replay
