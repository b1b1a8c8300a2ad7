// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace hccl {

/// The settings in the environment. They are read again for each communicator.
struct Settings {
  std::chrono::milliseconds connect_timeout{};  // limit of the time that ranks wait for each other
  std::chrono::seconds exec_timeout{};          // 0: no limit
  std::uint32_t buffer_mb = 0;                  // size of one half of the buffer
  int deterministic = 0;                        // 0 off, 1 on, 2 strict: in the order of the ranks
  bool deterministic_is_set = false;            // if so, HcclSetConfig has no effect
  std::string interface_address{};              // HCCL_IF_IP; empty: any
  std::uint16_t base_port = 0;                  // of the store for rank tables
  std::string job_secret{};

  /// Raises HCCL_E_PARA with the name of the variable, its value and the expected value.
  static Settings from_environment();
};

}  // namespace hccl
