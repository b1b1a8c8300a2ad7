// SPDX-License-Identifier: Apache-2.0
#include "device_sim/machine/system.h"

#include "device_sim/drivers/seeded_driver.h"
#include "device_sim/drivers/thread_driver.h"

namespace sim {

System::System(const SystemConfig& config) : config_(config), memory_(config_), links_(config_) {
  if (config_.schedule == Schedule::seeded) {
    driver_ = make_seeded_driver(config_, memory_, clock_);
  } else {
    driver_ = make_thread_driver(config_, memory_, clock_);
  }
}

System::~System() = default;

}  // namespace sim
