// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sim {

/// The party that a decision selects: a stream by its id, or the host program.
using Actor = std::uint64_t;
inline constexpr Actor kHost = ~Actor{0};

/// The n-th decision of a run, counted from 1, that did not go the plain way.
struct Departure {
  std::uint64_t decision = 0;
  Actor actor = kHost;
  friend bool operator==(const Departure&, const Departure&) = default;
};

/// A strategy by name and parameters: plain data, as a configuration holds it.
struct StrategySpec {
  enum class Kind : std::uint8_t {
    random,       // a walk; how often the host goes on is drawn from the seed
    pct,          // random priorities that change at depth - 1 of the first `steps` decisions
    round_robin,  // one after the other, `steps` decisions each; 0: a number of its own for each
    delays,       // each party as far as it can, with `depth` delays in the first `steps` decisions
    slow_copy,    // a walk in which copies and fills come when nothing else can
    eager,        // each op as early as possible
    lazy,         // the plain order
    replay,       // the plain order with these departures
  };
  Kind kind = Kind::random;
  std::uint32_t depth = 0;
  std::uint64_t steps = 0;
  std::vector<Departure> departures;  // ascending
};

/// "random", "pct:3", "pct:3:500", "round-robin:2", "delays:2:500", "slow-copy", "eager", "lazy",
/// "replay:17=5,40=host" or "replay:@FILE". Throws std::invalid_argument, which names the expected
/// form.
StrategySpec parse_strategy(const std::string& text);

/// "17=5,40=host", also over several lines with comments behind '#'. Throws as above.
std::vector<Departure> parse_departures(const std::string& text);

}  // namespace sim
