// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "device_sim/base/system_config.h"
#include "device_sim/streams/driver.h"

namespace sim {

/// One op at a time, the next chosen among all ready streams by a strategy with a seed: a program
/// with one host thread runs the same way for the same seed, every time.
///
/// Ops move at the program's own calls (`yield_point`, `yield_behind`, `wait`). A kernel runs in a
/// thread of its own while everything else stands still; one that has not returned after 50 ms is
/// taken to wait for something, and the others go on. When the program makes no call for 200 ms the driver moves
/// on by itself. Both, blocking host functions, and a second host thread end what the seed decides
/// (`diverged`; a second host thread is not noticed).
class SeededDriver : public Driver {
 public:
  using Driver::Driver;
  virtual bool diverged() const noexcept = 0;
};

std::unique_ptr<SeededDriver> make_seeded_driver(const SystemConfig& config, Memory& memory,
                                                 const Clock& clock);

}  // namespace sim
