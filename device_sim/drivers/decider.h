// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "device_sim/base/owned_fd.h"
#include "device_sim/drivers/strategy.h"

namespace sim {

/// Takes the decisions of a controlled schedule: asks its strategy where there is a choice, keeps
/// the host and the streams from starving, and records the decisions.
class Decider {
 public:
  /// Returns the source location of the call that enqueued an op of a stream, counted from 0; "" if
  /// it is not known.
  using PlaceOf = std::function<std::string(std::uint32_t stream, std::uint64_t number)>;

  /// `record`: the path of a file for the departures from the plain order, or empty. Each is
  /// written at once, so that it outlives a crash. Throws MachineError when it cannot be written.
  Decider(const StrategySpec& spec, std::uint64_t seed, const std::string& record,
          PlaceOf place_of = {});

  /// Whether the candidates' `copies` and `step` are wanted.
  bool looks_at_steps() const noexcept;
  /// As Strategy::choose, for every place and any number of candidates but none. `submitted`: how
  /// many ops the ready streams were given so far.
  Actor decide(Decision decision, std::uint64_t submitted);
  /// The program ends: the last line of the record.
  void finish();

 private:
  bool has_had_enough(std::uint64_t submitted);
  void note(const Decision& decision, Actor chosen);
  void write(const std::string& line);

  const std::unique_ptr<Strategy> strategy_;
  PlainOrder plain_;
  const std::string path_;  // of the record
  const PlaceOf place_of_;
  OwnedFd record_;
  bool incomplete_ = false;  // it could not be written further
  std::uint64_t decisions_ = 0;
  std::uint64_t departures_ = 0;
  std::uint64_t steps_here_ = 0;  // since the host went on
  std::uint64_t submitted_ = 0;   // when the host last went on
  std::uint64_t polls_ = 0;       // how often it went on since without enqueuing anything
  std::uint64_t turns_ = 0;       // how often it went on since anything moved
};

}  // namespace sim
