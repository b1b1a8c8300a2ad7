// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "device_sim/base/system_config.h"
#include "device_sim/streams/driver.h"

namespace sim {

/// One op at a time, the next chosen among all ready streams by a strategy with a seed: a program
/// with one host thread runs the same way for the same seed, every time.
///
/// Ops move at the program's own calls (`yield_point`, `yield_behind`, `wait`). Host threads make
/// their calls one at a time, in an order that the seed decides too (turn_token.h). A kernel, or a
/// host function that a stream waits for, runs while everything else is paused.
///
/// `diverged` says that real time decided something instead of the seed: a kernel or host function
/// ran for more than 50 ms, so that the others went on; the program made no call for 200 ms, so
/// that the driver moved on by itself; a wait reached its time limit; or the order in which host
/// threads came was not the seed's.
class SeededDriver : public Driver {
 public:
  using Driver::Driver;
  virtual bool diverged() const noexcept = 0;
};

std::unique_ptr<SeededDriver> make_seeded_driver(const SystemConfig& config, Memory& memory,
                                                 const Clock& clock);

}  // namespace sim
