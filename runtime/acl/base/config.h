// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "device_sim/base/system_config.h"
#include "device_sim/faults/fault_rule.h"
#include "runtime/acl/base/check_config.h"

namespace acl {

/// Everything that can be set, as plain data.
struct Config {
  sim::SystemConfig system;
  std::vector<int> visible;  // physical ids of the devices that the process sees
  bool lenient = false;
  unsigned watchdog_s = 0;  // 0: none
  bool watchdog_aborts = false;
  std::string trace_path;   // empty: no timeline
  std::string record_path;  // empty: no recording
  std::vector<sim::FaultRule> faults;
  CheckConfig check;

  /// Kernel timeouts are whole numbers of this, up to 254 of them: 1091 s.
  std::uint32_t kernel_timeout_interval_us = 4'295'276;

  /// The default results of aclrtDeviceGetLimit, in bytes.
  struct DeviceLimits {
    std::uint32_t simt_stack = 16 << 10;
    std::uint32_t simt_warp_stack = 16 << 10;
    std::uint32_t simd_stack = 32 << 10;
    std::uint32_t simd_printf = 1 << 20;
    std::uint32_t simt_printf = 2 << 20;
  } device_limits;
};

/// A wrong key or value; the text names its location and the allowed values.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Defaults, then the file that ACLSIM_CONFIG names, then the other ACLSIM_ variables, then
/// ASCEND_RT_VISIBLE_DEVICES. The table of all of them is in docs/configuration.md.
Config load_config();
/// Configurations that are loaded later are for a program whose kernels compute addresses
/// themselves.
void expect_kernels() noexcept;

/// One setting by its key in the file ("machine.devices"); `where` starts error texts. For the
/// file reader, the environment and tests.
void apply_setting(Config& config, const std::string& key, const std::string& value,
                   const std::string& where);

}  // namespace acl
