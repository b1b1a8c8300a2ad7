// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "device_sim/base/clock.h"
#include "device_sim/base/system_config.h"
#include "device_sim/memory/links.h"
#include "device_sim/memory/memory.h"
#include "device_sim/streams/driver.h"

namespace sim {

/// The devices, links and driver of one configuration.
class System {
 public:
  explicit System(const SystemConfig& config);
  ~System();

  const SystemConfig& config() const noexcept { return config_; }
  Memory& memory() noexcept { return memory_; }
  Links& links() noexcept { return links_; }
  Driver& driver() noexcept { return *driver_; }
  const Clock& clock() const noexcept { return clock_; }

 private:
  const SystemConfig config_;
  RealClock clock_;
  Memory memory_;
  Links links_;
  std::unique_ptr<Driver> driver_;
};

}  // namespace sim
