// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "device_sim/base/strategy_spec.h"

namespace sim {

/// A stream that could make its next step.
struct Candidate {
  std::uint32_t stream = 0;
  bool copies = false;       // the step is a copy or a fill; known only to strategies that ask
  const char* step = "";     // its name, likewise
  std::uint64_t number = 0;  // which op of the stream it is, from 0; likewise
};

/// One decision of a controlled schedule. Ops move at the calls of the program: before each call
/// and after it (`host`: the program may continue instead), and while the program waits.
struct Decision {
  bool host = false;
  bool first = false;                // at this place; the others follow until the program goes on
  std::span<const Candidate> ready;  // by stream id, not empty
  Actor plain = kHost;               // whom the plain order takes
};

/// Asked again and again who goes on next. Pure: the same seed and the same decisions give the same
/// answers.
class Strategy {
 public:
  virtual ~Strategy() = default;
  /// kHost (only where the host may go on) or one of the ready streams. Not asked where there is
  /// only one.
  virtual Actor choose(const Decision& decision) = 0;
  /// Whether it needs to know the next steps of the streams.
  virtual bool looks_at_steps() const noexcept { return false; }
};

/// The order from which departures are counted. The host continues as far as it can. While it
/// waits, each stream continues as far as it can, the stream with the lowest id first. A party that
/// was chosen otherwise continues until it cannot, or until the host reaches its next call.
class PlainOrder {
 public:
  Actor expected(const Decision& decision);
  void follow(Actor actor) noexcept { current_ = actor; }

 private:
  Actor current_ = kHost;
};

std::unique_ptr<Strategy> make_strategy(const StrategySpec& spec, std::uint64_t seed);

}  // namespace sim
