// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/fabric/base/bytes.h"

namespace hccl {

/// The content of a rank table that the emulator uses: the server and the device of each rank.
struct RankTable {
  struct Rank {
    std::string server{};  // its id, which all ranks of the server have
    std::uint32_t device = 0;
    std::string address{};  // device_ip; may be empty
  };
  std::vector<Rank> ranks{};  // by rank

  /// Versions 1.0 and 2.0. Raises HCCL_E_INTERNAL for a file that cannot be read or is not JSON,
  /// HCCL_E_PARA for content that is inconsistent.
  static RankTable read(const std::string& path);
  static RankTable parse(const std::string& text, const std::string& where);

  /// Raises HCCL_E_PARA if a server has a device number of `devices` or more, or names a device or
  /// an address of a device twice.
  void require_devices(std::uint32_t devices, const std::string& where) const;

  /// A serialisation that is equal on all ranks and independent of the layout of the file.
  fabric::Bytes canonical() const;
  /// The addresses at which the store of rank 0 may be.
  std::vector<std::string> store_addresses() const;
};

}  // namespace hccl
