// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace hccl {

/// What the environment says; read anew with each communicator.
struct Settings {
  std::chrono::milliseconds connect_timeout{};  // ranks wait so long for each other
  std::chrono::seconds exec_timeout{};          // 0: no limit
  std::uint32_t buffer_mb = 0;                  // of one half of the buffer
  int deterministic = 0;                        // 0 off, 1 on, 2 in the order of ranks
  bool deterministic_is_set = false;            // then HcclSetConfig has no effect
  std::string interface_address{};              // HCCL_IF_IP; empty: any
  std::uint16_t base_port = 0;                  // of a store that is found by a rank table
  std::string job_secret{};

  /// Raises HCCL_E_PARA: which variable, its value, what is expected.
  static Settings from_environment();
};

}  // namespace hccl
